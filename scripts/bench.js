// Measures the cost of builds, compared with peers in interleaved rounds of one run: `npm run bench`. See docs/benchmarks.md and
// `--help`.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { compareRatios, comparisonText, ratiosOf } from './bench/baseline.js';
import { HELP, parseOptions } from './bench/options.js';
import { report, replaceMeasured } from './bench/report.js';
import { measureAll, mergeResults } from './bench/run.js';

/** @typedef {import('./bench/goals.js').Results} Results */

const BASELINE = new URL('bench/baseline.json', import.meta.url);
const PAGE = new URL('../docs/benchmarks.md', import.meta.url);

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(HELP);
  else await run(options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}

/** @param {import('./bench/options.js').Options} options */
async function run(options) {
  const results = options.from.length > 0 ? mergeResults(options.from.map(readResults)) : await measureOrRead(options);
  process.stdout.write(report(results));
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, undefined, 2)}\n`);
  if (options.docs) writeFileSync(PAGE, replaceMeasured(readFileSync(PAGE, 'utf8'), results));
  if (results.failed) process.exitCode = 2;
  if (options.quick) compareWithBaseline(ratiosOf(results.measurements), options.accept);
}

/** @param {import('./bench/options.js').Options} options */
async function measureOrRead(options) {
  const parent = path.resolve(options.work ?? tmpdir());
  mkdirSync(parent, { recursive: true });
  const work = mkdtempSync(path.join(parent, 'themecast-bench-'));
  chmodSync(work, 0o755); // nginx drops root privileges before it reads files.
  const remove = () => rmSync(work, { recursive: true, force: true });
  process.once('SIGINT', () => {
    remove();
    process.exit(130);
  });
  try {
    return await measureAll(work, options);
  } finally {
    remove();
  }
}

/**
 * @param {string} file
 * @returns {Results}
 */
function readResults(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * @param {Readonly<Record<string, number>>} ratios
 * @param {boolean} accept
 */
function compareWithBaseline(ratios, accept) {
  if (accept) {
    writeFileSync(BASELINE, `${JSON.stringify(ratios, undefined, 2)}\n`);
    return;
  }
  const comparison = compareRatios(JSON.parse(readFileSync(BASELINE, 'utf8')), ratios);
  process.stdout.write(`\n${comparisonText(comparison)}`);
  if (comparison.worse.length > 0) process.exitCode = 1;
}
