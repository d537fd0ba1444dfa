import { randomBytes } from 'node:crypto';
import type { Location, Report } from '../../diagnostics/diagnostic.ts';
import { locateRow } from '../../mapping/findings.ts';
import { KeyDigest, wordOf } from '../../mapping/key-digest.ts';
import { type KeyKind, keyProblem } from '../../mapping/key.ts';
import { rowOf, type Row } from '../../mapping/records.ts';
import { readPairs, RowScanner } from '../../mapping/row-scanner.ts';
import { scanAll, type UsersSource } from './read-users.ts';

/** A key that is looked for. */
export interface Wanted {
  kind: KeyKind;
  key: string;
}

/** Where a key is given a theme. */
export interface Found extends Wanted {
  theme: string;
  location: Location;
}

/** Reads all files of users for a few keys: the first place of each. */
export async function findUsers(
  sources: readonly UsersSource[],
  themes: readonly string[],
  wanted: readonly Wanted[],
  report: Report,
): Promise<Found[]> {
  const secret = randomBytes(32);
  const digests = new Map(
    wanted.flatMap((one) => (keyProblem(one.key) === undefined ? [[digestOf(secret, one), one] as const] : [])),
  );
  const rows = new Map<Wanted, Row>();
  const scanner = new RowScanner({ themes, secret, foldsCase: false, keepsPairs: false }, (...words) => {
    const one = digests.get(words.slice(0, 3).join());
    if (one !== undefined && !rows.has(one)) rows.set(one, rowOf(Uint32Array.from(words), 0));
  });
  const chunks = await scanAll(
    sources,
    alone(scanner, () => undefined),
    themes,
    report,
  );
  return [...rows].flatMap(([one, row]) => {
    const theme = themes[row.theme];
    return theme === undefined ? [] : [{ ...one, theme, location: locateRow(chunks, row) }];
  });
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
  const sample: Wanted[] = [];
  const scanner = new RowScanner(
    { themes, secret: randomBytes(32), foldsCase: false, keepsPairs: true },
    () => undefined,
  );
  const keep = (pairs: Buffer): void => {
    for (const pair of sample.length < samples ? readPairs(pairs) : [])
      if (pair.theme === wanted && sample.length < samples) sample.push({ kind: pair.kind, key: pair.key });
  };
  const chunks = await scanAll(sources, alone(scanner, keep), themes, report);
  const count = (kind: KeyKind): number => chunks.reduce((sum, { counts }) => sum + (counts[kind][wanted] ?? 0), 0);
  return { counts: { user: count('user'), group: count('group') }, sample };
}

function digestOf(secret: Uint8Array, { kind, key }: Wanted): string {
  const digest = new KeyDigest(secret);
  for (let at = 0; at < key.length; at++) digest.key[at] = key.charCodeAt(at);
  const text = digest.of(kind, key.length);
  return [wordOf(text, 0), wordOf(text, 4), wordOf(text, 8)].join();
}

/** Scans in this thread, and keeps no pairs but those that are handed out. */
function alone(scanner: RowScanner, handOut: (pairs: Buffer) => void): Parameters<typeof scanAll>[1] {
  const end = () => {
    const { pairs, ...scan } = scanner.end();
    handOut(pairs);
    return { ...scan, pairs: undefined };
  };
  return {
    take: (chunk, rows) => {
      scanner.begin(chunk);
      for (const row of rows) scanner.add(row);
      return end();
    },
    scan: async ({ chunk, form, bytes }) => {
      scanner.begin(chunk);
      scanner.rows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), form);
      return { scanned: Promise.resolve(end()) };
    },
  };
}
