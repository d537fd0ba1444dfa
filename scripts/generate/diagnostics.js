import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { catalogue } from '../../lib/core/diagnostics/catalogue.js';
import { codeBlock } from './markdown.js';

const FIXTURES = new URL('../../test/fixtures/invalid/', import.meta.url);

/** @typedef {[code: string, entry: { severity: string, about: string }]} Entry */
/** @typedef {{ folder: string, printed: string }} Example - a fixture, and a diagnostic printed for it */

/** The number of characters that fit on a page without scrolling. */
const MAX_LINE_CHARACTERS = 120;

/** Lists the diagnostics by area: the codes, and an example for one of them. */
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

/** The subject of the codes in each area. @type {Readonly<Record<string, string>>} */
const AREA_SUBJECTS = {
  yaml: 'YAML that is not well-formed, that has another meaning than it seems to have, or that uses features which themes do not need: anchors, tags, several documents.',
  file: 'A file that cannot be read, is not UTF-8, is too large, has lines of a merge conflict, or has a name that some systems do not support.',
  field: 'A field of `theme.yaml` or `site.yaml` that is unknown, missing, of another type, or outside its range.',
  theme: 'The set of themes: folder names, ids, parents, and the default theme.',
  schema: 'Schemas for editors that another version of themecast wrote into the themes folder.',
  palette: 'The nine colours: their number, notation and appearance.',
  image: 'An image that a field refers to: its path, format, size and appearance.',
  svg: 'SVG features that a static image does not need (scripts, links, external references), or that other machines draw differently.',
  mapping: 'The files that assign themes to users: headers, columns, keys and themes.',
  redirect: 'The lines of `redirects.csv`: each redirects an old path to a published image.',
  edge: 'Settings that a host of `edge` does not support, exceeded limits of a host, and rules of `identity` that no request can match.',
  output: 'Build output that is tracked by Git.',
};

/**
 * @param {string} area
 * @param {readonly Entry[]} entries
 */
function section(area, entries) {
  /** @type {(title: string, isWanted: (entry: Entry[1]) => boolean) => string[]} */
  const codes = (title, isWanted) => {
    const codes = entries.filter(([, entry]) => isWanted(entry)).map(([code]) => code);
    return codes.length === 0 ? [] : [`- ${title}: ${codes.map((code) => `\`${code}\``).join(', ')}`];
  };
  const lists = [
    ...codes('Errors', ({ severity }) => severity === 'error'),
    ...codes('Warnings', ({ severity }) => severity === 'warning'),
  ];
  const example = entries.map(([code]) => diagnosticExample(code)).find(Boolean);
  return [`## ${area}`, AREA_SUBJECTS[area] ?? '', lists.join('\n'), example].filter(Boolean).join('\n\n');
}

/**
 * Returns the input and the output of an example, or nothing for a code without a fixture.
 *
 * @param {string} code
 */
export function diagnosticExample(code) {
  const example = exampleOf(code);
  if (example === undefined) return '';
  return [...inputOf(example), codeBlock('text', example.printed)].join('\n\n');
}

/**
 * Returns the first diagnostic with a code in the output of its fixtures.
 *
 * @param {string} code
 * @returns {Example | undefined}
 */
function exampleOf(code) {
  const name = code.replace('/', '.');
  const fixtures = readdirSync(FIXTURES).filter((folder) => folder.replace(/-\d+$/, '') === name);
  return fixtures
    .toSorted((a, b) => fixtureNumber(a) - fixtureNumber(b))
    .filter((folder) => existsSync(new URL(`${folder}/want.txt`, FIXTURES)))
    .flatMap((folder) =>
      readFileSync(new URL(`${folder}/want.txt`, FIXTURES), 'utf8')
        .split(/\n\n(?=\S)/)
        .map((printed) => ({ folder, printed: printed.trimEnd() })),
    )
    .find(({ printed }) => printed.split('\n')[0]?.endsWith(`[${code}]`));
}

/** The number of lines shown before and after the line of a diagnostic. */
const CONTEXT_LINES = 3;

/**
 * Returns the lines of the fixture around a diagnostic, unless its output already contains them.
 *
 * @param {Example} example
 */
function inputOf({ folder, printed }) {
  const [, path = '', line] = /^themes\/(\S+?\.(?:csv|txt|ndjson|yaml)):(\d+)/.exec(printed) ?? [];
  const file = new URL(`${folder}/${path}`, FIXTURES);
  if (line === undefined || printed.includes(' │ ') || !existsSync(file)) return [];
  const firstIndex = Math.max(0, Number(line) - 1 - CONTEXT_LINES);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(firstIndex, Number(line) + CONTEXT_LINES);
  const excerpt = lines.join('\n').trimEnd();
  if (!/^[\x20-\x7e\n]+$/.test(excerpt) || lines.some(({ length }) => length > MAX_LINE_CHARACTERS)) return [];
  return [
    `In \`themes/${path}\`${firstIndex === 0 ? '' : `, from line ${firstIndex + 1}`}:`,
    codeBlock('text', excerpt),
  ];
}

/** @param {string} folder */
function fixtureNumber(folder) {
  return Number(/-(\d+)$/.exec(folder)?.[1] ?? 1);
}

/** @param {string} code */
function areaOf(code) {
  return code.split('/')[0] ?? '';
}
