// Compares ratios of a quick run with the ratios of an earlier run: they are comparable across machines, up to a tolerance.
import { find, ratioOf } from './statistics.js';

/** @typedef {import('./statistics.js').Measurement} Measurement */

/** Maximum growth of a ratio. */
export const TOLERANCE = 0.1;

const COLD = 'themecast, nothing cached';
const CHANGES = [
  'themecast, nothing changed',
  'themecast, one YAML changed',
  'themecast, one image changed',
  'themecast, fresh checkout',
  'themecast, fresh checkout without output',
];
const PAIRS = [
  ...['photos-12', 'small-1000'].flatMap((set) => [
    ...['C program + cp + sha256sum', 'vipsthumbnail + cp + sha256sum'].map((peer) => ({
      set,
      one: COLD,
      other: peer,
    })),
    // The walk is no reference here: for twelve themes it takes only milliseconds.
    ...CHANGES.map((numerator) => ({ set, one: numerator, other: COLD })),
  ]),
  { set: 'small-1000', one: 'themecast, nothing changed', other: 'find -printf (all sources and output)' },
  { set: 'commands', one: 'themecast --help', other: 'node -e 0' },
];

/**
 * Returns ratios of CPU time by name.
 * @param {readonly Measurement[]} measurements
 * @returns {Record<string, number>}
 */
export function ratiosOf(measurements) {
  const entries = PAIRS.flatMap(({ set, one: numerator, other: denominator }) => {
    const ratio = ratioOf(find(measurements, set, numerator), find(measurements, set, denominator), 'cpu');
    return ratio === undefined ? [] : [[`${set}: ${numerator} / ${denominator}`, Number(ratio.toPrecision(3))]];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the ratios that differ by more than the tolerance.
 * @param {Readonly<Record<string, number>>} baseline
 * @param {Readonly<Record<string, number>>} ratios
 */
export function compareRatios(baseline, ratios) {
  const common = Object.entries(ratios).flatMap(([name, current]) => {
    const reference = baseline[name];
    return reference === undefined ? [] : [{ name, before: reference, now: current }];
  });
  return {
    worse: common.filter(({ before, now }) => now > before * (1 + TOLERANCE)),
    better: common.filter(({ before, now }) => now * (1 + TOLERANCE) < before),
    unchanged: common.filter(({ before, now }) => now <= before * (1 + TOLERANCE) && now * (1 + TOLERANCE) >= before),
    missing: Object.keys(baseline).filter((name) => ratios[name] === undefined),
    unknown: Object.keys(ratios).filter((name) => baseline[name] === undefined),
  };
}

/**
 * @param {ReturnType<typeof compareRatios>} comparison
 * @returns {string} lines
 */
export function comparisonText({ worse, better, unchanged, missing, unknown }) {
  const line = (/** @type {string} */ word) => (/** @type {{ name: string, before: number, now: number }} */ ratio) =>
    `${word}  ${ratio.name}: ${ratio.before} → ${ratio.now}`;
  return [
    ...worse.map(line('worse')),
    ...better.map(line('better')),
    ...missing.map((name) => `not measured  ${name}`),
    ...unknown.map((name) => `not in the baseline  ${name}`),
    `${worse.length} of ${worse.length + better.length + unchanged.length} ratios are worse than the baseline by more than ${TOLERANCE * 100} %, ${better.length} better.`,
    ...(better.length + unknown.length > 0 ? ['Run with --accept to make these ratios the baseline.'] : []),
    '',
  ].join('\n');
}
