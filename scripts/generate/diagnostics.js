import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { catalogue } from '../../lib/diagnostics/catalogue.js';
import { fenced, table } from './markdown.js';

const FIXTURES = new URL('../../test/fixtures/invalid/', import.meta.url);

/** @typedef {[code: string, entry: { severity: string, about: string }]} Entry */

/** The diagnostics by area: a table of each, and what is printed for a fixture of each code. */
export function diagnosticSections() {
  /** @type {Entry[]} */
  const entries = Object.entries(catalogue);
  const areas = [...new Set(entries.map(([code]) => areaOf(code)))];
  return areas
    .map((area) =>
      section(
        area,
        entries.filter(([code]) => areaOf(code) === area),
      ),
    )
    .join('\n\n');
}

/**
 * @param {string} area
 * @param {readonly Entry[]} entries
 */
function section(area, entries) {
  const rows = entries.map(([code, { severity, about }]) => [`[\`${code}\`](#${anchorOf(code)})`, severity, about]);
  const overview = table(['code', 'severity', 'meaning'], rows);
  return [`## ${area}`, overview, ...entries.map(diagnostic)].join('\n\n');
}

/** @param {Entry} entry */
function diagnostic([code, { severity, about }]) {
  const meaning = `${severity === 'error' ? 'Error' : 'Warning'}: ${about}.`;
  return [`### ${code}`, meaning, diagnosticExample(code)].filter(Boolean).join('\n\n');
}

/**
 * What is printed for a code; nothing for a code that no fixture shows.
 *
 * @param {string} code
 */
export function diagnosticExample(code) {
  const example = exampleOf(code);
  return example === undefined ? '' : fenced('text', example);
}

/**
 * The first diagnostic of a code that is printed for its fixtures.
 *
 * @param {string} code
 */
function exampleOf(code) {
  const name = code.replace('/', '.');
  const fixtures = readdirSync(FIXTURES).filter((folder) => folder.replace(/-\d+$/, '') === name);
  const printed = fixtures
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .map((folder) => new URL(`${folder}/want.txt`, FIXTURES))
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').split(/\n\n(?=\S)/));
  return printed.find((block) => block.split('\n')[0]?.endsWith(`[${code}]`))?.trimEnd();
}

/** @param {string} folder */
function numberOf(folder) {
  return Number(/-(\d+)$/.exec(folder)?.[1] ?? 1);
}

/** @param {string} code */
function areaOf(code) {
  return code.split('/')[0] ?? '';
}

/** The anchor of a heading, as Git hosts make it. @param {string} heading */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}
