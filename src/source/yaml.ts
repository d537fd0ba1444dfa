import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, parseDocument, type YAMLError } from 'yaml';
import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { locator } from './lines.ts';

/** A path to a value: keys and list indexes. */
export type Path = readonly PropertyKey[];

/** A YAML file as plain data that still knows where each part of it stands. */
export interface SourceDocument {
  file: string;
  text: string;
  /** The root mapping; keys in the order of the file. Has no prototype, so any key is only data. */
  data: Record<string, unknown>;
  /** Where the key (or list entry) at a path stands; the nearest part that exists, if it does not. */
  keyAt(path: Path): Location;
  /** Where the value at a path stands. */
  valueAt(path: Path): Location;
}

type Locate = (start: number, end: number) => Location;

/** Reads YAML 1.2 with the traps of the format turned into located findings. Nothing is returned if it cannot be used. */
export function parseYaml(file: string, text: string, report: Report): SourceDocument | undefined {
  const locate = locator(file, text);
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    stringKeys: true, // `1` and "1" are the same key; also keeps nested complex keys from taking exponential time
    intAsBigInt: true, // so that no integer loses digits unnoticed
    merge: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  let usable = true;
  for (const problem of [...document.errors, ...document.warnings]) {
    usable = reportProblem(problem, text, locate, report) && usable;
  }
  if (document.directives.yaml.explicit === true) {
    report('yaml/directive', locate(0, 0), {});
    usable = false;
  }
  if (!usable) return undefined;
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) {
    report('yaml/empty', { file }, {});
    return undefined;
  }
  if (!isMap(root)) {
    report('yaml/not-a-mapping', locate(...range(root)), { found: isSeq(root) ? 'a list' : 'a single value' });
    return undefined;
  }
  const data = toData(root, { text, locate, report }) as Record<string, unknown>;
  return { file, text, data, ...places(document, locate) };
}

