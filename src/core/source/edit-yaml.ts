import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLSeq } from 'yaml';
import { type Edit, edited } from './edits.ts';
import { writeYaml } from './write-yaml.ts';

/**
 * Changes top-level fields of a YAML file, and no other byte: comments, order, blank lines, quotes and line endings remain.
 * @param changes - new values; `undefined` removes a field with its line. In a list of equal length, only entries that differ change.
 * @param order - a new field comes after the nearest existing field that precedes it in this order
 * @returns undefined if the file is no block mapping or has errors, so that it cannot be edited in place
 */
export function editYaml(
  text: string,
  changes: ReadonlyMap<string, unknown>,
  order: readonly string[],
): string | undefined {
  const { contents, errors } = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
  if (errors.length > 0 || !isMap(contents) || contents.flow === true) return undefined;
  const pairs = new Map(
    contents.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair as Pair<Node>]] : [])),
  );
  const added = [...changes].filter(([field, value]) => value !== undefined && !pairs.has(field));
  const edits = [...changes].flatMap(([field, value]) => {
    const pair = pairs.get(field);
    if (pair === undefined) return [];
    return value === undefined ? [removal(text, pair)] : replacement(text, pair, value);
  });
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const all = [...edits, ...insertions(text, pairs, added, order)]
    .map((edit) => ({ ...edit, text: edit.text.replaceAll('\n', eol) }))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  return edited(text, all);
}

function replacement(text: string, { key, value }: Pair<Node>, replacing: unknown): Edit[] {
  const node = value as Node | null;
  if (isSeq(node) && Array.isArray(replacing)) {
    const entries = entryEdits(node, replacing);
    if (entries !== undefined) return entries;
  }
  const [keyEnd = 0] = key.range?.slice(1) ?? [];
  const start = text.indexOf(':', keyEnd) + 1;
  const isEmpty = node?.range === undefined || node.range === null || node.range[0] === node.range[1];
  const last = isEmpty ? start : trimmedEnd(text, node.range?.[1] ?? start);
  // The comment behind the last entry describes that entry, which is replaced.
  const end = isSeq(node) && node.flow !== true ? trimmedEnd(text, nextLineStart(text, last)) : last;
  return [{ start, end, text: rendered(replacing) }];
}

/** Returns edits of the entries that differ; undefined if the list has another length, or an entry that is not a scalar. */
function entryEdits({ items }: YAMLSeq, entries: readonly unknown[]): Edit[] | undefined {
  if (items.length !== entries.length || !items.every((item) => isScalar(item))) return undefined;
  return items.flatMap((item, at) => {
    const [start = 0, end = 0] = item.range ?? [];
    return item.value === entries[at] ? [] : [{ start, end, text: rendered(entries[at]).trim() }];
  });
}

/** Removes all lines of a field. */
function removal(text: string, { key, value }: Pair<Node>): Edit {
  const start = key.range?.[0] ?? 0;
  const last = Math.max(key.range?.[1] ?? 0, trimmedEnd(text, (value as Node | null)?.range?.[1] ?? 0));
  return { start, end: nextLineStart(text, last), text: '' };
}

/** Returns the text after the colon of a field: a space or a line break, and the value. */
function rendered(value: unknown): string {
  return writeYaml([['a', value]])
    .slice('a:'.length)
    .trimEnd();
}

/** Inserts new fields, each after the nearest field before it in the order. */
function insertions(
  text: string,
  pairs: ReadonlyMap<string, Pair<Node>>,
  added: readonly (readonly [field: string, value: unknown])[],
  order: readonly string[],
): Edit[] {
  const rank = (field: string): number => (order.includes(field) ? order.indexOf(field) : order.length);
  const ranked = [...pairs].toSorted(([a], [b]) => rank(a) - rank(b));
  const [first] = pairs.values();
  const lines = new Map<number, string>();
  for (const [field, value] of added.toSorted(([a], [b]) => rank(a) - rank(b))) {
    const before = ranked.findLast(([name]) => rank(name) < rank(field))?.[1];
    const at = before === undefined ? (first?.key.range?.[0] ?? text.length) : removal(text, before).end;
    const gap = before === undefined || text.slice(0, at).endsWith('\n') ? '' : '\n';
    lines.set(at, `${lines.get(at) ?? gap}${field}:${rendered(value)}\n`);
  }
  return [...lines].map(([at, line]) => ({ start: at, end: at, text: line }));
}

/** Returns the end of a value without trailing line breaks, which the range of a block scalar includes. */
function trimmedEnd(text: string, end: number): number {
  return text.slice(0, end).trimEnd().length;
}

function nextLineStart(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}
