// The performance goals that a run is checked against.
import { costOf, find, ratioOf } from './statistics.js';

/** @typedef {import('./statistics.js').Measurement} Measurement */

/**
 * The results of a run.
 * @typedef {object} Results
 * @property {string} machine
 * @property {boolean} failed - whether a measurement failed
 * @property {readonly Measurement[]} measurements
 * @property {readonly import('./requests.js').RequestRate[]} requests
 * @property {readonly import('./dev.js').EditTime[]} edits
 * @property {readonly import('./million.js').MillionRow[]} million
 * @property {readonly string[]} missing - the measurements that were impossible, and why
 */

/**
 * @typedef {object} Goal
 * @property {string} name
 * @property {number} limit
 * @property {string} unit
 * @property {(results: Results) => number | undefined} value
 */

export const COLD = 'themecast, nothing cached';
const WARM = 'themecast, nothing changed';
const FLOOR = 'C program + cp + sha256sum';
const SHARP = 'bare sharp script + cp + sha256sum';
const WARM_PEERS = ['eleventy-img, nothing changed', 'Hugo, nothing changed'];

/**
 * @param {string} set
 * @param {string} name
 * @param {'cpu' | 'wall' | 'mebibytes'} by
 * @returns {Goal['value']}
 */
const cost =
  (set, name, by) =>
  ({ measurements }) =>
    costOf(find(measurements, set, name), by);

/**
 * @param {string} set
 * @param {string} numerator
 * @param {string} denominator
 * @returns {Goal['value']}
 */
const ratio =
  (set, numerator, denominator) =>
  ({ measurements }) =>
    ratioOf(find(measurements, set, numerator), find(measurements, set, denominator), 'cpu');

const INCREMENTAL = 'themecast, one YAML changed';

/**
 * @param {string} name
 * @param {number} limit
 * @param {Goal['value']} value
 * @returns {Goal}
 */
const times = (name, limit, value) => ({ name, limit, unit: '×', value });

/** @type {readonly Goal[]} */
export const GOALS = [
  times('48 themes with photographs, nothing cached: CPU against the C program', 1.25, ratio('photos-48', COLD, FLOOR)),
  times('the same against the bare sharp script', 1.1, ratio('photos-48', COLD, SHARP)),
  times('the same, nothing changed: CPU against the best peer', 0.5, againstBestPeer),
  times('the same, one YAML changed: CPU against nothing changed', 3, ratio('photos-48', INCREMENTAL, WARM)),
  times(
    '1,000 small themes, nothing cached: CPU against the bare sharp script',
    1.25,
    ratio('small-1000', COLD, SHARP),
  ),
  times('the same, one YAML changed: CPU against nothing changed', 2, ratio('small-1000', INCREMENTAL, WARM)),
  times(
    'the same, fresh checkout without output: CPU against the bare sharp script',
    0.12,
    ratio('small-1000', 'themecast, fresh checkout without output', SHARP),
  ),
  times('the same, from saving to the page of the development server: against nothing changed', 0.7, savedToPage),
  times(
    '10,000 small themes, nothing cached: CPU against the bare sharp script',
    1.25,
    ratio('small-10000', COLD, SHARP),
  ),
  times('the same, one YAML changed: CPU against nothing changed', 1.5, ratio('small-10000', INCREMENTAL, WARM)),
  {
    name: 'the same, nothing cached: peak memory',
    limit: 450,
    unit: 'MiB',
    value: cost('small-10000', COLD, 'mebibytes'),
  },
  times('the same, CPU per theme against 1,000 themes', 1.3, perTheme),
];

/** @type {Goal['value']} */
function againstBestPeer(results) {
  const ratios = WARM_PEERS.flatMap((peer) => ratio('photos-48', WARM, peer)(results) ?? []);
  return ratios.length === 0 ? undefined : Math.max(...ratios);
}

/** @type {Goal['value']} */
function savedToPage(results) {
  const median = results.edits.find(({ themes }) => themes === 1000)?.median;
  const unchanged = cost('small-1000', WARM, 'wall')(results);
  return median === undefined || unchanged === undefined ? undefined : median / 1000 / unchanged;
}

/** @type {Goal['value']} */
function perTheme(results) {
  const [largeSet, smallSet] = ['small-10000', 'small-1000'].map((set) => cost(set, COLD, 'cpu')(results));
  return largeSet === undefined || smallSet === undefined ? undefined : largeSet / 10 / smallSet;
}
