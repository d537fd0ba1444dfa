import type { Location } from '../diagnostics/diagnostic.ts';
import { rowPlace, type Row } from './digest-records.ts';
import type { KeyKind } from './key.ts';
import { readPairs } from './pairs.ts';
import type { RowPlace } from './scan.ts';
import type { Stored } from './spill-store.ts';
import type { Scanned } from './tasks.ts';

/** A scanned chunk: where it is, what was in it, and its keys and themes if they are retained. */
export interface Chunk extends Pick<Scanned, 'lines' | 'counts' | 'first' | 'pairs'> {
  file: string;
  /** Number of its first line. */
  firstLine: number;
}

/** The location of a row of a chunk. */
export function locate(
  { file, firstLine }: Pick<Chunk, 'file' | 'firstLine'>,
  { line, column, length }: RowPlace,
): Location {
  const number = firstLine + line;
  return { file, start: { line: number, column }, end: { line: number, column: column + length } };
}

/** The location of a row, by the chunk that it names. */
export function locateRow(chunks: readonly Chunk[], row: Row): Location {
  return locate(chunkOf(chunks, row.chunk), rowPlace(row));
}

export function chunkOf(chunks: readonly Chunk[], index: number): Chunk {
  const chunk = chunks[index];
  if (chunk === undefined) throw new Error('Bug: a row of no chunk.');
  return chunk;
}

/** How many keys of a kind each theme is given to. */
export function countsByTheme(chunks: readonly Chunk[], kind: KeyKind, themes: readonly string[]): number[] {
  return themes.map((_, theme) => chunks.reduce((sum, { counts }) => sum + (counts[kind][theme] ?? 0), 0));
}

/** How many keys there are, of those themes that count. @param byTheme - keys by theme */
export function countKeys(byTheme: readonly number[], counts: (theme: number) => boolean = () => true): number {
  return byTheme.reduce((sum, keys, theme) => (counts(theme) ? sum + keys : sum), 0);
}

/** Where the first key of a kind is. */
export function firstKey(chunks: readonly Chunk[], kind: KeyKind): Location | undefined {
  const chunk = chunks.find(({ first }) => first[kind] !== undefined);
  const first = chunk?.first[kind];
  return chunk && first && locate(chunk, first);
}

/** The keys of a kind with their themes, in the order of the files. */
export function* pairsOf(
  kind: KeyKind,
  chunks: readonly Chunk[],
  themes: readonly string[],
  isNeeded: (theme: number) => boolean,
  read: (stored: Stored) => Buffer,
): Generator<readonly [key: string, theme: string]> {
  for (const { counts, pairs } of chunks) {
    if (pairs === undefined || countKeys(counts[kind], isNeeded) === 0) continue;
    for (const { kind: of, key, theme } of readPairs(read(pairs))) {
      const slug = themes[theme];
      if (of === kind && slug !== undefined && isNeeded(theme)) yield [key, slug];
    }
  }
}
