import { readdirSync } from 'node:fs';
import { RESTRICTED_PACKAGES, ROOMS, SUBFOLDER_PACKAGES } from './scripts/layers.js';

/** @typedef {import('./scripts/layers.js').Room} Room */

const SYSTEM_MODULES =
  'child_process|dns|fs|http|http2|https|module|net|os|path|process|readline|stream|timers|tls|url|vm|worker_threads';

/** The files of a capability that use the disk, the network and processes. */
const SHELL = ['io/**/*.ts', 'command.ts'];

const hosts = readdirSync(new URL('src/hosts/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['contract', 'adapter', 'explain'].includes(entry.name))
  .map(({ name }) => name);

export default {
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  env: { node: true, es2024: true },
  ignorePatterns: ['/lib', '/dist', '/edge', 'node_modules', '.cache', 'test/fixtures'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'no-shadow': 'off',
    'no-control-regex': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/switch-exhaustiveness-check': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'no-console': 'error',
    eqeqeq: 'error',
    'import/no-named-as-default-member': 'off',
    'oxc/no-map-spread': 'off',
    'unicorn/consistent-function-scoping': 'off',
  },
  overrides: [
    ...ROOMS.flatMap((room, index) => {
      const { name, system, pure = [] } = room;
      const whole = restricted(filesOf(name), patternsOf(room, index));
      const shell = { ...room, system: true };
      if (system === 'io')
        return [whole, ...SHELL.map((files) => restricted(`src/${name}/${files}`, patternsOf(shell, index)))];
      const core = { ...room, system: false };
      return [whole, ...pure.map((folder) => restricted(filesOf(`${name}/${folder}`), patternsOf(core, index)))];
    }),
    ...Object.entries(SUBFOLDER_PACKAGES).map(([folder, allowed]) => {
      const index = ROOMS.findIndex(({ name }) => folder.startsWith(`${name}/`));
      const room = ROOMS[index] ?? { name: folder, packages: [] };
      const packages = [...(room.packages ?? []), allowed];
      return restricted(filesOf(folder), patternsOf({ ...room, packages }, index));
    }),
    ...hosts.map((host) => {
      const index = ROOMS.findIndex(({ name }) => name === 'hosts');
      const others = hosts.filter((name) => name !== host).join('|');
      return restricted(filesOf(`hosts/${host}`), [
        ...patternsOf({ name: 'hosts' }, index),
        {
          regex: `^\\.\\./(?:${others})/`,
          message: 'No host imports another: what they share is in src/hosts/adapter/ and contract/.',
        },
      ]);
    }),
    {
      files: ['src/**/*.ts'],
      rules: {
        'max-lines-per-function': ['error', { max: 60 }],
      },
    },
    // Its state is one closure, so that bundlers shorten every name; a test limits all of it to 120 lines.
    { files: ['src/client/client.ts'], rules: { 'max-lines-per-function': 'off' } },
    {
      files: ['test/**'],
      rules: {
        'typescript/no-unsafe-type-assertion': 'off',
        'typescript/consistent-return': 'off',
        'no-await-in-loop': 'off',
      },
    },
  ],
};

/** @param {string} name */
function filesOf(name) {
  return `src/${name}${name.endsWith('.ts') ? '' : '/**/*.ts'}`;
}

/**
 * @param {string} files
 * @param {{ regex: string, message: string }[]} patterns
 */
function restricted(files, patterns) {
  return { files: [files], rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

/**
 * What a room must not import.
 * @param {Pick<Room, "name" | "packages" | "alone" | "capability"> & { system?: boolean | 'io' }} room
 * @param {number} index - its place in the table
 */
function patternsOf({ name, packages = [], alone = false, system = false, capability = false }, index) {
  const right = ROOMS.slice(index + 1).map((room) => room.name);
  const others = ROOMS.filter((room) => room.capability === true && room.name !== name).map((room) => room.name);
  const message = 'Imports go from right to left: see scripts/layers.js.';
  return [
    ...importsOf(name, right, message),
    ...(capability
      ? importsOf(name, others, 'No capability imports another: what two share is in a room left of both.')
      : []),
    ...(system === true ? [] : impure(name, index)),
    ...(alone
      ? [{ regex: '^(?:[^.]|\\.[^/])', message: 'What ships elsewhere imports only itself, and no module of Node.js.' }]
      : Object.entries(RESTRICTED_PACKAGES)
          .filter(([module]) => !packages.includes(module))
          .map(([module, where]) => ({ regex: `^${module}(?:/|$)`, message: where }))),
  ];
}

/**
 * The patterns of imports from rooms.
 * @param {string} name - the room that imports
 * @param {readonly string[]} rooms
 * @param {string} message
 */
function importsOf(name, rooms, message) {
  const folders = rooms.filter((other) => !other.endsWith('.ts')).map((other) => pathFrom(name, other));
  const files = rooms.filter((other) => other.endsWith('.ts')).map((other) => other.slice(0, -'.ts'.length));
  const up = name.endsWith('.ts') ? '\\./' : '(?:\\.\\./)+';
  return [
    ...(folders.length === 0 ? [] : [{ regex: `^${up}(?:${folders.join('|')})/`, message }]),
    ...(files.length === 0 ? [] : [{ regex: `^${up}(?:${files.join('|')})\\.ts$`, message }]),
  ];
}

/**
 * Returns a pattern for a room as imports name it after `../`: without the drawer in the same drawer.
 * @param {string} name - the room that imports
 * @param {string} other
 */
function pathFrom(name, other) {
  const drawer = `${name.split('/')[0]}/`;
  return name.includes('/') && other.startsWith(drawer) ? `(?:${drawer})?${other.slice(drawer.length)}` : other;
}

/**
 * The patterns of what pure files do not import: modules of the system, any `io/`, and the rooms left of theirs that use the system.
 * @param {string} name - their room
 * @param {number} index - its place
 */
function impure(name, index) {
  const message = 'This file is pure: io/ uses the disk and the network.';
  const shells = ROOMS.slice(0, index).flatMap((room) => (room.system === true ? [pathFrom(name, room.name)] : []));
  return [
    { regex: `^node:(?:${SYSTEM_MODULES})(?:/|$)`, message },
    { regex: '^\\.\\.?/(?:.*/)?io/', message },
    ...(shells.length === 0 ? [] : [{ regex: `^(?:\\.\\./)+(?:${shells.join('|')})/`, message }]),
  ];
}
