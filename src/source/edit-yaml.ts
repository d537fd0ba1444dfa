import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLSeq } from 'yaml';
import { apart, type Edit, edited } from './edits.ts';
import { writeYaml } from './write-yaml.ts';

/** The file is not a block mapping without errors, so it cannot be edited in place. */
export class EditYamlError extends Error {}

/**
 * Changes top-level fields of a YAML file and leaves every other byte as it is: comments, order, blank lines, quotes, line endings.
 * @param changes - new values; `undefined` removes a field with its line. In a list of the same length, only the entries that differ are replaced.
 * @param order - where a new field goes: after the nearest earlier one of this order that the file has
 * @throws {EditYamlError}
 */
export function editYaml(text: string, changes: ReadonlyMap<string, unknown>, order: readonly string[]): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const had = pairsOf(text);
  const added = [...changes].filter(([field, value]) => value !== undefined && !had.has(field));
  // First: where a field is removed, there may be none left to put another beside.
  const filled = insert(text, added, order, eol);
  const pairs = pairsOf(filled);
  const edits = [...changes].flatMap(([field, value]) => {
    const pair = had.has(field) ? pairs.get(field) : undefined;
    if (pair === undefined) return [];
    return value === undefined ? [removal(filled, pair)] : replacement(filled, pair, value);
  });
  return edited(filled, apart(edits.map((edit) => ({ ...edit, text: edit.text.replaceAll('\n', eol) }))));
}

/** The top-level pairs of a file by name. @throws {EditYamlError} */
function pairsOf(text: string): Map<string, Pair<Node>> {
  const { contents, errors } = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
  if (errors.length > 0 || !isMap(contents) || contents.flow === true)
    throw new EditYamlError('The file is not a YAML mapping in block style without errors.');
  return new Map(
    contents.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair as Pair<Node>]] : [])),
  );
}

function replacement(text: string, { key, value }: Pair<Node>, wanted: unknown): Edit[] {
  const node = value as Node | null;
  if (isSeq(node) && Array.isArray(wanted)) {
    const entries = entryEdits(node, wanted);
    if (entries !== undefined) return entries;
  }
  const [keyEnd = 0] = key.range?.slice(1) ?? [];
  const start = text.indexOf(':', keyEnd) + 1;
  const isEmpty = node?.range === undefined || node.range === null || node.range[0] === node.range[1];
  const last = isEmpty ? start : trimmedEnd(text, node.range?.[1] ?? start);
  // A comment behind the last entry of a list is about that entry.
  const end = isSeq(node) && node.flow !== true ? trimmedEnd(text, lineEnd(text, last)) : last;
  return [{ start, end, text: rendered(wanted) }];
}

/** The entries of a list that differ; nothing if it has another length, or entries that are no scalars. */
function entryEdits({ items }: YAMLSeq, wanted: readonly unknown[]): Edit[] | undefined {
  if (items.length !== wanted.length || !items.every((item) => isScalar(item))) return undefined;
  return items.flatMap((item, at) => {
    const [start = 0, end = 0] = item.range ?? [];
    return item.value === wanted[at] ? [] : [{ start, end, text: rendered(wanted[at]).trim() }];
  });
}

/** The line of a field, or all of them. */
function removal(text: string, { key, value }: Pair<Node>): Edit {
  const start = key.range?.[0] ?? 0;
  const last = Math.max(key.range?.[1] ?? 0, trimmedEnd(text, (value as Node | null)?.range?.[1] ?? 0));
  return { start, end: lineEnd(text, last), text: '' };
}

/** After the colon of a field: its value, and a space or a line break before it. */
function rendered(value: unknown): string {
  return writeYaml([['a', value]])
    .slice('a:'.length)
    .trimEnd();
}

/** Inserts fields, each after the nearest earlier one of the order that the text has by then. */
function insert(
  text: string,
  added: readonly (readonly [field: string, value: unknown])[],
  order: readonly string[],
  eol: string,
): string {
  const rank = (field: string): number => (order.includes(field) ? order.indexOf(field) : order.length);
  let result = text;
  for (const [field, value] of added.toSorted(([a], [b]) => rank(a) - rank(b))) {
    const pairs = [...pairsOf(result)];
    const before = pairs.filter(([name]) => rank(name) < rank(field));
    const last = before.toSorted(([a], [b]) => rank(a) - rank(b)).at(-1)?.[1];
    const after = last === undefined ? undefined : removal(result, last).end;
    const at = after ?? pairs[0]?.[1].key.range?.[0] ?? result.length;
    const gap = after !== undefined && !result.slice(0, at).endsWith('\n') ? eol : '';
    const line = `${field}:${rendered(value)}${eol}`.replaceAll(/\r?\n/g, eol);
    result = result.slice(0, at) + gap + line + result.slice(at);
  }
  return result;
}

/** A value without the line breaks after it: those of block scalars belong to their range. */
function trimmedEnd(text: string, end: number): number {
  return text.slice(0, end).trimEnd().length;
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}
