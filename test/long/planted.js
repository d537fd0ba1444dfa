// Hostile checkouts: plants links, named pipes, forged state and odd files at the paths that a build uses, and runs the commands.
// Contents, modes, times and names of everything outside the output must stay the same.
// Usage: node test/long/planted.js [--cases N] [--seed N]; as root, half of the cases run again as another user.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readBuild } from '../../lib/commands/verify/io/read-build.js';
import { randomFrom } from './sample-images.js';
import { foldersOf, scratch, writeThemes } from './site.js';

const { build, check } = /** @type {typeof import('../../lib/index.js')} */ (
  await import(new URL('../../lib/bundle/index.js', import.meta.url).href)
);

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(process.pid) },
    alone: { type: 'boolean' },
  },
});
const seed = Number(values.seed);
const cases = Number(values.cases);

const ID = '00000000-0000-4000-8000-000000000000';
const LOCKS = ['.dist.lock', '.dist.lock.takeover', '.edge.lock', '.edge.lock.takeover'];
const OUTPUTS = ['dist', 'edge', '.cache', ...LOCKS];
/** The errors that may end a command; any other is a crash. */
const EXPECTED_ERRORS = new Set(['ThemecastError', 'ContainmentError', 'UsageError', 'NoBuildError']);

const root = scratch('planted');
chmodSync(root, 0o755);
process.env['XDG_STATE_HOME'] = path.join(root, 'state');
const site = path.join(root, 'checkout');
const outside = path.join(root, 'outside');
const next = randomFrom(seed);
/** @type {string[]} */
const problems = [];
let rejected = 0;
try {
  mkdirSync(site);
  const pristine = await prepare();
  for (let index = 0; index < cases; index++) await runCase(index, pristine);
} finally {
  rmSync(root, { recursive: true, force: true });
}

