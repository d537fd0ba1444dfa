/** A compound selector, such as `path.a#b`; `:root` is the outermost `<svg>`. `:hover` never applies to an image. */
const COMPOUND = String.raw`(?:\*|[\p{L}_][\p{L}\p{N}_-]*)?(?:[.#][\p{L}_][\p{L}\p{N}_-]*|:root|:hover)*`;
const COMBINATOR = String.raw`(?:\s*[>+~]\s*|\s+)`;
const SELECTOR = new RegExp(`^(?=\\S)${COMPOUND}(?:${COMBINATOR}(?=[^\\s>+~])${COMPOUND})*$`, 'u');

/** Whether a selector is accepted: names, classes and identifiers, with combinators. */
export function isSelector(selector: string): boolean {
  return SELECTOR.test(selector);
}

/** Returns the key of the elements that a selector may match: its only name, class or identifier; otherwise `*`, for every element. */
export function keyOf(selector: string): string {
  return /^(?::root|[.#]?[^\s.#:*>+~]+)$/.test(selector) ? selector : '*';
}

/** Whether a selector matches the outermost `<svg>`. */
export function isForRoot(selector: string, { id, classes }: { id: string; classes: readonly string[] }): boolean {
  const parts = selector.match(/[.#:]?[^.#:]+/g) ?? [];
  const simple = new Set(['*', 'svg', ':root', `#${id}`, ...classes.map((name) => `.${name}`)]);
  return parts.length > 0 && parts.every((part) => simple.has(part));
}

export function specificity(selector: string): number {
  const count = (part: RegExp): number => selector.match(part)?.length ?? 0;
  return count(/#/g) * 1e6 + count(/[.:]/g) * 1e3 + count(/(?:^|[\s>+~])[^\s>+~.#:*]/g);
}
