import type { Location } from '../diagnostics/diagnostic.ts';
import { locate, type ScannedChunk } from './diagnostics.ts';
import type { KeyKind } from './key.ts';
import { readPairs } from './pairs.ts';
import type { Stored } from './spill-store.ts';

/** A scanned chunk, with its keys and themes if they are retained. */
export type Chunk = ScannedChunk & { pairs: Stored | undefined };

/** How many keys of a kind are given a theme, of those themes that count. */
export function countKeys(
  chunks: readonly Chunk[],
  kind: KeyKind,
  counts: (theme: number) => boolean = () => true,
): number {
  let all = 0;
  for (const chunk of chunks) for (const [theme, keys] of chunk.counts[kind].entries()) if (counts(theme)) all += keys;
  return all;
}

/** How many keys of a kind each theme is given to. */
export function countsByTheme(chunks: readonly Chunk[], kind: KeyKind, themes: readonly string[]): number[] {
  const all = themes.map(() => 0);
  for (const { counts } of chunks)
    for (const [theme, keys] of counts[kind].entries()) all[theme] = (all[theme] ?? 0) + keys;
  return all;
}

/** Where the first key of a kind is. */
export function firstKey(chunks: readonly Chunk[], kind: KeyKind): Location | undefined {
  const chunk = chunks.find(({ first }) => first[kind] !== undefined);
  const first = chunk?.first[kind];
  return chunk && first && locate(chunk, first);
}

/** The keys of a kind with their themes, from some place on, in the order of the files. */
export function* pairsOf(
  kind: KeyKind,
  from: number,
  chunks: readonly Chunk[],
  themes: readonly string[],
  isNeeded: (theme: number) => boolean,
  read: (stored: Stored) => Buffer,
): Generator<readonly [key: string, theme: string]> {
  let left = from;
  for (const chunk of chunks) {
    const count = countKeys([chunk], kind, isNeeded);
    if (left >= count || chunk.pairs === undefined) {
      left -= Math.min(left, count);
      continue;
    }
    for (const { kind: of, key, theme } of readPairs(read(chunk.pairs))) {
      const slug = themes[theme];
      if (of !== kind || slug === undefined || !isNeeded(theme)) continue;
      if (left === 0) yield [key, slug];
      else left--;
    }
  }
}
