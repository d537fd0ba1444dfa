// `node test/long/import-killed.js [--rounds N] [--seed N]`: kills imports at random moments and runs them again. The files must be
// those of a complete import.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { hashesOf, scratch, svg } from './site.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
});
const ROUNDS = Number(values.rounds);
const THEMES = 8;
const CLI = path.join(import.meta.dirname, '../../lib/cli.js');
const SETS = ['logo_site', 'default_group_banner', 'default_event_banner', 'default_user_profile_banner'];
const IMAGES = ['favicon', 'logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse'];

const server = createServer(({ url = '' }, response) => {
  if (/^\/media\/\d+\/\w+\.svg$/.test(url)) {
    response.setHeader('Content-Type', 'image/svg+xml').end(svg(32 + (Buffer.from(url).reduce((a, b) => a + b) % 90)));
  } else {
    const body = url.includes('/config/') ? { id: 1 } : Array.from({ length: THEMES }, (_, at) => record(at + 1));
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  }
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

/** @param {number} id */
function record(id) {
  const url = (/** @type {string} */ field) => `http://127.0.0.1:${port}/media/${id}/${field}.svg`;
  const pixels = { logo_height: 40, logo_margin_left: 0, logo_margin_top: 0, compact_logo_size: 32 };
  const types = ['light_mode', 'dark_mode', 'compact_light_mode', 'compact_dark_mode'];
  return {
    id,
    name: `Theme ${id}`,
    ...Object.fromEntries(IMAGES.map((field) => [field, url(field)])),
    ...Object.fromEntries(SETS.map((field) => [field, { original: url(field), thumbnail: `${url(field)}.png` }])),
    ...Object.fromEntries(types.map((mode) => [`${mode}_logo_type`, 'NORMAL'])),
    logo_alignment: 'left',
    ...pixels,
    is_default: id === 1,
    palette_preview: Array.from({ length: 9 }, (_, at) => `hsl(${id},50%,${10 * at}%)`),
  };
}

const folder = scratch('import-killed');

/** Runs an import, and kills it after some milliseconds. @param {string} cwd @param {number} [killAfter] @returns {Promise<number | null>} */
async function importInto(cwd, killAfter) {
  const child = spawn(process.execPath, [CLI, 'import', `http://127.0.0.1:${port}`, '--rate', '999'], {
    cwd,
    env: { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') },
    stdio: 'ignore',
  });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return code;
}

/** Returns the files of a repository. @param {string} root */
function filesOf(root) {
  return new Map(Object.entries(hashesOf(root)).filter(([name]) => !name.startsWith('.git/')));
}

/** Creates an empty repository. @param {string} root */
function initRepository(root) {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  execFileSync('git', ['init', '--quiet'], { cwd: root });
}

let state = Number(values.seed);
/** Returns a random number (Park and Miller's generator), so that a seed determines when imports are killed. */
const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
let [killed, different] = [0, 0];
try {
  // The import writes the name of its folder into files, so both folders need the same name.
  const [complete, root] = [path.join(folder, 'complete/site'), path.join(folder, 'again/site')];
  initRepository(complete);
  const started = performance.now();
  if ((await importInto(complete)) !== 0) throw new Error('The import fails.');
  const duration = performance.now() - started;
  const expected = filesOf(complete);
  // Imports that end before they are killed do not count.
  for (let round = 1; killed < ROUNDS && round <= 3 * ROUNDS; round++) {
    initRepository(root);
    // Kills every second import in the last third of its time, while files are written.
    const after = duration * (round % 2 === 0 ? random() : 0.65 + 0.4 * random());
    if ((await importInto(root, after)) !== null) continue;
    killed++;
    const code = await importInto(root);
    const actual = filesOf(root);
    const names = [...new Set([...expected.keys(), ...actual.keys()])].filter(
      (name) => expected.get(name) !== actual.get(name),
    );
    if (code === 0 && names.length === 0) continue;
    different++;
    process.stderr.write(
      `Round ${round}, killed after ${Math.round(after)} ms: exit code ${code}, other files: ${names.join(', ')}
`,
    );
  }
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`stress import-killed: ${killed} imports killed and run again, ${different} different\n`);
process.exitCode = different === 0 && killed === ROUNDS ? 0 : 1;
