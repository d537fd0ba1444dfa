// Computes medians, and ratios of values measured in the same rounds.

/** @typedef {import('./measure.js').Cost} Cost */

/**
 * The measurements of one contestant on one set.
 * @typedef {{ set: string, name: string, runs: Cost[], opens?: number }} Measurement
 */

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/**
 * @param {readonly Measurement[]} measurements
 * @param {string} set
 * @param {string} name
 */
export function find(measurements, set, name) {
  return measurements.find((measurement) => measurement.set === set && measurement.name === name);
}

/**
 * @param {Measurement | undefined} measurement
 * @param {keyof Cost} metric
 * @returns {number | undefined} the median
 */
export function costOf(measurement, metric) {
  return measurement && median(measurement.runs.map((run) => run[metric]));
}

/**
 * Returns the median ratio of two contestants, per round if both have as many rounds, so that the load of the machine cancels out.
 * @param {Measurement | undefined} numerator
 * @param {Measurement | undefined} denominator
 * @param {keyof Cost} metric
 * @returns {number | undefined}
 */
export function ratioOf(numerator, denominator, metric) {
  if (numerator === undefined || denominator === undefined) return undefined;
  if (numerator.runs.length !== denominator.runs.length)
    return (costOf(numerator, metric) ?? 0) / (costOf(denominator, metric) ?? Number.NaN);
  return median(numerator.runs.map((run, round) => run[metric] / (denominator.runs[round]?.[metric] ?? Number.NaN)));
}
