/** A compound selector, such as `path.a#b`; `:root` is the outermost `<svg>`. `:hover` never applies to an image. */
const COMPOUND = String.raw`(?:\*|[\p{L}_][\p{L}\p{N}_-]*)?(?:[.#][\p{L}_][\p{L}\p{N}_-]*|:root|:hover)*`;
const JOINT = String.raw`(?:\s*[>+~]\s*|\s+)`;
const SELECTOR = new RegExp(`^(?=\\S)${COMPOUND}(?:${JOINT}(?=[^\\s>+~])${COMPOUND})*$`, 'u');

/** A selector whose compound selectors are joined by a space, `>`, `+` or `~`. */
export interface Selector {
  steps: { joint: string; parts: string[] }[];
  /** Numbers of identifiers, of classes, and of names (CSS Selectors 4, §17), in one number. */
  specificity: number;
  isHover: boolean;
}

/** An element as selectors see it; `parent` and `previous` are indices of elements before it. */
export interface Matchable {
  name: string;
  id: string | undefined;
  classes: readonly string[];
  parent: number | undefined;
  previous: number | undefined;
}

/** Parses a selector. @returns nothing if it is not accepted: only names, classes and identifiers are, with combinators */
export function readSelector(text: string): Selector | undefined {
  if (!SELECTOR.test(text)) return undefined;
  const count = (part: RegExp): number => text.match(part)?.length ?? 0;
  const steps = text.split(/(\s*[>+~]\s*|\s+)/).reduce<Selector['steps']>((all, piece, at, pieces) => {
    if (at % 2 === 0) all.push({ joint: pieces[at - 1]?.trim() ?? '', parts: piece.match(/[.#:]?[^.#:]+/g) ?? [] });
    return all;
  }, []);
  const specificity = count(/#/g) * 1e6 + count(/[.:]/g) * 1e3 + count(/(?:^|[\s>+~])[^\s>+~.#:*]/g);
  return { steps, specificity, isHover: /:hover/i.test(text) };
}

/** Returns the indices of the elements that a selector matches, in a time proportional to their number. @param nodes - in document order */
export function matching({ steps }: Selector, nodes: readonly Matchable[]): number[] {
  let matched = new Uint8Array(nodes.length);
  for (const [at, { joint, parts }] of steps.entries()) {
    const before = matched;
    const reached = new Uint8Array(nodes.length);
    matched = new Uint8Array(nodes.length);
    for (const [index, node] of nodes.entries()) {
      const from = joint === '+' || joint === '~' ? node.previous : node.parent;
      if (at > 0 && from === undefined) continue;
      const isFar = joint === '' || joint === '~';
      reached[index] = from === undefined ? 0 : (before[from] ?? 0) | (isFar ? (reached[from] ?? 0) : 0);
      if ((at === 0 || reached[index] === 1) && parts.every((part) => isMatch(part, node))) matched[index] = 1;
    }
  }
  return nodes.flatMap((_, index) => (matched[index] === 1 ? [index] : []));
}

function isMatch(part: string, { name, id, classes, parent }: Matchable): boolean {
  if (part === '*' || part === ':hover') return true;
  if (part === ':root') return parent === undefined;
  if (part.startsWith('.')) return classes.includes(part.slice(1));
  return part.startsWith('#') ? id === part.slice(1) : name === part;
}
