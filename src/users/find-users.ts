import { randomBytes } from 'node:crypto';
import type { Report } from '../diagnostics/diagnostic.ts';
import { locate } from './chunks.ts';
import { KeyDigest, wordOf } from './key-digest.ts';
import type { FoundAssignment, SearchedKey } from './mapping.ts';
import { type Row, rowOf, rowPlace } from './digest-records.ts';
import { readPairs } from './pairs.ts';
import { RowScanner } from './row-scanner.ts';
import { type AddRecord, emptyScan } from './scan.ts';
import type { KeyKind } from './key.ts';
import { scanSources } from './scan-sources.ts';
import type { UsersSource } from './source-rows.ts';

/**
 * Searches all users files for a few keys. Finds the first two assignments of each key, and the first that ignores case.
 * @param keys - valid keys
 */
export async function findUsers(
  sources: readonly UsersSource[],
  themes: readonly string[],
  keys: readonly SearchedKey[],
  report: Report,
): Promise<FoundAssignment[]> {
  const secret = randomBytes(32);
  const searches = keys.flatMap((searchedKey) => [
    { searchedKey, digest: digestOf(secret, searchedKey), isCaseIgnored: false },
    {
      searchedKey,
      digest: digestOf(secret, { ...searchedKey, key: searchedKey.key.toLowerCase() }),
      isCaseIgnored: true,
    },
  ]);
  type Search = (typeof searches)[number];
  let seen: { search: Search; row: Row }[] = [];
  const results = new Map<Search, FoundAssignment>();
  const isDone = (search: Search): boolean => {
    const result = results.get(search);
    return result !== undefined && (search.isCaseIgnored || result.again !== undefined);
  };
  const notice: AddRecord = (...words) => {
    for (const search of searches) {
      const isAlike = search.digest.every((word, at) => word === words[at]);
      if (!isAlike || isDone(search)) continue;
      const row = rowOf(Uint32Array.from(words), 0);
      if (search.isCaseIgnored || !row.isFolded) seen.push({ search, row });
    }
  };
  const scanner = new RowScanner({ themes, secret, foldsCase: true, retainsPairs: false }, notice);
  for await (const chunk of scanSources(sources, scanner, report)) {
    for (const { search, row } of seen) {
      const { searchedKey, isCaseIgnored } = search;
      const location = locate(chunk, rowPlace(row));
      const result = results.get(search);
      if (result === undefined)
        results.set(search, { ...searchedKey, theme: themes[row.theme], location, again: undefined, isCaseIgnored });
      else if (!isDone(search)) result.again = location;
    }
    seen = [];
  }
  return [...results.values()];
}

/** Counts the keys that each file assigns to each theme, by kind and by the index of the theme. */
export async function usersBySource(
  sources: readonly UsersSource[],
  themes: readonly string[],
): Promise<Map<string, Record<KeyKind, number[]>>> {
  const options = { themes, secret: randomBytes(32), foldsCase: false, retainsPairs: false };
  const bySource = new Map<string, Record<KeyKind, number[]>>();
  for await (const { file, counts } of scanSources(
    sources,
    new RowScanner(options, () => undefined),
    () => undefined,
  )) {
    const total = bySource.get(file) ?? emptyScan(themes.length).counts;
    for (const kind of ['user', 'group'] as const)
      total[kind] = total[kind].map((n, theme) => n + (counts[kind][theme] ?? 0));
    bySource.set(file, total);
  }
  return bySource;
}

/** Yields all keys with the indexes of their themes, in parts and in the order of the files. */
export async function* assignedKeys(
  sources: readonly UsersSource[],
  themes: readonly string[],
  report: Report,
): AsyncGenerator<ReturnType<typeof readPairs>> {
  const options = { themes, secret: randomBytes(32), foldsCase: false, retainsPairs: true };
  const scanner = new RowScanner(options, () => undefined);
  for await (const { pairs } of scanSources(sources, scanner, report)) yield readPairs(pairs);
}

/** Returns the words of a record that identify a key. */
function digestOf(secret: Uint8Array, { kind, key }: SearchedKey): number[] {
  const digest = new KeyDigest(secret);
  for (let at = 0; at < key.length; at++) digest.key[at] = key.charCodeAt(at);
  const text = digest.of(kind, key.length);
  return [wordOf(text, 0), wordOf(text, 4), wordOf(text, 8)];
}
