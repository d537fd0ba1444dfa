import { FILTER_FUNCTIONS, FILTER_STEPS, PROPERTIES } from '../svg/allowed.ts';
import { isInvalid } from '../svg/renderer-value.ts';

/** A checked CSS value: its references in this file and its number of filter functions, or its problem. */
export type Value = { references: string[]; filterSteps: number } | Problem;

/** A problem: a reference to another file, a piece of CSS that is not accepted, or media that thumbnails cannot apply. */
export interface Problem {
  problem: 'reference' | 'style' | 'media';
  source: string;
}

/** A property that refers to another element of this file. */
export interface PropertyReference {
  property: string;
  id: string;
}

/** Effects of declarations on the cost of drawing an element. */
export interface Effects {
  references: PropertyReference[];
  /** Filter functions, each of which works on every pixel of the element. */
  filterSteps: number;
}

export interface Declaration {
  /** In lower case. */
  property: string;
  value: string;
  isImportant: boolean;
}

// The only accepted forms of a reference. Identifiers contain no character that needs escaping in a URL or in CSS. Only ASCII
// white space may surround them: any other makes a relative URL, which is requested.
/** `#id` as the whole value of an attribute. */
export const LOCAL_HREF = /^[ \t\n\f\r]*#([\p{L}\p{N}_.:«»-]+)[ \t\n\f\r]*$/u;
/** `url(#id)`. */
const LOCAL_URL = /url\([ \t\n\f\r]*(["']?)#([\p{L}\p{N}_.:«»-]+)\1[ \t\n\f\r]*\)/giu;

/** Functions that only compute a colour or a transformation. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  `color hsl hsla hwb lab lch oklab oklch rgb rgba
  matrix rotate scale scalex scaley skewx skewy translate translatex translatey`.split(/\s+/),
);

/** Values without calls and strings: words, numbers, colours, lists. */
const PLAIN = /^[\p{L}\p{N}\s_#%.,+\-/]*$/u;

/** Checks a value of a CSS property, or of an attribute, since browsers read most attributes as CSS too. */
export function readValue(value: string): Value {
  // Most values, and the longest (path data), are plain and need no further check.
  if (PLAIN.test(value)) return { references: [], filterSteps: 0 };
  const references: string[] = [];
  const withoutUrls = value.replaceAll(LOCAL_URL, (_, __, id: string) => {
    references.push(id);
    return ' ';
  });
  const url = /(?:url|src|image|image-set)\s*\([^)]*\)?/i.exec(withoutUrls);
  if (url !== null) return { problem: 'reference', source: url[0] };
  const withoutStrings = withoutUrls.replaceAll(/"[^"'\\()\r\n]*"|'[^"'\\()\r\n]*'/g, ' ');
  let unknown: string | undefined;
  let filterSteps = 0;
  // Matches only from the start of a word: a match attempt from each letter would take quadratic time.
  const withoutCalls = (text: string): string =>
    text.replaceAll(/(?<![\p{L}\p{N}_-])([\p{L}\p{N}_-]*)\(([^()]*)\)/gu, (call, name: string, args: string) => {
      if (FILTER_FUNCTIONS.has(name.toLowerCase()))
        filterSteps += FILTER_STEPS.get(/shadow/i.test(name) ? 'feDropShadow' : '') ?? 1;
      else if (!FUNCTIONS.has(name.toLowerCase())) unknown ??= call;
      if (!PLAIN.test(args)) unknown ??= call;
      return ' ';
    });
  // A shadow may contain a colour.
  const remainder = withoutCalls(
    withoutStrings.replaceAll(/(drop-shadow\([^()]*)(?:rgb|hsl)a?\([\d\s.,%/]*\)/gi, '$1 '),
  );
  if (unknown !== undefined) return { problem: 'style', source: unknown };
  return PLAIN.test(remainder) ? { references, filterSteps } : { problem: 'style', source: value };
}

/** Checks declarations; returns those that browsers do not ignore, of any property. */
export function readDeclarations(
  text: string,
  isSheet = false,
): { declarations: Declaration[]; effects: Effects; problems: Problem[] } {
  const declarations: Declaration[] = [];
  const effects: Effects = { references: [], filterSteps: 0 };
  const problems: Problem[] = [];
  for (const declaration of withoutComments(text).split(';')) {
    const source = declaration.trim();
    if (source === '') continue;
    const colon = source.indexOf(':');
    const property = source.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const [valueText = '', isImportant] = source.slice(colon + 1).split(/(!\s*important\s*$)/i);
    const value = PROPERTY.test(property) ? readValue(valueText) : { problem: 'style' as const, source };
    if (!('problem' in value) && !isInvalid(property, valueText, isSheet)) {
      const set = property === 'filter' ? valueText.replaceAll(NO_EFFECT, '').trim() || 'none' : valueText.trim();
      declarations.push({ property, value: set, isImportant: isImportant !== undefined });
    }
    if ('problem' in value) problems.push(value);
    else if (PROPERTIES.has(property)) {
      effects.references.push(...value.references.map((id) => ({ property, id })));
      effects.filterSteps += value.filterSteps;
    }
    // CSS can load or run something only through a function, so plain values of any other property are harmless.
    else if (value.references.length + value.filterSteps > 0) problems.push({ problem: 'style', source });
  }
  return { declarations, effects, problems };
}

/** Filter functions that change nothing, as RealFaviconGenerator writes them for light mode. */
const NO_EFFECT =
  /(?:brightness|contrast|saturate|opacity)\(\s*(?:1(?:\.0+)?|100%)?\s*\)|(?:grayscale|invert|sepia|hue-rotate|blur)\(\s*0(?:deg|px|%)?\s*\)/gi;
const PROPERTY = /^-{0,2}[a-z][a-z0-9_-]*$/;

/**
 * Removes CSS comments; an unclosed comment ends with the text. Strings and URLs are matched too, so that no comment starts inside them: CSS reads
 * `/*` there, and after an unclosed string, as plain text (CSS Syntax 3, §4.3.5 and §4.3.6).
 */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*(?:[^]*?\*\/|[^]*$)|"[^"\r\n]*"|'[^'\r\n]*'|url\([^()]*\)/gi, (token) =>
    token.startsWith('/') ? ' ' : token,
  );
}
