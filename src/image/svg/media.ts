const BLOCK = /@media([^{}]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/gi;

/** Returns the rules of a style sheet that apply to an image in light mode: librsvg ignores `@media` blocks. */
export function appliedRules(css: string): string {
  return css.replaceAll(BLOCK, (_, queries: string, rules: string) => (queries.split(',').some(applies) ? rules : ''));
}

function applies(query: string): boolean {
  const [type = '', ...features] = query.toLowerCase().split(/\band\b/);
  const all = /^\s*(?:(?:only\s+)?(?:screen|all)|\(.*)\s*$/.test(type) ? [type, ...features] : [];
  const isLight = /^\s*(?:(?:only\s+)?(?:screen|all)|\(\s*prefers-color-scheme\s*:\s*light\s*\))\s*$/;
  return all.length > 0 && all.every((feature) => isLight.test(feature));
}

/** Whether an `@media` block uses only known media: screens, print, the colour scheme. With others, an image looks different at each size. */
export function isKnownMedia(queries: string): boolean {
  const accepted =
    /^\s*(?:(?:(?:only\s+)?(?:screen|all|print)|\(\s*prefers-color-scheme\s*:\s*(?:light|dark)\s*\))\s*(?:\band\b\s*(?=\()|$))+$/i;
  return queries.split(',').every((query) => accepted.test(query));
}
