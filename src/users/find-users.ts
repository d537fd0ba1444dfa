import { randomBytes } from 'node:crypto';
import type { Report } from '../diagnostics/diagnostic.ts';
import { locate } from './diagnostics.ts';
import { KeyDigest, wordOf } from './key-digest.ts';
import type { KeyKind } from './key.ts';
import type { Found, Wanted } from './mapping.ts';
import { type Row, rowOf, rowPlace } from './digest-records.ts';
import { readPairs } from './pairs.ts';
import { RowScanner } from './row-scanner.ts';
import type { AddRecord, Scan } from './scan.ts';
import { CHUNK } from './row-chunks.ts';
import { sourceRows, type UsersSource } from './source-rows.ts';

/**
 * Searches all user files for a few keys: the first two places of each as written, and the first of each in any case.
 * @param wanted - valid keys
 */
export async function findUsers(
  sources: readonly UsersSource[],
  themes: readonly string[],
  wanted: readonly Wanted[],
  report: Report,
): Promise<Found[]> {
  const secret = randomBytes(32);
  const searches = wanted.flatMap((wantedKey) => [
    { wantedKey, digest: digestOf(secret, wantedKey), isCaseIgnored: false },
    { wantedKey, digest: digestOf(secret, { ...wantedKey, key: wantedKey.key.toLowerCase() }), isCaseIgnored: true },
  ]);
  type Search = (typeof searches)[number];
  let seen: { search: Search; row: Row }[] = [];
  const found = new Map<Search, Found>();
  const isDone = (search: Search): boolean => {
    const known = found.get(search);
    return known !== undefined && (search.isCaseIgnored || known.again !== undefined);
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
  for await (const chunk of scans(sources, themes, scanner, report)) {
    for (const { search, row } of seen) {
      const { wantedKey, isCaseIgnored } = search;
      const location = locate(chunk, rowPlace(row));
      const known = found.get(search);
      if (known === undefined)
        found.set(search, { ...wantedKey, theme: themes[row.theme], location, again: undefined, isCaseIgnored });
      else if (!isDone(search)) known.again = location;
    }
    seen = [];
  }
  return [...found.values()];
}

/** The users of a theme: how many of each kind, a few of them, and the files that list them. */
export async function usersOfTheme(
  sources: readonly UsersSource[],
  themes: readonly string[],
  theme: string,
  samples: number,
  report: Report,
): Promise<{ counts: Record<KeyKind, number>; sample: Wanted[]; files: string[] }> {
  const wanted = themes.indexOf(theme);
  const counts = { user: 0, group: 0 };
  const sample: Wanted[] = [];
  const files = new Set<string>();
  const options = { themes, secret: randomBytes(32), foldsCase: false, retainsPairs: true };
  const scanner = new RowScanner(options, () => undefined);
  for await (const { file, scan } of scans(sources, themes, scanner, report)) {
    for (const kind of ['user', 'group'] as const) {
      const rows = scan.counts[kind][wanted] ?? 0;
      counts[kind] += rows;
      if (rows > 0) files.add(file);
    }
    if (sample.length === samples) continue;
    for (const pair of readPairs(scan.pairs))
      if (pair.theme === wanted && sample.length < samples) sample.push({ kind: pair.kind, key: pair.key });
  }
  return { counts, sample, files: [...files] };
}

/** The slug of the theme of every key, by kind and key (`user ann`): of one that is listed twice, the first. */
export async function themesOfKeys(
  sources: readonly UsersSource[],
  themes: readonly string[],
  report: Report,
): Promise<Map<string, string>> {
  const themeByKey = new Map<string, string>();
  const options = { themes, secret: randomBytes(32), foldsCase: false, retainsPairs: true };
  for await (const { scan } of scans(sources, themes, new RowScanner(options, () => undefined), report)) {
    for (const { kind, key, theme } of readPairs(scan.pairs)) {
      const name = `${kind} ${key}`;
      if (!themeByKey.has(name)) themeByKey.set(name, themes[theme] ?? '');
    }
  }
  return themeByKey;
}

/** Scans chunk by chunk, in this thread. */
async function* scans(
  sources: readonly UsersSource[],
  themes: readonly string[],
  scanner: RowScanner,
  report: Report,
): AsyncGenerator<{ file: string; firstLine: number; scan: Scan }> {
  let next = 1;
  for (const source of sources) {
    for await (const { place, ...rows } of sourceRows(source, themes, CHUNK, report)) {
      scanner.begin(0);
      if ('rows' in rows) for (const row of rows.rows) scanner.add(row);
      else scanner.rows(rows.bytes, rows.form);
      const scan = scanner.end();
      const firstLine = place.firstLine ?? next;
      next = firstLine + scan.lines;
      yield { file: place.file, firstLine, scan };
    }
  }
}

/** The words of a record that identify a key. */
function digestOf(secret: Uint8Array, { kind, key }: Wanted): number[] {
  const digest = new KeyDigest(secret);
  for (let at = 0; at < key.length; at++) digest.key[at] = key.charCodeAt(at);
  const text = digest.of(kind, key.length);
  return [wordOf(text, 0), wordOf(text, 4), wordOf(text, 8)];
}
