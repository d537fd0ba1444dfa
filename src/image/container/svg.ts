import type { Corrupt, Intact } from './parsed.ts';

/** The constructs of XML (XML 1.0, §2) with what ends them, the longest beginnings first. */
const CONSTRUCTS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/**
 * Elements that no viewer draws: what an editor says of the drawing and of who drew it, in RDF and XMP, which need not stand in
 * `<metadata>`, and `<i:pgf>`, the whole document of Illustrator with layers that are hidden. Any prefix may stand for their namespaces: in others of the same names nothing is drawn, or they are refused.
 */
const METADATA = /<(\/?)(?:[^\s<>/:]+:)?(?:metadata|RDF|xmpmeta|pgf)[\s/>]/y;

/**
 * Finds the comments and the metadata of an SVG, which are left out of what is published.
 * Whether it is well-formed and harmless is for others to say: nothing else is touched.
 */
export function readSvg(bytes: Buffer): Intact | Corrupt {
  // One character a byte: all that is looked for is ASCII, and no byte of a longer UTF-8 character is.
  const text = bytes.toString('latin1');
  const parts: Buffer[] = [];
  let kept = 0;
  let depth = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const start = at;
    const end = endOfConstruct(text, at);
    if (end === undefined) return { damage: 'it is truncated' };
    at = end;
    const isComment = text.startsWith('<!--', start);
    METADATA.lastIndex = start;
    const tag = METADATA.exec(text);
    if (!isComment && tag === null) continue;
    if (depth === 0) parts.push(bytes.subarray(kept, start));
    if (tag !== null && text[end - 2] !== '/') depth += tag[1] === '/' ? -1 : 1;
    if (depth < 0) return { damage: 'its metadata has a closing tag without an opening tag' };
    kept = end;
  }
  if (depth > 0) return { damage: 'an element of its metadata is not closed' };
  return { width: 0, height: 0, frames: 1, parts: [...parts, bytes.subarray(kept)], end: bytes.length };
}

/** Where what starts with `<` ends. */
function endOfConstruct(text: string, start: number): number | undefined {
  const construct = CONSTRUCTS.find(([opening]) => text.startsWith(opening, start));
  if (construct !== undefined) {
    const [opening, closing] = construct;
    const end = text.indexOf(closing, start + opening.length);
    return end === -1 ? undefined : end + closing.length;
  }
  // A tag, or a DOCTYPE: up to the `>` that is neither quoted nor in the brackets of a DOCTYPE.
  const stop = /["'>[\]]/g;
  let brackets = 0;
  for (stop.lastIndex = start + 1; ;) {
    const token = stop.exec(text);
    if (token === null) return undefined;
    const [character] = token;
    if (character === '[') brackets++;
    else if (character === ']') brackets--;
    else if (character === '>') {
      if (brackets <= 0) return stop.lastIndex;
    } else {
      const quote = text.indexOf(character, stop.lastIndex);
      if (quote === -1) return undefined;
      stop.lastIndex = quote + 1;
    }
  }
}
