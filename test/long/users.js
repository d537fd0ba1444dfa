// `node test/long/users.js [--small MB] [--large MB]`: files of users that are hostile or very large, checked by the compiled
// bin. Memory must not grow with them: four times the input may take twice the peak memory, and never more than 450 MB.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';

const { values } = parseArgs({
  options: { small: { type: 'string', default: '20' }, large: { type: 'string', default: '80' } },
});
const cli = path.resolve(import.meta.dirname, '../../lib/cli.js');
/** Maximum growth of the peak memory, and maximum peak in bytes. */
const MAX_GROWTH = 2;
const MAX_PEAK_BYTES = 450e6;

/** @type {Record<string, { head?: string, row: (row: number) => string, code: number, output: RegExp }>} */
const kinds = {
  users: { row: (row) => `u-${row},meadow\n`, code: 0, output: /users with an assigned theme/ },
  'one key': { row: () => 'ann,meadow\n', code: 1, output: /more diagnostics/ },
  'one key in upper case': { row: () => 'ANN,meadow\n', code: 1, output: /more diagnostics/ },
  'unknown themes': { row: (row) => `u-${row},theme-${row}\n`, code: 1, output: /more diagnostics/ },
  'long unknown themes': {
    row: (row) => `u-${row},${`t${row}`.padEnd(9000, 'x')}\n`,
    code: 1,
    output: /more diagnostics/,
  },
  'wrong keys': { row: (row) => `u ${row},meadow\n`, code: 1, output: /more diagnostics/ },
  'no line end': { row: () => 'x'.repeat(1000), code: 1, output: /mapping\/columns/ },
  'blank lines': { head: 'user,theme', row: () => '\n', code: 0, output: /0 users/ },
  objects: {
    head: '',
    row: (row) => `{"user":"u-${row}","theme":"meadow"}\n`,
    code: 0,
    output: /users with an assigned theme/,
  },
  'wrong objects': { head: '', row: (row) => `{"user":{"id":${row}}}\n`, code: 1, output: /more diagnostics/ },
};

/** Prints the peak memory of a process at its end, in KB. */
const PEAK = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))`;

const folder = mkdtempSync(path.join(tmpdir(), 'themecast-stress-'));
cpSync(path.resolve(import.meta.dirname, '../fixtures/base'), path.join(folder, 'themes'), { recursive: true });
writeFileSync(
  path.join(folder, 'themes/site.yaml'),
  'base_url: https://example.org\nedge: [cloudflare]\nmapping: {keyed: true}\n',
);

/**
 * Peak memory of checking so many bytes of a kind.
 * @param {string} name
 * @param {number} bytes
 */
async function peakOf(name, bytes) {
  const { head = 'user,theme\n', row, code, output } = kinds[name] ?? { row: () => '', code: 0, output: /^$/ };
  function* text() {
    let part = head;
    for (let written = 0, index = 0; written < bytes; index++) {
      const next = row(index);
      written += next.length;
      part += next;
      if (part.length < 64 * 1024) continue;
      yield part;
      part = '';
    }
    yield part;
  }
  const args = ['--import', PEAK, cli, 'check', '--users', '-'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ some) => (stdout += some));
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ some) => (stderr += some));
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once('close', resolve));
  await pipeline(Readable.from(text()), createGzip({ level: 1 }), child.stdin);
  const exitCode = await ended;
  const peak = /peak (\d+)$/.exec(stderr)?.[1];
  if (exitCode !== code || !output.test(stdout) || peak === undefined)
    throw new Error(`${name}: exit code ${exitCode}\n${stdout.slice(0, 500)}\n${stderr.slice(0, 500)}`);
  return Number(peak) * 1024;
}

let worst = { name: '', growth: 0 };
let highest = 0;
try {
  for (const name of Object.keys(kinds)) {
    const small = await peakOf(name, Number(values.small) * 1e6);
    const large = await peakOf(name, Number(values.large) * 1e6);
    const growth = large / small;
    if (growth > worst.growth) worst = { name, growth };
    highest = Math.max(highest, large);
    process.stderr.write(`${name}: ${(small / 1e6).toFixed(0)} MB, then ${(large / 1e6).toFixed(0)} MB\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
const isFine = worst.growth <= MAX_GROWTH && highest <= MAX_PEAK_BYTES;
process.stdout.write(
  `stress users: ${Object.keys(kinds).length} kinds of ${values.small} and ${values.large} MB; peak at most ${(highest / 1e6).toFixed(0)} MB, four times the input takes at most ${worst.growth.toFixed(1)} times the memory (${worst.name})\n`,
);
process.exitCode = isFine ? 0 : 1;
