// The cost of keyed shards on hosts that run code: a look-up in cached shards of ten million users, the code size of a Vercel
// middleware with as many users as it declares, and the time that Deno and Node take to load a Netlify function with its own.
// Run by hand: `npm run compile && node test/long/keyed-hosts.js`
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { embeddedMapping } from '../../lib/hosts/handler-modules.js';
import { netlify } from '../../lib/hosts/netlify/index.js';
import { ShardedThemes } from '../../lib/edge-runtime/shards.js';
import { vercel } from '../../lib/hosts/vercel/index.js';
import { readRuntime } from '../../lib/compiler/runtime.js';
import { readUsers } from '../../lib/users/io/read-users.js';
import { pointerValue } from '../../lib/users/shards.js';

const SECRET = 'stress-secret-0123456789-abcdefghijkl';
const THEMES = Array.from({ length: 12 }, (_, at) => `theme-${at + 1}`);
const IDS = THEMES.map((_, at) => at + 1);
const LOOK_UPS = 20_000;

/**
 * @param {number} count
 * @param {number} shards
 */
async function shardsOf(count, shards) {
  const bytes = async function* () {
    for (let at = 0; at < count; at += 10_000) {
      const rows = Array.from(
        { length: Math.min(10_000, count - at) },
        (_, row) => `u-${at + row},${themeOf(at + row)}\n`,
      );
      yield Buffer.from((at === 0 ? 'user,theme\n' : '') + rows.join(''));
    }
  };
  const users = await readUsers(
    [{ file: 'users.csv', open: async () => bytes() }],
    {
      themes: THEMES,
      ids: { user: IDS, group: IDS },
      foldsCase: false,
      retainsPairs: false,
      shards: { bits: Math.log2(shards), themeBytes: 1, secret: Buffer.from(SECRET) },
    },
    (code) => {
      throw new Error(code);
    },
  );
  const found = users.mapping.shards;
  if (found === undefined) throw new Error('There are no shards.');
  return { shards: found, close: () => users.close() };
}

/** @param {number} user */
function themeOf(user) {
  return THEMES[(user * 7) % THEMES.length] ?? '';
}

/** Microseconds of a look-up; 512 shards of 1.25 million users are as large as 4,096 of ten million. */
async function lookUp() {
  const { shards, close } = await shardsOf(1_250_000, 512);
  const values = new Map([...shards.values(), pointerValue(shards)].map(({ name, text }) => [name, text()]));
  close();
  const themes = new ShardedThemes(
    { themes: THEMES, themeIds: IDS },
    { read: async (name) => values.get(name), secrets: async () => [SECRET] },
  );
  let wrong = 0;
  for (let at = 0; at < LOOK_UPS; at++)
    if ((await themes.themeOf('user', `u-${at * 61}`)) !== themeOf(at * 61)) wrong++;
  let best = Infinity;
  for (let run = 0; run < 5; run++) {
    const start = performance.now();
    for (let at = 0; at < LOOK_UPS; at++) await themes.themeOf('user', `u-${at * 61}`);
    best = Math.min(best, ((performance.now() - start) * 1000) / LOOK_UPS);
  }
  for (let at = 0; at < 1000; at++) if ((await themes.themeOf('user', `stranger-${at}`)) !== undefined) wrong++;
  return { best, wrong };
}

/** Bytes of the code of a middleware, compressed: the module of shards, and the handler. */
async function vercelBytes() {
  const { shards, close } = await shardsOf(vercel.capabilities.keyed?.maxKeys ?? 0, 4096);
  const { content } = embeddedMapping('', { counts: { user: 0, group: 0 }, shards, pairs: () => [] });
  close();
  const text = 'text' in content ? content.text : '';
  return gzipSync(text + Object.values(await readRuntime()).join('')).length;
}

/** Bytes of the module of a Netlify function, compressed, and the milliseconds that engines take to read it. */
async function netlifyModule() {
  const { shards, close } = await shardsOf(netlify.capabilities.keyed?.maxKeys ?? 0, 4096);
  const { content } = embeddedMapping('', { counts: { user: 0, group: 0 }, shards, pairs: () => [] });
  close();
  const text = 'text' in content ? content.text : '';
  const folder = mkdtempSync(path.join(tmpdir(), 'themecast-stress-'));
  try {
    writeFileSync(path.join(folder, 'shards-data.js'), text);
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(
      path.join(folder, 'time.js'),
      `const start = performance.now();\nconst { values } = await import('./shards-data.js');\nif (values.size < 4096) throw new Error();\nconsole.log(performance.now() - start);\n`,
    );
    const time = (/** @type {string} */ command, /** @type {string[]} */ args) =>
      Math.min(
        ...[1, 2, 3].map(() =>
          Number(execFileSync(command, [...args, path.join(folder, 'time.js')], { encoding: 'utf8' })),
        ),
      );
    const deno = path.resolve(import.meta.dirname, '../node_modules/.bin/deno');
    return {
      bytes: gzipSync(text).length,
      deno: time(deno, ['run', '--quiet', '--no-config', '--no-lock', `--allow-read=${folder}`]),
      node: time(process.execPath, []),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { best, wrong } = await lookUp();
const middleware = await vercelBytes();
const { bytes, deno, node } = await netlifyModule();
const mb = (/** @type {number} */ count) => (count / 1024 / 1024).toFixed(2);
process.stdout.write(
  `stress keyed-hosts: ${best.toFixed(1)} µs a look-up, ${wrong} wrong; Vercel ${mb(middleware)} MB compressed; Netlify ${mb(bytes)} MB compressed, read in ${deno.toFixed()} ms by Deno and ${node.toFixed()} ms by Node\n`,
);
process.exitCode = wrong === 0 && best <= 50 && middleware < 1024 * 1024 && bytes < 20 * 1024 * 1024 ? 0 : 1;
