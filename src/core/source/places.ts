import { type Document, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';
import type { Location } from '../diagnostics/diagnostic.ts';
import type { Reading } from './yaml-problems.ts';

/** A path to a value: keys and list indexes. */
export type Path = readonly PropertyKey[];

/** The locations of the parts of a document. */
export interface Places {
  /** Returns the location of the key or list entry at a path, or of the nearest part that exists. */
  keyAt(path: Path): Location;
  /** Returns the location of the value at a path. */
  valueAt(path: Path): Location;
  /** Returns the source text of the value at a path. */
  sourceAt(path: Path): string;
}

/** Returns functions that look up locations by path. */
export function places(document: Document.Parsed, { text, locate }: Reading): Places {
  const find = (path: Path, wantKey: boolean): [start: number, end: number] => {
    let node: unknown = document.contents;
    let key: Node | null = isMap(node) ? ((node.items[0]?.key as Node | undefined) ?? null) : null;
    for (const step of path) {
      if (isMap(node)) {
        const pair = node.items.find(({ key: name }) => isScalar(name) && String(name.value) === String(step));
        if (pair === undefined) return range(key);
        key = isNode(pair.key) ? pair.key : null;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(step)] ?? null;
        key = isNode(node) ? node : null;
      } else break;
    }
    const [start, end] = isNode(node) ? firstLine(node, text) : [0, 0];
    return wantKey || start === end ? range(key) : [start, end];
  };
  return {
    keyAt: (path) => locate(...find(path, true)),
    valueAt: (path) => locate(...find(path, false)),
    sourceAt: (path) => text.slice(...find(path, false)),
  };
}

export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

export function range(node: Node | null): [start: number, end: number] {
  return node?.range ? [node.range[0], node.range[1]] : [0, 0];
}

/** Limits a location to the first line of a node, so that a code frame stays short. */
export function firstLine(node: Node, text: string): [start: number, end: number] {
  const [start, end] = range(node);
  const newline = text.slice(start, end).indexOf('\n'); // not in the whole text: it may be one long line
  return [start, newline === -1 ? end : start + newline];
}
