// The tables of a run.
import { table } from '../generate/markdown.js';
import { COLD, GOALS } from './goals.js';
import { costOf, find } from './statistics.js';

/** @typedef {import('./goals.js').Results} Results */

const UNMEASURED = 'Not measured.';

/** What the sets are, in the order of the tables. */
const TITLES = {
  'photos-12': '12 themes with photographs',
  'photos-48': '48 themes with photographs',
  'small-100': '100 themes with small images',
  'small-1000': '1,000 themes with small images',
  'small-10000': '10,000 themes with small images',
  commands: 'Start-up',
  users: 'Users, keyed',
};

/**
 * The parts of `docs/benchmarks.md`, by the name in their marks.
 * @param {Results} results
 */
function parts(results) {
  return {
    machine: results.machine,
    goals: goalTable(results),
    builds: buildTables(results, ['photos-12', 'photos-48', 'small-100', 'small-1000', 'small-10000', 'commands']),
    memory: memoryPlot(results),
    users: buildTables(results, ['users']),
    million: millionTable(results),
    edits: editTable(results),
    requests: requestTable(results),
    missing: results.missing.length === 0 ? 'Nothing.' : results.missing.map((text) => `- ${text}`).join('\n'),
  };
}

/**
 * A page with the measured parts between their marks.
 * @param {string} page
 * @param {Results} results
 */
export function withMeasured(page, results) {
  /** @type {Readonly<Record<string, string>>} */
  const texts = parts(results);
  return page.replaceAll(/(<!-- measured: (\w+) -->)[^]*?(<!-- \/measured -->)/g, (_, start, name, end) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`Nothing measures \`${name}\`.`);
    return `${start}\n\n${text}\n\n${end}`;
  });
}

/** @param {Results} results */
export function report(results) {
  const texts = Object.values(parts(results)).filter((text) => text !== UNMEASURED);
  return `\n${texts.join('\n\n')}\n`;
}

/** @param {Results} results */
function goalTable(results) {
  const rows = GOALS.map(({ name, limit, unit, value }) => {
    const measured = value(results);
    const verdict = measured === undefined ? 'not measured' : measured <= limit ? 'met' : '**not met**';
    return [name, `≤ ${limit} ${unit}`, measured === undefined ? '' : `${figure(measured)} ${unit}`, verdict];
  });
  return table(['goal', 'limit', 'measured', 'met?'], rows);
}

/**
 * @param {Results} results
 * @param {readonly (keyof typeof TITLES)[]} sets
 */
function buildTables({ measurements }, sets) {
  const tables = sets.flatMap((set) => {
    const rows = measurements
      .filter((measurement) => measurement.set === set)
      .map((measurement) => [
        measurement.name,
        .../** @type {const} */ (['wall', 'cpu', 'mebibytes']).map((by) => figure(costOf(measurement, by) ?? 0)),
        measurement.opens?.toLocaleString('en') ?? '',
        String(measurement.runs.length),
      ]);
    return rows.length === 0
      ? []
      : [table([TITLES[set], 'wall s', 'CPU s', 'peak MiB', 'files opened', 'rounds'], rows)];
  });
  return tables.length === 0 ? UNMEASURED : tables.join('\n\n');
}

/**
 * The peak memory of a first build by the number of themes, as bars.
 * @param {Results} results
 */
function memoryPlot({ measurements }) {
  const peaks = /** @type {const} */ (['small-100', 'small-1000', 'small-10000']).flatMap((set) => {
    const peak = costOf(find(measurements, set, COLD), 'mebibytes');
    return peak === undefined ? [] : [{ set, peak }];
  });
  if (peaks.length === 0) return UNMEASURED;
  const most = Math.max(...peaks.map(({ peak }) => peak));
  const rows = peaks.map(({ set, peak }) => [TITLES[set], '█'.repeat(Math.round((40 * peak) / most)), figure(peak)]);
  return table(['nothing cached', 'peak memory', 'MiB'], rows);
}

/** @param {Results} results */
function editTable({ edits }) {
  if (edits.length === 0) return UNMEASURED;
  const rows = edits.map(({ themes, median, slowest }) => [
    themes.toLocaleString('en'),
    median.toFixed(0),
    slowest.toFixed(0),
  ]);
  return table(['themes', 'median ms', 'slowest ms'], rows);
}

/** @param {Results} results */
function millionTable({ million }) {
  return million.length === 0
    ? UNMEASURED
    : table(
        ['a million users', ''],
        million.map(({ name, value }) => [name, value]),
      );
}

/** @param {Results} results */
function requestTable({ requests }) {
  if (requests.length === 0) return UNMEASURED;
  const rows = requests.map(({ server, request, perSecond, p50, p99 }) => [
    server,
    request,
    Math.round(perSecond).toLocaleString('en'),
    figure(p50),
    figure(p99),
  ]);
  return table(['server', 'request', 'requests/s', 'p50 ms', 'p99 ms'], rows);
}

/**
 * A number with three digits that count.
 * @param {number} value
 */
export function figure(value) {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3)));
}
