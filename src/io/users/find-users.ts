import { randomBytes } from 'node:crypto';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { locate } from '../../users/diagnostics.ts';
import { KeyDigest, wordOf } from '../../users/key-digest.ts';
import type { KeyKind } from '../../users/key.ts';
import type { Found, Wanted } from '../../users/mapping.ts';
import { type Row, rowOf, rowPlace } from '../../users/digest-records.ts';
import { readPairs } from '../../users/pairs.ts';
import { type AddRecord, RowScanner, type Scan } from '../../users/row-scanner.ts';
import { CHUNK } from './row-chunks.ts';
import { rowsOf, type UsersSource } from './rows-of.ts';

/**
 * Reads all files of users for a few keys: the first two places of each as it is written, and the first of each whatever its case.
 * @param wanted - keys in the canonical alphabet
 */
export async function findUsers(
  sources: readonly UsersSource[],
  themes: readonly string[],
  wanted: readonly Wanted[],
  report: Report,
): Promise<Found[]> {
  const secret = randomBytes(32);
  const looks = wanted.flatMap((one) => [
    { one, digest: digestOf(secret, one), isCaseIgnored: false },
    { one, digest: digestOf(secret, { ...one, key: one.key.toLowerCase() }), isCaseIgnored: true },
  ]);
  type Look = (typeof looks)[number];
  let seen: { look: Look; row: Row }[] = [];
  const found = new Map<Look, Found>();
  const isDone = (look: Look): boolean => {
    const known = found.get(look);
    return known !== undefined && (look.isCaseIgnored || known.again !== undefined);
  };
  const notice: AddRecord = (...words) => {
    for (const look of looks) {
      const isAlike = look.digest.every((word, at) => word === words[at]);
      if (!isAlike || isDone(look)) continue;
      const row = rowOf(Uint32Array.from(words), 0);
      if (look.isCaseIgnored || !row.isFolded) seen.push({ look, row });
    }
  };
  const scanner = new RowScanner({ themes, secret, foldsCase: true, keepsPairs: false }, notice);
  for await (const chunk of scans(sources, themes, scanner, report)) {
    for (const { look, row } of seen) {
      const { one, isCaseIgnored } = look;
      const location = locate(chunk, rowPlace(row));
      const known = found.get(look);
      if (known === undefined)
        found.set(look, { ...one, theme: themes[row.theme], location, again: undefined, isCaseIgnored });
      else if (!isDone(look)) known.again = location;
    }
    seen = [];
  }
  return [...found.values()];
}

/** Who is given a theme: how many of each kind, and a few of them. */
export async function usersOfTheme(
  sources: readonly UsersSource[],
  themes: readonly string[],
  theme: string,
  samples: number,
  report: Report,
): Promise<{ counts: Record<KeyKind, number>; sample: Wanted[] }> {
  const wanted = themes.indexOf(theme);
  const counts = { user: 0, group: 0 };
  const sample: Wanted[] = [];
  const options = { themes, secret: randomBytes(32), foldsCase: false, keepsPairs: true };
  const scanner = new RowScanner(options, () => undefined);
  for await (const { scan } of scans(sources, themes, scanner, report)) {
    for (const kind of ['user', 'group'] as const) counts[kind] += scan.counts[kind][wanted] ?? 0;
    if (sample.length === samples) continue;
    for (const pair of readPairs(scan.pairs))
      if (pair.theme === wanted && sample.length < samples) sample.push({ kind: pair.kind, key: pair.key });
  }
  return { counts, sample };
}

/** The first keys that are given a theme. */
export async function sampleOfUsers(
  sources: readonly UsersSource[],
  themes: readonly string[],
  most: number,
  report: Report,
): Promise<Wanted[]> {
  const sample: Wanted[] = [];
  const options = { themes, secret: randomBytes(32), foldsCase: false, keepsPairs: true };
  for await (const { scan } of scans(sources, themes, new RowScanner(options, () => undefined), report)) {
    for (const { kind, key } of readPairs(scan.pairs)) {
      sample.push({ kind, key });
      if (sample.length === most) return sample;
    }
  }
  return sample;
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
    for await (const { place, ...rows } of rowsOf(source, themes, CHUNK, report)) {
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

/** The words of a record that tell a key. */
function digestOf(secret: Uint8Array, { kind, key }: Wanted): number[] {
  const digest = new KeyDigest(secret);
  for (let at = 0; at < key.length; at++) digest.key[at] = key.charCodeAt(at);
  const text = digest.of(kind, key.length);
  return [wordOf(text, 0), wordOf(text, 4), wordOf(text, 8)];
}
