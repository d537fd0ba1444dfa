// Measures contestants in interleaved rounds, so that the load of the machine affects all of them.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { countOpens, isOnPath, measure } from './measure.js';

/** @typedef {import('./statistics.js').Measurement} Measurement */

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {import('./measure.js').Program} program
 * @property {boolean} [opens] - whether to count the files that it opens; true by default
 * @property {() => void | Promise<void>} [before] - unmeasured preparation of its files
 */

/**
 * @param {string} set
 * @param {readonly Contestant[]} contestants
 * @param {{ rounds: number, opens: boolean }} options - `opens` counts opened files in an additional round
 * @returns {Promise<Measurement[]>}
 */
export async function measureRounds(set, contestants, { rounds, opens }) {
  /** @type {Measurement[]} */
  const measurements = contestants.map(({ name }) => ({ set, name, runs: [] }));
  for (let round = 1; round <= rounds + (opens && isOnPath('strace') ? 1 : 0); round++) {
    for (const [index, { name, program, before, opens: countsOpens = true }] of contestants.entries()) {
      const measurement = measurements[index];
      if (measurement === undefined || (round > rounds && !countsOpens)) continue;
      await before?.();
      spawnSync('sync'); // Otherwise the kernel would write back earlier files during the measurement.
      if (round > rounds) measurement.opens = await countOpens(program);
      else measurement.runs.push(await measure(program));
      printProgress(set, name, measurement, round > rounds);
    }
  }
  return measurements;
}

/**
 * @param {string} set
 * @param {string} name
 * @param {Measurement} measurement
 * @param {boolean} opened
 */
function printProgress(set, name, { runs, opens }, opened) {
  const last = runs.at(-1);
  const result = opened
    ? `${opens} files opened`
    : `${last?.wall.toFixed(3)} s, CPU ${last?.cpu.toFixed(3)} s, ${last?.mebibytes.toFixed(0)} MiB`;
  process.stderr.write(`${set}  ${name}  ${result}\n`);
}
