import { type Declaration, type Effects, type Problem, readDeclarations, withoutComments } from './css.ts';
import { isDrawableSide } from './dimensions.ts';
import { isKnownMedia } from './media.ts';
import { isSelector, keyOf } from './selectors.ts';

/**
 * The effects of the rules of a style sheet, by selector: `path`, `.class`, `#id`, or `*` for any other. The selectors of a rule share its effects:
 * copies would take memory for every selector times every reference.
 */
export type StyleRules = Map<string, Effects[]>;

/** The only `@` rule that drawings need, with its media. */
const MEDIA = /^\s*@media([\w\s():,.-]*)$/i;

/** Written by some exporters; the text is in UTF-8 in any case. */
const CHARSET = /^\s*@charset\s*(["'])utf-8\1\s*;/i;

/**
 * Checks a style sheet as drawing programs write it: rules for names, classes and identifiers, possibly inside `@media`.
 * @param rules - receives the rules
 */
export function readStyleSheet(text: string, rules: StyleRules): Problem[] {
  return withoutComments(text)
    .replace(CHARSET, (charset) => ' '.repeat(charset.length))
    .split('}')
    .flatMap((rule) => readRule(rule, rules));
}

/** Checks one rule. @param rule - without its closing brace */
function readRule(rule: string, rules: StyleRules): Problem[] {
  const [font] = /^@font-face/i.exec(rule.trim()) ?? [];
  if (font !== undefined) return [{ problem: 'style', source: font }];
  const parts = rule.split('{');
  const [, media] = (parts.length === 3 && MEDIA.exec(parts[0] ?? '')) || [];
  if (media !== undefined) parts.shift();
  const [selectors = '', body, ...nested] = parts;
  if (body === undefined || nested.length > 0)
    return rule.trim() === '' ? [] : [{ problem: 'style', source: rule.trim() }];
  const { declarations, effects, problems } = readDeclarations(body);
  if (media !== undefined && !isKnownMedia(media))
    problems.push({ problem: 'media', source: `@media ${media.trim()}` });
  problems.push(...undrawable(declarations).map(({ value }) => ({ problem: 'style' as const, source: value })));
  for (const part of selectors.split(',')) {
    const selector = part.trim();
    // `@import "…"; .a` looks like one selector, because only braces end a rule; the error is at its start.
    const restricted = /:hover/i.test(selector) ? { ...effects, notable: [] } : effects;
    const hasEffects = restricted.references.length + restricted.filterSteps + restricted.notable.length > 0;
    const key = keyOf(selector);
    if (!isSelector(selector)) problems.push({ problem: 'style', source: selector.replace(/;[^]*$/, ';') });
    // All are retained: which of them a browser applies depends on more than their order.
    else if (hasEffects && rules.get(key)?.push(restricted) === undefined) rules.set(key, [restricted]);
  }
  return problems;
}

/** Returns the declarations of `width` and `height` that leave the `<svg>` element no size to draw. */
export function undrawable(declarations: readonly Declaration[]): Declaration[] {
  return declarations.filter(({ property, value }) => /^(?:width|height)$/.test(property) && !isDrawableSide(value));
}
