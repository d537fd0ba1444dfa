import { type Declaration, type Effects, type Problem, readDeclarations, withoutComments } from './css.ts';
import { isDrawableSide } from '../svg/dimensions.ts';
import { readSelector, type Selector } from './selectors.ts';

/** A rule with one selector. The selectors of a rule share its declarations and effects. */
export interface Rule {
  selector: Selector;
  /** Whether it applies to an image on a screen in light mode. */
  isDrawn: boolean;
  declarations: readonly Declaration[];
  effects: Effects;
}

/** The only `@` rule that drawings need, with its media. */
const MEDIA = /^\s*@media([\w\s():,.-]*)$/i;
/** Media whose value says something about the reader, not about the size of the image. */
const KNOWN_FEATURE = /^\s*(?:(?:only\s+)?(?:screen|all|print)|\(\s*prefers-[a-z-]+\s*(?::\s*[a-z-]+\s*)?\))\s*$/;
const APPLIED_FEATURE =
  /^\s*(?:(?:only\s+)?(?:screen|all)|\(\s*prefers-[a-z-]+\s*:\s*(?:light|no-preference)\s*\))\s*$/;
/** Written by some exporters; the text is in UTF-8 in any case. */
const CHARSET = /^\s*@charset\s*(["'])utf-8\1\s*;/i;

/** Whether browsers apply a style element with an attribute `type`. */
export function isCssType(type = ''): boolean {
  return /^(?:text\/css)?$/i.test(type);
}

/**
 * Checks a style sheet as drawing programs write it: rules for names, classes and identifiers, possibly inside `@media`.
 * @param rules - receives the rules
 */
export function readStyleSheet(text: string, rules: Rule[]): Problem[] {
  let media: string | undefined;
  return withoutComments(text)
    .replace(CHARSET, (charset) => ' '.repeat(charset.length))
    .split('}')
    .flatMap((rule) => {
      const parts = rule.split('{');
      const [, opened] = (parts.length === 3 && MEDIA.exec(parts[0] ?? '')) || [];
      if (opened !== undefined) [media] = [opened, parts.shift()];
      // The brace that closes the block has nothing before it.
      else if (media !== undefined && rule.trim() === '') return ((media = undefined), []);
      return readRule(rule, parts, media, opened !== undefined, rules);
    });
}

/** Checks one rule. @param rule - without its closing brace */
function readRule(
  rule: string,
  [selectors = '', body, ...nested]: readonly string[],
  media: string | undefined,
  isFirst: boolean,
  rules: Rule[],
): Problem[] {
  const [font] = /^@font-face/i.exec(rule.trim()) ?? [];
  if (font !== undefined) return [{ problem: 'style', source: font }];
  if (body === undefined || nested.length > 0)
    return rule.trim() === '' ? [] : [{ problem: 'style', source: rule.trim() }];
  const { declarations, effects, problems } = readDeclarations(body, true);
  if (isFirst && media !== undefined && !areMedia(media, KNOWN_FEATURE).every(Boolean))
    problems.push({ problem: 'media', source: `@media ${media.trim()}` });
  problems.push(...undrawable(declarations).map(({ value }) => ({ problem: 'style' as const, source: value })));
  const isDrawn = media === undefined || areMedia(media, APPLIED_FEATURE).some(Boolean);
  for (const part of selectors.split(',')) {
    const selector = readSelector(part.trim());
    // `@import "…"; .a` looks like one selector, because only braces end a rule; the error is at its start.
    if (selector === undefined) problems.push({ problem: 'style', source: part.trim().replace(/;[^]*$/, ';') });
    else rules.push({ selector, isDrawn: isDrawn && !selector.isHover, declarations, effects });
  }
  return problems;
}

/** Returns for each media query whether all its features are of a kind. */
function areMedia(queries: string, kind: RegExp): boolean[] {
  return queries.split(',').map((query) => {
    const features = query.toLowerCase().split(/\band\b/);
    return features.every((feature) => kind.test(feature));
  });
}

/** Returns the declarations of `width` and `height` that leave the `<svg>` element no size to draw. */
export function undrawable(declarations: readonly Declaration[]): Declaration[] {
  return declarations.filter(({ property, value }) => /^(?:width|height)$/.test(property) && !isDrawableSide(value));
}