if (process.getuid?.() === 0 && !values.alone) asAnotherUser();
for (const problem of problems.slice(0, 40)) process.stderr.write(`${problem}\n`);
process.stdout.write(
  `stress planted: ${cases} cases (seed ${seed}), ${rejected} commands rejected, ${problems.length} problems\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Builds a site with the themes of state b, and moves it away with the themes of state a. */
async function prepare() {
  writeThemes(site, 'b');
  await build(foldersOf(site));
  writeThemes(site, 'a');
  // Caches the images: otherwise each case would start decoders, which takes nine tenths of the time.
  await check(foldersOf(site));
  const folder = path.join(root, 'in-place');
  renameSync(site, folder);
  mkdirSync(site);
  const inside = OUTPUTS.slice(0, 3).flatMap((name) => [name, ...below(folder, name)]);
  const places = new Set([...inside, ...OUTPUTS, `dist/.themecast-${ID}`, `edge/.themecast-${ID}`]);
  return { folder, places: [...places].toSorted() };
}

/** @param {string} folder @param {string} name @returns {string[]} */
function below(folder, name) {
  return readdirSync(path.join(folder, name), { recursive: true }).map((file) => path.posix.join(name, String(file)));
}

/**
 * Runs the commands in a checkout with planted files, and reports crashes and changes outside the output.
 * @param {number} index
 * @param {{ folder: string, places: readonly string[] }} pristine
 */
async function runCase(index, { folder, places }) {
  for (const folder of [site, outside]) rmSync(folder, { recursive: true, force: true });
  cpSync(folder, site, { recursive: true, verbatimSymlinks: true });
  writeVictim();
  const planted = Array.from({ length: 1 + Math.floor(next() * 3) }, () => plant(pick(places)));
  const before = snapshot();
  const flags = foldersOf(site);
  const commands = [
    () => build(flags),
    () => check(flags),
    () => readBuild(flags.outDir, flags.edgeOutDir, [], () => undefined),
    () => build(flags),
  ];
  for (const command of commands) {
    const error = await errorOf(command());
    if (error === undefined) continue;
    rejected++;
    if (!EXPECTED_ERRORS.has(error.constructor.name))
      problems.push(`case ${index} (${planted.join('; ')}): ${error.stack}`);
  }
  const after = snapshot();
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (before[name] !== after[name])
      problems.push(`case ${index} (${planted.join('; ')}): ${name}: ${before[name]} → ${after[name]}`);
}

/** Returns the error of a command, or of its timeout. @param {Promise<unknown>} command @returns {Promise<Error | undefined>} */
async function errorOf(command) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('It did not end within a minute.')), 60_000);
  });
  try {
    await Promise.race([command, late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}

/** Writes files outside the checkout, with the names of published files. */
function writeVictim() {
  mkdirSync(path.join(outside, 'victim/api/v2/theme/config'), { recursive: true });
  mkdirSync(path.join(outside, 'victim/harbor'));
  const manifest = readFileSync(path.join(site, 'themes/site.yaml'));
  const files = 'manifest.json files.json index.html index.json config/index.json plan.json VERSION.txt'.split(' ');
  for (const file of files.map((name) => (name.startsWith('config') ? `api/v2/theme/${name}` : name)))
    writeFileSync(path.join(outside, 'victim', file), manifest, { mode: 0o640 });
  writeFileSync(path.join(outside, 'victim/harbor/private.txt'), 'private', { mode: 0o600 });
  chmodSync(path.join(outside, 'victim/harbor'), 0o751);
}

/** Returns whether every existing parent of a path is a folder of the checkout, not a link. @param {string} place */
function isReachable(place) {
  const folders = place
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  return folders.every(
    (folder) => lstatSync(path.join(site, folder), { throwIfNoEntry: false })?.isDirectory() !== false,
  );
}

/** Plants a random file, link, pipe or state, if its folder is still inside the checkout. @param {string} place @returns {string} */
function plant(place) {
  if (!isReachable(place)) return `nothing at ${place}`;
  const file = path.join(site, place);
  rmSync(file, { recursive: true, force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  const up = path.relative(path.dirname(file), outside);
  const kind = pick([
    'folder link',
    'file link',
    'dangling link',
    'absolute link',
    'pipe',
    'file',
    'folder',
    'state',
    'state',
  ]);
  if (kind === 'folder link') symlinkSync(path.join(up, 'victim'), file);
  else if (kind === 'file link') symlinkSync(path.join(up, 'victim/manifest.json'), file);
  else if (kind === 'dangling link') symlinkSync(path.join(up, 'new'), file);
  else if (kind === 'absolute link') symlinkSync(path.join(outside, 'victim'), file);
  else if (kind === 'pipe') spawnSync('mkfifo', [file]);
  else if (kind === 'file')
    writeFileSync(file, pick(['', '{}', 'null', '{"version":1,"users":0,"files":[]}', '\0'.repeat(5000)]));
  else if (kind === 'folder') mkdirSync(path.join(file, 'inner'), { recursive: true });
  else plantState();
  return `${kind} at ${place}`;
}

/** Plants a killed publication with forged lists of files, through a link if there is one. */
function plantState() {
  for (const tree of ['dist', 'edge']) {
    const staging = path.join(site, tree, `.themecast-${ID}`);
    if (!lstatSync(path.join(site, tree), { throwIfNoEntry: false })?.isDirectory()) return;
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(path.join(staging, 'files/media/harbor'), { recursive: true });
    for (const name of ['media/harbor/private.txt', 'media/index.html', 'manifest.json'])
      writeFileSync(path.join(staging, 'files', name), 'planted');
    const place = path.join(tree, 'media');
    const media = path.join(site, place);
    if (next() < 0.7 && isReachable(place)) {
      rmSync(media, { recursive: true, force: true });
      mkdirSync(path.dirname(media), { recursive: true });
      symlinkSync(path.relative(path.dirname(media), path.join(outside, 'victim')), media);
    }
    writeList(tree);
  }
}

/** Writes a list of files that no build has published. @param {string} tree */
function writeList(tree) {
  const names = [
    'media/harbor/private.txt',
    'media/index.html',
    '../outside/victim/index.html',
    '../../themes/site.yaml',
  ];
  const files = JSON.stringify(tree === 'dist' ? names.map((name) => ({ path: name })) : names);
  const head = tree === 'dist' ? '{"version": 1, "base_url": "https://x",' : '{"version":1,"users":0,';
  const file = path.join(site, tree, tree === 'dist' ? 'manifest.json' : 'files.json');
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, `${head}"files":${files}}`, { mode: pick([0o600, 0o644]) });
}

/** Returns the state of all files outside the output. @returns {Record<string, string>} */
function snapshot() {
  /** @type {Record<string, string>} */
  const state = {};
  const walk = (/** @type {string} */ folder, /** @type {string} */ name) => {
    for (const entry of readdirSync(folder).toSorted()) {
      if (folder === site && OUTPUTS.includes(entry)) continue;
      const file = path.join(folder, entry);
      const { mode, mtimeMs, size, uid, nlink } = lstatSync(file);
      const isFolder = (mode & 0o170000) === 0o040000;
      const isFile = (mode & 0o170000) === 0o100000;
      const content = isFile
        ? createHash('sha256').update(readFileSync(file)).digest('hex')
        : isFolder
          ? ''
          : readlinkSync(file);
      state[`${name}/${entry}`] = [mode.toString(8), uid, nlink, mtimeMs, size, content].join(' ');
      if (isFolder) walk(file, `${name}/${entry}`);
    }
  };
  walk(outside, 'outside');
  walk(site, 'checkout');
  for (const name of readdirSync(root)) state[name] = 'exists';
  return state;
}

/** Runs half of the cases as another user, from a copy, because other users may be unable to read the checkout. */
function asAnotherUser() {
  const checkout = path.join(import.meta.dirname, '../..');
  const copy = scratch('package');
  chmodSync(copy, 0o755);
  /** @type {{ packages: Record<string, { dev?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(path.join(checkout, 'package-lock.json'), 'utf8'));
  const needed = Object.keys(packages).filter((name) => name !== '' && packages[name]?.dev !== true);
  const read = ['hosts', 'compiler/openapi', 'core/document'].map((folder) => `src/${folder}`);
  for (const name of ['package.json', 'lib', ...read, 'test/long', 'test/theme-yaml.js', ...needed])
    if (existsSync(path.join(checkout, name)))
      cpSync(path.join(checkout, name), path.join(copy, name), { recursive: true });
  const user = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  const script = path.join(copy, 'test/long/planted.js');
  const args = [process.execPath, script, '--cases', String(Math.ceil(cases / 2)), '--seed', `${seed + 1}`];
  const { status, stdout, stderr, error } = spawnSync('setpriv', [...user, ...args], { encoding: 'utf8', cwd: copy });
  rmSync(copy, { recursive: true });
  if (status !== 0) problems.push(`as another user: ${error?.message ?? ''} ${stderr} ${stdout}`);
}

/** @template T @param {readonly T[]} items @returns {T} */
function pick(items) {
  return /** @type {T} */ (items[Math.floor(next() * items.length)]);
}
