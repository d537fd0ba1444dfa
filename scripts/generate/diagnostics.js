import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { catalogue } from '../../lib/diagnostics/catalogue.js';
import { fenced, table } from './markdown.js';

const FIXTURES = new URL('../../test/fixtures/invalid/', import.meta.url);

/** @typedef {[code: string, entry: { severity: string, about: string, fix?: string }]} Entry */
/** @typedef {{ folder: string, printed: string }} Example - a fixture, and a diagnostic that is printed for it */

/** Characters of a line that a page shows without scrolling. */
const MAX_LINE = 120;

/** The diagnostics by area: what each code means and how `themecast fix` fixes it, and what is printed for one of them. */
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
  const rows = entries.map(([code, { severity, about, fix }]) => [
    `<a id="${anchorOf(code)}"></a>\`${code}\``,
    severity,
    fix === undefined ? about : `${about}. \`fix\` ${fix}`,
  ]);
  const example = entries.map(([code]) => diagnosticExample(code)).find(Boolean);
  return [`## ${area}`, table(['code', 'severity', 'meaning'], rows), example].filter(Boolean).join('\n\n');
}

/**
 * What is printed for a code, after the input that it is printed for; nothing for a code that no fixture shows.
 *
 * @param {string} code
 */
export function diagnosticExample(code) {
  const example = exampleOf(code);
  if (example === undefined) return '';
  return [...inputOf(example), fenced('text', example.printed)].join('\n\n');
}

/**
 * The first diagnostic of a code that is printed for its fixtures.
 *
 * @param {string} code
 * @returns {Example | undefined}
 */
function exampleOf(code) {
  const name = code.replace('/', '.');
  const fixtures = readdirSync(FIXTURES).filter((folder) => folder.replace(/-\d+$/, '') === name);
  return fixtures
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .filter((folder) => existsSync(new URL(`${folder}/want.txt`, FIXTURES)))
    .flatMap((folder) =>
      readFileSync(new URL(`${folder}/want.txt`, FIXTURES), 'utf8')
        .split(/\n\n(?=\S)/)
        .map((printed) => ({ folder, printed: printed.trimEnd() })),
    )
    .find(({ printed }) => printed.split('\n')[0]?.endsWith(`[${code}]`));
}

/** Lines shown on both sides of the one that a diagnostic points at. */
const CONTEXT = 3;

/**
 * The lines of the fixture that a diagnostic points at, where it does not print them itself.
 *
 * @param {Example} example
 */
function inputOf({ folder, printed }) {
  const [, path = '', line] = /^themes\/(\S+?\.(?:csv|txt|ndjson|yaml)):(\d+)/.exec(printed) ?? [];
  const file = new URL(`${folder}/${path}`, FIXTURES);
  if (line === undefined || printed.includes(' │ ') || !existsSync(file)) return [];
  const first = Math.max(0, Number(line) - 1 - CONTEXT);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(first, Number(line) + CONTEXT);
  const excerpt = lines.join('\n').trimEnd();
  if (!/^[\x20-\x7e\n]+$/.test(excerpt) || lines.some(({ length }) => length > MAX_LINE)) return [];
  return [`In \`themes/${path}\`${first === 0 ? '' : `, from line ${first + 1}`}:`, fenced('text', excerpt)];
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
