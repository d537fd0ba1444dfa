import { type Declaration, type Effects, type Problem, readDeclarations, withoutComments } from './css.ts';
import { isDrawableSide } from './dimensions.ts';
import { isKnownMedia } from './media.ts';
import { isSelector, keyOf } from './selectors.ts';

/**
 * The effects of a style sheet by the selector that they are for, `path`, `.class`, `#id`, or `*` for any other: those of each rule that has any. The
 * selectors of a rule share them: a copy for each would take as many as there are selectors times references.
 */
export type StyleRules = Map<string, Effects[]>;

/** The one `@` rule that drawings have use for, with the media. */
const MEDIA = /^\s*@media([\w\s():,.-]*)$/i;

/** Of some exporters: the text is in UTF-8 in any case. */
const CHARSET = /^\s*@charset\s*(["'])utf-8\1\s*;/i;

/**
 * Checks a style sheet as drawing programs write it: rules for names, classes and identifiers, at most for some media.
 * @param rules - gets the rules
 */
export function readStyleSheet(text: string, rules: StyleRules): Problem[] {
  return withoutComments(text)
    .replace(CHARSET, (charset) => ' '.repeat(charset.length))
    .split('}')
    .flatMap((rule) => readRule(rule, rules));
}

/** @param rule - without the brace that ends it */
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
    // `@import "…"; .a` is one selector as far as the braces go; what is wrong is its start.
    const restricted = /:hover/i.test(selector) ? { ...effects, notable: [] } : effects;
    const hasEffects = restricted.references.length + restricted.filterSteps + restricted.notable.length > 0;
    const key = keyOf(selector);
    if (!isSelector(selector)) problems.push({ problem: 'style', source: selector.replace(/;[^]*$/, ';') });
    // All are kept: which of them a browser heeds depends on more than their order.
    else if (hasEffects && rules.get(key)?.push(restricted) === undefined) rules.set(key, [restricted]);
  }
  return problems;
}

/** Sides that the outermost element could not be drawn with: its width and height can be given in CSS too. */
export function undrawable(declarations: readonly Declaration[]): Declaration[] {
  return declarations.filter(({ property, value }) => /^(?:width|height)$/.test(property) && !isDrawableSide(value));
}
