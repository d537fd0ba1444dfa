import { PROPERTIES } from './allowed.ts';

/** A value that CSS reads: what it refers to in this file, or what is wrong in it. */
export type Value = { references: string[] } | Problem;

/** What is wrong: a reference out of the file, or a piece of CSS that is not accepted. */
export interface Problem {
  problem: 'reference' | 'style';
  /** The piece, as it is written. */
  source: string;
}

/** A property that refers to another element of this file. */
export interface PropertyReference {
  property: string;
  id: string;
}

/** Identifiers that can be referred to: no character that a URL or CSS would have to escape. */
export const ID = /^[\p{L}\p{N}_.:-]+$/u;

/** `url(#id)`, the only form of a reference that is accepted. */
const LOCAL_URL = /url\(\s*(["']?)#([\p{L}\p{N}_.:-]+)\1\s*\)/giu;

/** Functions that only compute a colour or a transformation. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  `color hsl hsla hwb lab lch oklab oklch rgb rgba
  matrix rotate scale scalex scaley skewx skewy translate translatex translatey`.split(/\s+/),
);

/** What the rest of a value is made of: words, numbers, colours, lists. */
const PLAIN = /^[\p{L}\p{N}\s_#%.,+\-/]*$/u;

/** Checks a value: of a property in CSS, or of an attribute, most of which browsers read as CSS too. */
export function readValue(value: string): Value {
  // Most values, and the longest (path data), are plain: nothing more is to be seen in them.
  if (PLAIN.test(value)) return { references: [] };
  const references: string[] = [];
  const withoutUrls = value.replaceAll(LOCAL_URL, (_, __, id: string) => {
    references.push(id);
    return ' ';
  });
  const url = /(?:url|src|image|image-set)\s*\([^)]*\)?/i.exec(withoutUrls);
  if (url !== null) return { problem: 'reference', source: url[0] };
  const withoutStrings = withoutUrls.replaceAll(/"[^"'\\()\r\n]*"|'[^"'\\()\r\n]*'/g, ' ');
  let unknown: string | undefined;
  // Only from the start of a word: a try from each of its letters would take time by the square of its length.
  const rest = withoutStrings.replaceAll(
    /(?<![\p{L}\p{N}_-])([\p{L}\p{N}_-]*)\(([^()]*)\)/gu,
    (call, name: string, args: string) => {
      if (!FUNCTIONS.has(name.toLowerCase()) || !PLAIN.test(args)) unknown ??= call;
      return ' ';
    },
  );
  if (unknown !== undefined) return { problem: 'style', source: unknown };
  return PLAIN.test(rest) ? { references } : { problem: 'style', source: value };
}

/** Checks `property: value; …`. */
export function readDeclarations(text: string): { references: PropertyReference[]; problems: Problem[] } {
  const references: PropertyReference[] = [];
  const problems: Problem[] = [];
  for (const declaration of withoutComments(text).split(';')) {
    const source = declaration.trim();
    if (source === '') continue;
    const colon = source.indexOf(':');
    const property = source.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!PROPERTIES.has(property)) {
      problems.push({ problem: 'style', source });
      continue;
    }
    const value = readValue(source.slice(colon + 1));
    if ('problem' in value) problems.push(value);
    else references.push(...value.references.map((id) => ({ property, id })));
  }
  return { references, problems };
}

/**
 * The references of a style sheet by the selector that they are for, `path`, `.class` or `#id`: those of each rule. The selectors of
 * a rule share them: a copy for each would take as many as there are selectors times references.
 */
export type StyleRules = Map<string, (readonly PropertyReference[])[]>;

/** The one `@` rule that icons have use for. */
const COLOUR_SCHEME = /^\s*@media\s*\(\s*prefers-color-scheme\s*:\s*(?:dark|light)\s*\)\s*$/i;

/** Checks a style sheet as drawing programs write it: rules for names, classes and identifiers, at most for one colour scheme. */
export function readStyleSheet(text: string, rules: StyleRules): Problem[] {
  const problems: Problem[] = [];
  for (const rule of withoutComments(text).trim().split('}')) {
    const parts = rule.split('{');
    if (parts.length === 3 && COLOUR_SCHEME.test(parts[0] ?? '')) parts.shift();
    const [selectors = '', body, ...nested] = parts;
    if (body === undefined || nested.length > 0) {
      if (rule.trim() !== '') problems.push({ problem: 'style', source: rule.trim() });
      continue;
    }
    const read = readDeclarations(body);
    problems.push(...read.problems);
    for (const part of selectors.split(',')) {
      const selector = part.trim();
      if (!SELECTOR.test(selector)) {
        // `@import "…"; .a` is one selector as far as the braces go; what is wrong is its start.
        problems.push({ problem: 'style', source: selector.replace(/;[^]*$/, ';') });
        continue;
      }
      // All are kept: which of them a browser heeds depends on more than their order.
      if (rules.get(selector)?.push(read.references) === undefined) rules.set(selector, [read.references]);
    }
  }
  return problems;
}

const SELECTOR = /^[.#]?[\p{L}_][\p{L}\p{N}_-]*$/u;

/**
 * CSS without its comments; one that is not closed ends with the text. Strings and addresses are matched too, so that no comment
 * starts inside one: what CSS reads there, and behind a string that a line ends, must not be taken for a comment
 * (CSS Syntax 3, §4.3.5 and §4.3.6).
 */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*(?:[^]*?\*\/|[^]*$)|"[^"\r\n]*"|'[^'\r\n]*'|url\([^()]*\)/gi, (token) =>
    token.startsWith('/') ? ' ' : token,
  );
}
