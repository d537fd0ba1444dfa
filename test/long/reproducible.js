// Builds a site in many environments, which differ in clock, time zone, language, umask, path, user, order of folders, number of
// processors and cache. Every byte of `dist/` and `edge/` must be the same.
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadAdapters } from '../../lib/hosts/registry.js';
import { EDGE_HOSTS } from '../../lib/core/theme/site.js';
import { outputOf } from './site.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const BIN = path.join(repository, 'lib/bundle/cli.js');
const SECRET = 'reproducible-secret-0123456789-abcdefghijklmnop';
/** A clock that is half a century ahead and runs backwards. */
const CLOCK = `const now = Date.now; let back = 0;
Date.now = () => now() + 1_600_000_000_000 - (back += 1000);
globalThis.Date = class extends Date { constructor(...args) { super(...(args.length === 0 ? [Date.now()] : args)); } };`;

const root = await mkdtemp(path.join(tmpdir(), 'themecast-reproducible-'));
// One build runs as another user in this folder.
await chmod(root, 0o755);
await writeFile(path.join(root, 'clock.cjs'), CLOCK);

/**
 * @typedef {object} Environment
 * @property {string} name
 * @property {string[]} [before] command that runs node
 * @property {string[]} [node] flags of node
 * @property {Record<string, string>} [env]
 * @property {string} [folder] below the root
 * @property {boolean} [reversed] whether the folders are filled in reverse
 * @property {string} [warmFrom] name of the environment whose cache is copied
 */
/** @type {Environment[]} */
const environments = [
  { name: 'baseline' },
  { name: 'clock', node: ['--require', path.join(root, 'clock.cjs')] },
  { name: 'time zone', env: { TZ: 'Pacific/Kiritimati' } },
  { name: 'language', env: { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'tr' } },
  { name: 'umask', before: ['sh', '-c', 'umask 077; exec "$@"', 'sh'] },
  { name: 'path', folder: 'elsewhere/a path/ümläut/x' },
  { name: 'order of folders', reversed: true },
  { name: 'processors', before: ['taskset', '-c', '0'], env: { UV_THREADPOOL_SIZE: '1' } },
  { name: 'threads', env: { UV_THREADPOOL_SIZE: '16' } },
  { name: 'warm cache', warmFrom: 'baseline' },
  ...(process.getuid?.() === 0
    ? [{ name: 'user', before: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] }]
    : []),
];

/** Writes the themes of this repository with many users, with keyed and plain mappings for all hosts that map users. @param {string} target @param {boolean} reversed */
async function writeSite(target, reversed) {
  const names = (await readdir(path.join(repository, 'themes'))).toSorted();
  for (const name of reversed ? names.toReversed() : names) {
    const source = path.join(repository, 'themes', name);
    const inside = (await readdir(source).catch(() => [])).toSorted((a, b) => (a < b ? -1 : 1));
    if (inside.length === 0) await cp(source, path.join(target, name));
    for (const file of reversed ? inside.toReversed() : inside)
      await cp(path.join(source, file), path.join(target, name, file));
  }
  const site = await readFile(path.join(target, 'site.yaml'), 'utf8');
  const adapters = await loadAdapters(EDGE_HOSTS);
  const hosts = EDGE_HOSTS.filter((host) => adapters[host].capabilities.maxKeys > 0).join(', ');
  const settings = `mapping: {keyed: true}\nedge: [${hosts}]\n`;
  await writeFile(
    path.join(target, 'site.yaml'),
    site.replaceAll(/^(?:edge|mapping):.*\n(?:[ -].*\n)*/gm, '') + settings,
  );
  const users = Array.from({ length: 9000 }, (_, at) => `many-${at},meadow\n`);
  await mkdir(path.join(target, 'users'), { recursive: true });
  await writeFile(path.join(target, 'users/many.csv'), `user,theme\n${users.join('')}`);
}

/** @param {Environment} environment @returns {Promise<Record<string, string>>} hash of each file */
async function buildIn({
  name,
  before = [],
  node = [],
  env = {},
  folder = name.replaceAll(' ', '-'),
  reversed = false,
  warmFrom,
}) {
  const place = path.join(root, folder);
  await mkdir(place, { recursive: true });
  await writeSite(path.join(place, 'themes'), reversed);
  if (warmFrom !== undefined)
    await cp(path.join(root, warmFrom.replaceAll(' ', '-'), '.cache'), path.join(place, '.cache'), { recursive: true });
  for (const folder of [place, path.join(place, 'themes')]) await chmod(folder, 0o777);
  const [command, ...args] = [...before, process.execPath, ...node, BIN, 'build', '--quiet'];
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: place,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: place, THEMECAST_KEY_SECRET: SECRET, ...env },
  });
  if (status !== 0) throw new Error(`${name}: ends with ${status}: ${stdout}${stderr}`);
  const { dist, edge } = outputOf(place);
  const entries = [...Object.entries(dist), ...Object.entries(edge).map(([file, hash]) => [`edge/${file}`, hash])];
  return Object.fromEntries(entries);
}

const [first, ...variations] = environments;
const expected = first === undefined ? {} : await buildIn(first);
let different = 0;
for (const environment of variations) {
  const actual = await buildIn(environment);
  const files = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].filter(
    (file) => expected[file] !== actual[file],
  );
  if (files.length === 0) continue;
  different++;
  process.stderr.write(`${environment.name}: ${files.length} files differ: ${files.slice(0, 5).join(', ')}\n`);
}
await rm(root, { recursive: true, force: true });
const files = Object.keys(expected).length;
process.stdout.write(
  `stress reproducible: ${variations.length} variations (${variations.map(({ name }) => name).join(', ')}), ${files} files each, ${different} different\n`,
);
process.exitCode = different === 0 && files > 0 ? 0 : 1;
