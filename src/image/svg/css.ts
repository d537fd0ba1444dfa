import { FILTER_FUNCTIONS, FILTER_STEPS, PROPERTIES } from './allowed.ts';
import { isNotable } from './not-drawn.ts';

/** A value that CSS reads: what it refers to in this file and how many filter functions it has, or what is wrong in it. */
export type Value = { references: string[]; filterSteps: number } | Problem;

/** A problem: a reference out of the file, a piece of CSS that is not accepted, or media of which thumbnails know nothing. */
export interface Problem {
  problem: 'reference' | 'style' | 'media';
  /** The piece, as it is written. */
  source: string;
}

/** A property that refers to another element of this file. */
export interface PropertyReference {
  property: string;
  id: string;
}

/** What declarations mean for the work of drawing an element. */
export interface Effects {
  references: PropertyReference[];
  /** Filter functions, each of which works on every pixel of the element. */
  filterSteps: number;
  /** Media that thumbnails may lack. */
  notable: Declaration[];
}

/** A property and its value, as written. */
export interface Declaration {
  property: string;
  value: string;
}

// The only forms of a reference that are accepted. Identifiers have no character that a URL or CSS would have to escape. Around
// them, URLs and CSS take white space of ASCII alone for such: any other makes a relative URL, which is requested.
/** `#id`, the whole of an attribute. */
export const LOCAL_HREF = /^[ \t\n\f\r]*#([\p{L}\p{N}_.:«»-]+)[ \t\n\f\r]*$/u;
/** `url(#id)`. */
const LOCAL_URL = /url\([ \t\n\f\r]*(["']?)#([\p{L}\p{N}_.:«»-]+)\1[ \t\n\f\r]*\)/giu;

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
  // Only from the start of a word: a try from each of its letters would take time by the square of its length.
  const withoutCalls = (text: string): string =>
    text.replaceAll(/(?<![\p{L}\p{N}_-])([\p{L}\p{N}_-]*)\(([^()]*)\)/gu, (call, name: string, args: string) => {
      if (FILTER_FUNCTIONS.has(name.toLowerCase()))
        filterSteps += FILTER_STEPS.get(/shadow/i.test(name) ? 'feDropShadow' : '') ?? 1;
      else if (!FUNCTIONS.has(name.toLowerCase())) unknown ??= call;
      if (!PLAIN.test(args)) unknown ??= call;
      return ' ';
    });
  // A shadow has a colour inside.
  const rest = withoutCalls(withoutStrings.replaceAll(/(drop-shadow\([^()]*)(?:rgb|hsl)a?\([\d\s.,%/]*\)/gi, '$1 '));
  if (unknown !== undefined) return { problem: 'style', source: unknown };
  return PLAIN.test(rest) ? { references, filterSteps } : { problem: 'style', source: value };
}

/** Checks `property: value; …`. */
export function readDeclarations(text: string): { declarations: Declaration[]; effects: Effects; problems: Problem[] } {
  const declarations: Declaration[] = [];
  const effects: Effects = { references: [], filterSteps: 0, notable: [] };
  const problems: Problem[] = [];
  for (const declaration of withoutComments(text).split(';')) {
    const source = declaration.trim();
    if (source === '') continue;
    const colon = source.indexOf(':');
    const property = source.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const written = source.slice(colon + 1).replace(/!\s*important\s*$/i, '');
    const value = PROPERTY.test(property) ? readValue(written) : { problem: 'style' as const, source };
    if (!('problem' in value) && isNotable(property, written)) effects.notable.push({ property, value: written });
    if ('problem' in value) problems.push(value);
    else if (PROPERTIES.has(property)) {
      declarations.push({ property, value: written });
      effects.references.push(...value.references.map((id) => ({ property, id })));
      effects.filterSteps += value.filterSteps;
    }
    // CSS loads nothing and runs nothing but by a function: what is plain of any other property at most draws something.
    else if (value.references.length + value.filterSteps > 0) problems.push({ problem: 'style', source });
  }
  return { declarations, effects, problems };
}

const PROPERTY = /^-{0,2}[a-z][a-z0-9_-]*$/;

/**
 * CSS without its comments; one that is not closed ends with the text. Strings and addresses are matched too, so that no comment
 * starts inside one: what CSS reads there, and behind a string that a line ends, must not be taken for a comment
 * (CSS Syntax 3, §4.3.5 and §4.3.6).
 */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*(?:[^]*?\*\/|[^]*$)|"[^"\r\n]*"|'[^'\r\n]*'|url\([^()]*\)/gi, (token) =>
    token.startsWith('/') ? ' ' : token,
  );
}
