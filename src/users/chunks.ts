import type { Location } from '../diagnostics/diagnostic.ts';
import { rowPlace, type Row } from './digest-records.ts';
import type { KeyKind } from './key.ts';
import { readPairs } from './pairs.ts';
import type { RowPlace, Scan } from './scan.ts';

/** A scanned chunk: its place, the number of its rows and, if requested, its keys and themes. */
export interface Chunk extends Pick<Scan, 'lines' | 'counts' | 'first' | 'pairs'> {
  file: string;
  firstLine: number;
}

export function locate(
  { file, firstLine }: Pick<Chunk, 'file' | 'firstLine'>,
  { line, column, length }: RowPlace,
): Location {
  const number = firstLine + line;
  return { file, start: { line: number, column }, end: { line: number, column: column + length } };
}

export function locateRow(chunks: readonly Chunk[], row: Row): Location {
  return locate(chunkOf(chunks, row.chunk), rowPlace(row));
}

export function chunkOf(chunks: readonly Chunk[], index: number): Chunk {
  const chunk = chunks[index];
  if (chunk === undefined) throw new Error('Bug: a row of no chunk.');
  return chunk;
}

/** Counts the keys of a kind for each theme. */
export function countsByTheme(chunks: readonly Chunk[], kind: KeyKind, themes: readonly string[]): number[] {
  return themes.map((_, theme) => chunks.reduce((sum, { counts }) => sum + (counts[kind][theme] ?? 0), 0));
}

/** Adds up the keys of the themes for which `isCounted` is true. @param byTheme - the number of keys, by theme */
export function countKeys(byTheme: readonly number[], isCounted: (theme: number) => boolean = () => true): number {
  return byTheme.reduce((sum, keys, theme) => (isCounted(theme) ? sum + keys : sum), 0);
}

export function firstKey(chunks: readonly Chunk[], kind: KeyKind): Location | undefined {
  const chunk = chunks.find(({ first }) => first[kind] !== undefined);
  const first = chunk?.first[kind];
  return chunk && first && locate(chunk, first);
}

/** Yields the keys of a kind with their themes, in the order of the files. */
export function* pairsOf(
  kind: KeyKind,
  chunks: readonly Chunk[],
  themes: readonly string[],
  isNeeded: (theme: number) => boolean,
): Generator<readonly [key: string, theme: string]> {
  for (const { counts, pairs } of chunks) {
    if (countKeys(counts[kind], isNeeded) === 0) continue;
    for (const { kind: of, key, theme } of readPairs(pairs)) {
      const slug = themes[theme];
      if (of === kind && slug !== undefined && isNeeded(theme)) yield [key, slug];
    }
  }
}
