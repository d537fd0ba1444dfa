import { type Declaration, type Effects, type Problem, readDeclarations, readValue, withoutComments } from './css.ts';
import { isDrawableSide } from './dimensions.ts';

/**
 * The effects of a style sheet by the selector that they are for, `path`, `.class` or `#id`: those of each rule that has any. The
 * selectors of a rule share them: a copy for each would take as many as there are selectors times references.
 */
export type StyleRules = Map<string, Effects[]>;

/** What is in a style sheet beside its rules. */
export interface StyleSheet {
  problems: Problem[];
  /** Whether it brings a font, which may be there as long as no text is drawn. */
  hasFont: boolean;
}

/** The one `@` rule that icons have use for. */
const COLOUR_SCHEME = /^\s*@media\s*\(\s*prefers-color-scheme\s*:\s*(?:dark|light)\s*\)\s*$/i;

/** `:root` is the outermost `<svg>`. */
const SELECTOR = /^(?::root|[.#]?[\p{L}_][\p{L}\p{N}_-]*)$/u;

const FONT_FACE = /\s*@font-face\s*\{([^{}]*)\}/iy;
/** A font in the file itself. Its format is of no concern: without text no viewer looks at it. White space as in a reference. */
const EMBEDDED_FONT =
  /url\([ \t\n\f\r]*(["']?)data:(?:font|application)\/[\w.+-]+(?:;charset=[\w-]+)?;base64,[A-Za-z0-9+/= \t\n\f\r]*\1(?<![ \t\n\f\r])[ \t\n\f\r]*\)/gi;

/**
 * Checks a style sheet as drawing programs write it: rules for names, classes and identifiers, at most for one colour scheme.
 * @param rules - gets the rules
 */
export function readStyleSheet(text: string, rules: StyleRules): StyleSheet {
  const problems: Problem[] = [];
  const css = withoutComments(text);
  let hasFont = false;
  for (let at = 0; at < css.length;) {
    // Looked for only where a rule starts: anywhere else it might be in a string.
    FONT_FACE.lastIndex = at;
    const font = FONT_FACE.exec(css)?.[1];
    if (font !== undefined && isEmbeddedFont(font)) {
      hasFont = true;
      at = FONT_FACE.lastIndex;
      continue;
    }
    const end = css.indexOf('}', at);
    problems.push(...readRule(css.slice(at, end === -1 ? undefined : end), rules));
    at = end === -1 ? css.length : end + 1;
  }
  return { problems, hasFont };
}

/** @param rule - without the brace that ends it */
function readRule(rule: string, rules: StyleRules): Problem[] {
  const parts = rule.split('{');
  if (parts.length === 3 && COLOUR_SCHEME.test(parts[0] ?? '')) parts.shift();
  const [selectors = '', body, ...nested] = parts;
  if (body === undefined || nested.length > 0)
    return rule.trim() === '' ? [] : [{ problem: 'style', source: rule.trim() }];
  const { declarations, effects, problems } = readDeclarations(body);
  problems.push(...undrawable(declarations).map(({ value }) => ({ problem: 'style' as const, source: value })));
  const hasEffects = effects.references.length + effects.filterSteps > 0;
  for (const part of selectors.split(',')) {
    const selector = part.trim();
    // `@import "…"; .a` is one selector as far as the braces go; what is wrong is its start.
    if (!SELECTOR.test(selector)) problems.push({ problem: 'style', source: selector.replace(/;[^]*$/, ';') });
    // All are kept: which of them a browser heeds depends on more than their order.
    else if (hasEffects && rules.get(selector)?.push(effects) === undefined) rules.set(selector, [effects]);
  }
  return problems;
}

/** Sides that the outermost element could not be drawn with: its width and height can be given in CSS too. */
export function undrawable(declarations: readonly Declaration[]): Declaration[] {
  return declarations.filter(({ property, value }) => /^(?:width|height)$/.test(property) && !isDrawableSide(value));
}

/** Whether the body of `@font-face` only names a font, and brings it. */
function isEmbeddedFont(body: string): boolean {
  const rest = body.replaceAll(EMBEDDED_FONT, 'none').replaceAll(/format\(\s*(["']?)[\w-]+\1\s*\)/gi, 'none');
  return rest.split(';').every((declaration) => {
    const [, property = '', value = ''] = /^([a-z-]*)\s*(?::([^:]*))?$/i.exec(declaration.trimStart()) ?? [
      undefined,
      '!',
    ];
    if (property === '') return value === '';
    if (!/^(?:src|font-[a-z-]+|unicode-range)$/i.test(property)) return false;
    const read = readValue(value);
    return 'references' in read && read.references.length === 0;
  });
}
