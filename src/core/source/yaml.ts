import { isAlias, isCollection, isMap, isNode, isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml';
import { characterName } from '../diagnostics/characters.ts';
import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { locator } from './lines.ts';
import { firstLine, type Path, pathKey, type Places, places, range } from './places.ts';
import { checkInvisible } from './text.ts';
import { MAX_DEPTH, findExcess } from './yaml-limits.ts';
import { lineEnd, type Reading, reportProblems } from './yaml-problems.ts';

/** A YAML file as plain data, with the location of each part. */
export interface SourceDocument extends Places {
  file: string;
  text: string;
  /** The root mapping, with keys in the order of the file. It has no prototype, so no key has a special meaning. */
  data: Record<string, unknown>;
  /** Returns whether a value, or a part around it, already has a diagnostic, so that none follows from it. */
  isReported(path: Path): boolean;
}

/** Maximum number of parts of theme.yaml and site.yaml, see {@link findExcess}: about 5,000 values. A long theme.yaml has 150. */
const MAX_PARTS = 10_000;

/**
 * Parses YAML 1.2, and turns the traps of the format into located diagnostics. Returns undefined if the file is unusable.
 * @param maxParts - maximum number of parts, see {@link findExcess}
 */
export function parseYaml(
  file: string,
  text: string,
  report: Report,
  maxParts = MAX_PARTS,
): SourceDocument | undefined {
  const locate = locator(file, text);
  const excess = findExcess(text, maxParts);
  if (excess !== undefined) {
    report(excess.code, locate(excess.offset, excess.offset + 1), { limit: MAX_DEPTH });
    return undefined;
  }
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    stringKeys: true, // `1` and "1" are the same key; without it, nested complex keys take exponential time
    uniqueKeys: false, // the parser's check takes quadratic time: 8 s for 50,000 keys; `toData` checks instead
    intAsBigInt: true, // keeps all digits of an integer
    merge: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const reading: Reading = { text, locate, report: once(report) };
  let usable = reportProblems(document, reading);
  // Even directives that the parser accepts: a file must not select how it is parsed.
  const directive = /^(?:[ \t]*(?:#.*)?\n)*(?=%)/.exec(text)?.[0].length;
  if (directive !== undefined) {
    reading.report('yaml/directive', locate(directive, lineEnd(text, directive)), {});
    usable = false;
  }
  if (!usable) return undefined;
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) {
    report('yaml/empty', { file }, { isSite: /(?:^|[\\/])site\.yaml$/.test(file) });
    return undefined;
  }
  if (!isMap(root)) {
    report('yaml/not-a-mapping', locate(...firstLine(root, text)), {
      found: isSeq(root) ? 'a list' : 'a single value',
    });
    return undefined;
  }
  const reported = new Set<string>();
  const isReported = (path: Path): boolean => path.some((_, last) => reported.has(pathKey(path.slice(0, last + 1))));
  const data = toData(root, [], { ...reading, reported }) as Record<string, unknown>;
  return { file, text, data, ...places(document, reading), isReported };
}

/** Suppresses repeated diagnostics of the same code and place. */
function once(report: Report): Report {
  const seen = new Set<string>();
  return (code, location, args) => {
    const key = JSON.stringify([code, location.start]);
    if (!seen.has(key)) report(code, location, args);
    seen.add(key);
  };
}

interface Conversion extends Reading {
  /** Paths of the values that have a diagnostic. */
  reported: Set<string>;
}

/** Converts a node to plain data. Reports values that YAML would change, and returns the value that was clearly meant. */
function toData(node: Node | null, path: Path, converting: Conversion): unknown {
  const { text, locate, report, reported } = converting;
  if (node === null) return null;
  reportProperties(node, path, converting);
  if (isAlias(node)) {
    report('yaml/anchor', locate(...range(node)), { source: text.slice(...range(node)) });
    reported.add(pathKey(path));
    return undefined;
  }
  if (isCollection(node) && path.length >= MAX_DEPTH) {
    report('yaml/too-deep', locate(...firstLine(node, text)), { limit: MAX_DEPTH });
    reported.add(pathKey(path));
    return undefined;
  }
  if (isMap(node)) {
    const data = Object.create(null) as Record<string, unknown>;
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      const place = (): Location => locate(...firstLine(key as Node, text));
      if (isNode(key)) reportProperties(key, [...path, name], converting);
      if (checkInvisible(name, place, report) !== name) reported.add(pathKey([...path, name]));
      if (name === '<<') report('yaml/anchor', place(), { source: '<<' });
      else if (Object.hasOwn(data, name)) report('yaml/duplicate-key', place(), { key: name });
      else data[name] = toData(value as Node | null, [...path, name], converting);
    }
    return data;
  }
  if (isSeq(node)) {
    const items = node.items as Node[];
    if (node.flow === true) reportFlowTraps(items, range(node), path, converting);
    return items.map((item, index) => toData(item, [...path, index], converting));
  }
  return isScalar(node) ? scalarData(node, path, converting) : undefined;
}

/** Reports the anchor and the tag of a node, which precede it. */
function reportProperties(node: Node, path: Path, { text, locate, report, reported }: Conversion): void {
  const [start] = range(node);
  const anchor = isAlias(node) ? undefined : (node as Scalar).anchor;
  if (anchor !== undefined) {
    const source = `&${anchor}`;
    const at = Math.max(text.lastIndexOf(source, start), 0);
    report('yaml/anchor', locate(at, at + source.length), { source });
    reported.add(pathKey(path));
  }
  // `! value` only marks the value as text, and the parser drops it.
  if (node.tag === undefined && !/(?:^|\s)![ \t]+$/.test(text.slice(Math.max(0, start - 4), start))) return;
  const before = text.slice(Math.max(0, start - 1000), start);
  const tag = /(?<![^\s[{,])!\S*(?=\s*(?:&\S+\s*)?$)/.exec(before);
  const source = tag?.[0] ?? node.tag ?? '!';
  const at = tag === null ? start : start - before.length + tag.index;
  report('yaml/tag', locate(at, at + source.length), { tag: source });
  reported.add(pathKey(path));
}

function scalarData(node: Scalar, path: Path, converting: Conversion): unknown {
  const { text, locate, report, reported } = converting;
  const { value, source = '' } = node;
  if (value === null || value === undefined) return emptyValue(range(node)[0], path, converting);
  if (typeof value === 'bigint' || typeof value === 'number') {
    const plain = /^(?:0|-?[1-9]\d*)$/.test(source) && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER;
    const decimal = /^-?(?:0|[1-9]\d*)\.\d+$/.test(source);
    if (!plain && !decimal && node.tag === undefined) {
      const [, digits] =
        typeof path.at(-1) === 'number' ? (/^(?:0x)?([\da-f]{6}|[\da-f]{3})$/i.exec(source) ?? []) : [];
      const colour = digits === undefined ? undefined : `#${digits}`;
      report('yaml/number-format', locate(...range(node)), { source, value: String(Number(value)), colour });
      reported.add(pathKey(path));
    }
    return Number(value);
  }
  if (typeof value === 'string' && node.type === 'PLAIN' && /^[“”„‟‘’‚«»]/u.test(value)) {
    const meant = value.replaceAll(/^[“”„‟‘’‚«»]\s*|(?<!\s)\s*[“”„‟‘’‚«»]$/gu, '');
    report('yaml/curly-quotes', locate(...range(node)), { meant });
    return meant;
  }
  if (typeof value !== 'string') return value;
  if (node.type === 'PLAIN') {
    const space = value.search(/^[^\S ]|[^\S ]$/u);
    if (space !== -1) return reportSpace(value.charAt(space), range(node)[0] + space, path, converting);
    reportComment(node, value, converting);
  }
  // The parser mistakes an escaped quote at the end of a line for the closing quote.
  if (node.type === 'QUOTE_DOUBLE' && /(?<!\\)(?:\\\\)*\\"$/.test(text.slice(...range(node)))) {
    const [start] = range(node);
    report('yaml/unclosed', locate(start, start + 1), { character: '"' });
    reported.add(pathKey(path));
    return undefined;
  }
  return checkInvisible(value, () => locate(...firstLine(node, text)), report);
}

/** Reports a text that a `#` cuts off, such as `name: Team #1`. */
function reportComment(node: Scalar, value: string, { text, locate, report }: Conversion): void {
  const [start, end] = range(node);
  const comment = /^[ \t]+(#[^\s#].*)/.exec(text.slice(end, lineEnd(text, end)))?.[1]?.trimEnd();
  if (comment !== undefined) report('yaml/comment', locate(start, lineEnd(text, end)), { value, comment });
}

/** Reports a leading or trailing space of a text that YAML does not recognise as a space. */
function reportSpace(character: string, at: number, path: Path, { locate, report, reported }: Conversion): undefined {
  report('yaml/look-alike', locate(at, at + 1), { character: characterName(character), meant: ' ' });
  reported.add(pathKey(path));
  return undefined;
}

/** Returns null for an empty value. Reports a value that began with an unquoted `#` and so became a comment, and returns it. */
function emptyValue(at: number, path: Path, { text, locate, report, reported }: Conversion): string | null {
  const hash = /^(\s*)(#[0-9a-f]{3,8})(?=[ \t]*(?:,|$|[ \t]#))/im.exec(text.slice(at, at + 200));
  if (hash === null) {
    const [, before = '', value] = /^([ \t]*)(#[^\s#].*)/.exec(text.slice(at, lineEnd(text, at))) ?? [];
    if (value === undefined) return null;
    const place = at + before.length;
    report('yaml/unquoted-start', locate(place, place + 1), { character: '#', value: value.trimEnd() });
    reported.add(pathKey(path));
    return value;
  }
  const [, space = '', colour = ''] = hash;
  const start = at + space.length;
  report('yaml/unquoted-colour', locate(start, start + colour.length), { colour });
  reported.add(pathKey(path));
  return colour;
}

/** Maximum number of arguments of a colour function after the first. */
const MAX_ARGUMENTS = 4;

/** Reports colours that YAML misreads in a `[…]` list: it splits `hsl(1, 2%, 3%)` in three, and a line with a hex colour is a comment. */
function reportFlowTraps(
  items: readonly Node[],
  [start, end]: readonly [number, number],
  path: Path,
  { text, locate, report, reported }: Conversion,
): void {
  items.forEach((item, index) => {
    if (!isScalar(item) || item.type !== 'PLAIN' || !/^[a-z-]+\([^)]*$/i.test(String(item.value))) return;
    const followers = items.slice(index + 1, index + 1 + MAX_ARGUMENTS);
    const last = followers.find((later) => isScalar(later) && String(later.value).endsWith(')'));
    if (last === undefined) return;
    const cut: [number, number] = [range(item)[0], range(last)[1]];
    const source = text.slice(...cut);
    report('yaml/unquoted-function', locate(...cut), { text: source.replaceAll(/\s+/g, ' ') });
    reported.add(pathKey(path));
  });
  for (const { 0: line, 1: colour = '', index } of text
    .slice(start, end)
    .matchAll(/^[ \t]*(#[0-9a-f]{3,8}),?[ \t]*$/gim)) {
    const at = start + index + line.indexOf('#');
    report('yaml/unquoted-colour', locate(at, at + colour.length), { colour });
    reported.add(pathKey(path));
  }
}
