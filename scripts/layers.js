/**
 * The rooms of `src/`, from left to right: a room imports from itself and from the rooms left of it, never from the right. Lint enforces
 * it (`oxlint.config.js`), and `test/boundaries.test.ts` proves that it does. `src/README.md` says what is in each room.
 */

/**
 * @typedef {object} Room
 * @property {string} name - a folder of `src/`, or a file of it
 * @property {readonly string[]} [packages] - the restricted packages that it may import
 * @property {boolean} [system] - whether it may use the disk, the network and processes
 */

/** The packages that one room alone imports, and what to say elsewhere. */
export const RESTRICTED_PACKAGES = {
  yaml: 'Only source/ imports the YAML library.',
  zod: 'Only the rooms with schemas import zod: source/, theme/ and users/.',
  culori: 'Only theme/ imports the colour library.',
  saxes: 'Only image/svg/ imports the XML parser.',
  sharp: 'Only io/ decodes images.',
  'fast-glob': 'Only io/ lists folders.',
  'http-server': 'Only io/ opens sockets.',
};

/** @type {readonly Room[]} */
export const ROOMS = [
  { name: 'edge-runtime' },
  { name: 'diagnostics' },
  { name: 'source', packages: ['yaml', 'zod'] },
  { name: 'theme', packages: ['zod', 'culori'] },
  { name: 'image' },
  { name: 'document' },
  { name: 'users', packages: ['zod'] },
  { name: 'hosts' },
  { name: 'who' },
  { name: 'verify' },
  { name: 'pages' },
  { name: 'cms' },
  { name: 'io', packages: ['sharp', 'fast-glob', 'http-server'], system: true },
  { name: 'api.ts', system: true },
  { name: 'pipeline.ts', system: true },
  { name: 'build.ts', system: true },
  { name: 'lookup.ts', system: true },
  { name: 'dev', system: true },
  { name: 'command-line', system: true },
  { name: 'commands', system: true },
  { name: 'cli.ts', system: true },
];

/** Folders within a room that may import a package which the rest of it may not. */
export const SUBFOLDER_PACKAGES = { 'image/svg': 'saxes' };