/** Reports one finding of the YAML parser; answers whether the document can still be used. */
function reportProblem({ code, message, pos }: YAMLError, text: string, locate: Locate, report: Report): boolean {
  const [start, end] = pos;
  const place = locate(start, code === 'MULTIPLE_DOCS' ? start + 3 : Math.min(end, lineEnd(text, start)));
  const unquoted = /[[,\s](#[0-9a-f]{3,8})\b/iy;
  switch (code) {
    case 'DUPLICATE_KEY':
      report('yaml/duplicate-key', locate(start, keyEnd(text, start)), { key: text.slice(start, keyEnd(text, start)) });
      return true;
    case 'TAB_AS_INDENT':
      report('yaml/tab', place, {});
      return false;
    case 'MULTIPLE_DOCS':
      report('yaml/multiple-documents', place, {});
      return false;
    case 'BLOCK_AS_IMPLICIT_KEY':
      if (/^[^\n]*: /.test(text.slice(start, lineEnd(text, start) + 1))) {
        report('yaml/unquoted-colon', locate(start, lineEnd(text, start)), {});
        return false;
      }
      break;
    case 'BAD_SCALAR_START':
      report('yaml/unquoted-start', place, { character: text.charAt(start) });
      return false;
    case 'TAG_RESOLVE_FAILED':
      report('yaml/tag', place, { tag: text.slice(start, end) });
      return false;
    case 'BAD_DIRECTIVE':
      report('yaml/directive', place, {});
      return false;
    default:
  }
  // A hex colour in a flow list comments out the rest of the line, closing bracket included.
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  for (let at = lineStart; at < lineEnd(text, start); at++) {
    unquoted.lastIndex = at;
    const colour = unquoted.exec(text)?.[1];
    if (colour !== undefined) {
      report('yaml/unquoted-colour', locate(at + 1, at + 1 + colour.length), { colour });
      return false;
    }
  }
  report('yaml/syntax', place, {
    reason: message.charAt(0).toLowerCase() + message.slice(1).split('\n')[0]?.replace(/[.:]$/, ''),
  });
  return false;
}

interface Reading {
  text: string;
  locate: Locate;
  report: Report;
}

/** A node as plain data. Integers that are exact come as numbers; what YAML would twist is reported. */
function toData(node: Node | null, reading: Reading): unknown {
  const { text, locate, report } = reading;
  if (node === null) return null;
  const place = locate(...range(node));
  if (isAlias(node) || (isScalar(node) && node.anchor) || ((isMap(node) || isSeq(node)) && node.anchor)) {
    report('yaml/anchor', place, { source: text.slice(...range(node)).split('\n')[0] ?? '' });
    return undefined;
  }
  if (node.tag !== undefined && !(isMap(node) || isSeq(node))) {
    report('yaml/tag', place, { tag: node.tag });
    return undefined;
  }
  if (isMap(node)) {
    const data = Object.create(null) as Record<string, unknown>;
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      if (name === '<<') report('yaml/anchor', locate(...range(key as Node)), { source: '<<' });
      else data[name] = toData(value as Node | null, reading);
    }
    return data;
  }
  if (isSeq(node)) return joinFunctions(node.items as Node[], node.flow === true, reading);
  if (!isScalar(node)) return undefined;
  const { value, source = '' } = node;
  if (value === null || value === undefined) return emptyValue(range(node)[0], reading);
  if (typeof value === 'bigint' || typeof value === 'number') {
    const plain = /^(?:0|-?[1-9]\d*)$/.test(source) && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER;
    const decimal = /^-?(?:0|[1-9]\d*)\.\d+$/.test(source);
    if (!plain && !decimal) report('yaml/number-format', place, { source, value: String(Number(value)) });
    return Number(value);
  }
  if (typeof value === 'string' && node.type === 'PLAIN' && /^[“”„‟‘’‚«»]/u.test(value)) {
    report('yaml/curly-quotes', place, {});
  }
  return value;
}

/** An empty value is null, unless a comment swallowed a hex colour: that one is reported and taken as meant. */
function emptyValue(at: number, { text, locate, report }: Reading): string | null {
  const colour = /^#[0-9a-f]{3,8}\b/i.exec(text.slice(at, at + 10))?.[0];
  if (colour === undefined) return null;
  report('yaml/unquoted-colour', locate(at, at + colour.length), { colour });
  return colour;
}

/** The entries of a list; `[hsl(1, 2%, 3%)]`, which YAML cuts into three, is reported once and joined again. */
function joinFunctions(items: readonly Node[], flow: boolean, reading: Reading): unknown[] {
  const list: unknown[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = items[index] ?? null;
    const opens = flow && isScalar(item) && item.type === 'PLAIN' && /^[a-z-]+\([^)]*$/i.test(String(item.value));
    const last = opens
      ? items.findIndex((later, at) => at > index && isScalar(later) && String(later.value).endsWith(')'))
      : -1;
    if (last === -1) {
      list.push(toData(item, reading));
      continue;
    }
    const text = reading.text.slice(range(item)[0], range(items[last] ?? null)[1]);
    reading.report('yaml/unquoted-function', reading.locate(range(item)[0], range(items[last] ?? null)[1]), { text });
    list.push(text);
    index = last;
  }
  return list;
}

/** The look-up of places by path. */
function places(document: Document.Parsed, locate: Locate): Pick<SourceDocument, 'keyAt' | 'valueAt'> {
  const find = (path: Path, wantKey: boolean): Location => {
    let node: unknown = document.contents;
    let key: Node | null = isMap(node) ? ((node.items[0]?.key as Node | undefined) ?? null) : null;
    for (const step of path) {
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
        if (pair === undefined) return locate(...range(key));
        key = isNode(pair.key) ? pair.key : null;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(step)] ?? null;
        key = isNode(node) ? node : null;
      } else break;
    }
    const [start, end] = range(isNode(node) ? node : null);
    return wantKey || start === end ? locate(...range(key)) : locate(start, end);
  };
  return { keyAt: (path) => find(path, true), valueAt: (path) => find(path, false) };
}

function range(node: Node | null): [number, number] {
  return node?.range ? [node.range[0], node.range[1]] : [0, 0];
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function keyEnd(text: string, from: number): number {
  return (
    from + (/^(?:"[^"\n]*"|'[^'\n]*'|[^:\n]+)/.exec(text.slice(from, lineEnd(text, from)))?.[0].trimEnd().length ?? 1)
  );
}
