// Formats the tables of a run.
import { table } from '../generate/markdown.js';
import { GOALS } from './goals.js';
import { costOf } from './statistics.js';

/** @typedef {import('./goals.js').Results} Results */

const UNMEASURED = 'Not measured.';

/** Contestants that are measured, but left out of the tables. */
const UNLISTED = /one image changed|themecast check|find -printf/;

/** Titles of the sets, in the order of the tables. */
const TITLES = {
  'photos-48': '48 themes with photographs',
  'small-1000': '1,000 themes with small images',
  'small-10000': '10,000 themes with small images',
  users: 'Users, keyed',
};

/**
 * Returns the parts of `docs/benchmarks.md`, by the name in their markers.
 * @param {Results} results
 */
function parts(results) {
  return {
    machine: results.machine,
    goals: goalTable(results),
    builds: buildTables(results, ['photos-48', 'small-1000', 'small-10000']),
    users: buildTables(results, ['users']),
    million: millionTable(results),
    edits: editTable(results),
    requests: requestTable(results),
  };
}

/**
 * Replaces the measured parts of a page between their markers.
 * @param {string} page
 * @param {Results} results
 */
export function replaceMeasured(page, results) {
  /** @type {Readonly<Record<string, string>>} */
  const texts = parts(results);
  return page.replaceAll(/(<!-- measured: (\w+) -->)[^]*?(<!-- \/measured -->)/g, (_, start, name, end) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`No measurement fills the part \`${name}\`.`);
    return `${start}\n\n${text}\n\n${end}`;
  });
}

/** @param {Results} results */
export function report(results) {
  const texts = [...Object.values(parts(results)).filter((text) => text !== UNMEASURED), ...results.missing];
  return `\n${texts.join('\n\n')}\n`;
}

/** @param {Results} results */
function goalTable(results) {
  const rows = GOALS.map(({ name, limit, unit, value }) => {
    const measured = value(results);
    const verdict = measured === undefined ? 'not measured' : measured <= limit ? 'met' : '**not met**';
    return [name, `≤ ${limit} ${unit}`, measured === undefined ? '' : `${formatFigure(measured)} ${unit}`, verdict];
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
      .filter(({ set: measuredSet, name }) => measuredSet === set && !UNLISTED.test(name))
      .map((measurement) => [
        measurement.name.replace(' + cp + sha256sum', ''),
        .../** @type {const} */ (['cpu', 'mebibytes']).map((metric) => formatFigure(costOf(measurement, metric) ?? 0)),
      ]);
    return rows.length === 0 ? [] : [table([TITLES[set], 'CPU s', 'peak MiB'], rows)];
  });
  return tables.length === 0 ? UNMEASURED : tables.join('\n\n');
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
    formatFigure(p50),
    formatFigure(p99),
  ]);
  return table(['server', 'request', 'requests/s', 'p50 ms', 'p99 ms'], rows);
}

/**
 * Formats a number with three significant digits.
 * @param {number} value
 */
export function formatFigure(value) {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3)));
}
