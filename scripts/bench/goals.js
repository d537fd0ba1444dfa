// The goals for the figures.
import { costOf, find, ratioOf } from './statistics.js';

/** @typedef {import('./statistics.js').Measurement} Measurement */

/**
 * Everything that a run measured.
 * @typedef {object} Results
 * @property {string} machine
 * @property {boolean} failed - whether a measurement failed
 * @property {readonly Measurement[]} measurements
 * @property {readonly import('./requests.js').RequestRate[]} requests
 * @property {readonly import('./dev.js').EditTime[]} edits
 * @property {readonly import('./million.js').MillionRow[]} million
 * @property {readonly string[]} missing - what could not be measured, and why
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
const VIPS = 'vipsthumbnail + cp + sha256sum';
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
 * @param {string} one
 * @param {string} other
 * @returns {Goal['value']}
 */
const ratio =
  (set, one, other) =>
  ({ measurements }) =>
    ratioOf(find(measurements, set, one), find(measurements, set, other), 'cpu');

/** @type {readonly Goal[]} */
export const GOALS = [
  {
    name: '48 themes with photographs, nothing cached: CPU against the C program',
    limit: 1.25,
    unit: '×',
    value: ratio('photos-48', COLD, FLOOR),
  },
  { name: 'the same against the bare sharp script', limit: 1.1, unit: '×', value: ratio('photos-48', COLD, SHARP) },
  {
    name: '12 themes with photographs, nothing cached: CPU against vipsthumbnail',
    limit: 0.9,
    unit: '×',
    value: ratio('photos-12', COLD, VIPS),
  },
  {
    name: '1,000 small themes, nothing cached: CPU against the bare sharp script',
    limit: 1.25,
    unit: '×',
    value: ratio('small-1000', COLD, SHARP),
  },
  {
    name: 'the same against vipsthumbnail',
    limit: 1.8,
    unit: '×',
    value: ratio('small-1000', COLD, VIPS),
  },
  {
    name: '48 themes with photographs, nothing changed: CPU against the best peer',
    limit: 0.5,
    unit: '×',
    value: againstBestPeer,
  },
  {
    name: '1,000 small themes, from saving to the page of the development server',
    limit: 0.3,
    unit: 's',
    value: savedToPage,
  },
  {
    name: '10,000 small themes, nothing cached: CPU against the bare sharp script',
    limit: 1.25,
    unit: '×',
    value: ratio('small-10000', COLD, SHARP),
  },
  { name: 'the same, peak memory', limit: 450, unit: 'MiB', value: cost('small-10000', COLD, 'mebibytes') },
  { name: 'the same, CPU per theme against 1,000 themes', limit: 1.3, unit: '×', value: perTheme },
];

/** @type {Goal['value']} */
function againstBestPeer(results) {
  const ratios = WARM_PEERS.flatMap((peer) => ratio('photos-48', WARM, peer)(results) ?? []);
  return ratios.length === 0 ? undefined : Math.max(...ratios);
}

/** @type {Goal['value']} */
function savedToPage({ edits }) {
  const time = edits.find(({ themes }) => themes === 1000)?.median;
  return time === undefined ? undefined : time / 1000;
}

/** @type {Goal['value']} */
function perTheme(results) {
  const [many, few] = ['small-10000', 'small-1000'].map((set) => cost(set, COLD, 'cpu')(results));
  return many === undefined || few === undefined ? undefined : many / 10 / few;
}
