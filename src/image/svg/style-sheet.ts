import { type Declaration, type Effects, type Problem, readDeclarations, withoutComments } from './css.ts';
import { isDrawableSide } from './dimensions.ts';

/**
 * The effects of a style sheet by the selector that they are for, `path`, `.class` or `#id`: those of each rule that has any. The
 * selectors of a rule share them: a copy for each would take as many as there are selectors times references.
 */
export type StyleRules = Map<string, Effects[]>;

/** The one `@` rule that icons have use for. */
const COLOUR_SCHEME = /^\s*@media\s*\(\s*prefers-color-scheme\s*:\s*(?:dark|light)\s*\)\s*$/i;

/** `:root` is the outermost `<svg>`. */
const SELECTOR = /^(?::root|[.#]?[\p{L}_][\p{L}\p{N}_-]*)$/u;

/**
 * Checks a style sheet as drawing programs write it: rules for names, classes and identifiers, at most for one colour scheme.
 * @param rules - gets the rules
 */
export function readStyleSheet(text: string, rules: StyleRules): Problem[] {
  return withoutComments(text)
    .split('}')
    .flatMap((rule) => readRule(rule, rules));
}

/** @param rule - without the brace that ends it */
function readRule(rule: string, rules: StyleRules): Problem[] {
  const [font] = /^@font-face/i.exec(rule.trim()) ?? [];
  if (font !== undefined) return [{ problem: 'style', source: font }];
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
