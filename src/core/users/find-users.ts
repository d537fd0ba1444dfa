import type { Location, Report } from '../diagnostics/diagnostic.ts';
import type { KeyKind } from './key.ts';
import type { FoundAssignment, SearchedKey } from './mapping.ts';
import { locationOf, readRows } from './rows.ts';
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
  const searches = keys.map(({ kind, key }) => ({ kind, key, folded: key.toLowerCase() }));
  const exact = new Map<(typeof searches)[number], FoundAssignment>();
  const similar = new Map<(typeof searches)[number], FoundAssignment>();
  await readRows(sources, { themes, report }, (row) => {
    for (const search of searches) {
      const { kind, key, folded } = search;
      if (row.kind !== kind || row.key.length !== key.length || row.key.toLowerCase() !== folded) continue;
      const found = { kind, key, theme: themes[row.theme ?? -1], location: locationOf(row), again: undefined };
      if (!similar.has(search)) similar.set(search, { ...found, isCaseIgnored: true });
      if (row.key !== key) continue;
      const first = exact.get(search);
      if (first === undefined) exact.set(search, { ...found, isCaseIgnored: false });
      else first.again ??= found.location;
    }
  });
  return searches.flatMap((search) => [exact.get(search), similar.get(search)].filter((found) => found !== undefined));
}

/** A user of a theme, and the row that assigns it. */
export interface UserOfTheme {
  key: string;
  location: Location;
}

/** Returns the first users of a theme whose keys contain a text, and how many there are. @param theme - its index */
export async function usersOfTheme(
  sources: readonly UsersSource[],
  themes: readonly string[],
  theme: number,
  { filter, max }: { filter: string; max: number },
): Promise<{ users: UserOfTheme[]; total: number }> {
  const users: UserOfTheme[] = [];
  let total = 0;
  await readRows(sources, { themes, report: () => undefined }, (row) => {
    if (row.theme !== theme || row.kind !== 'user' || !row.key.includes(filter)) return;
    total++;
    if (users.length < max) users.push({ key: row.key, location: locationOf(row) });
  });
  return { users, total };
}

/** Counts the keys that each file assigns to each theme, by kind and by the index of the theme. */
export async function usersBySource(
  sources: readonly UsersSource[],
  themes: readonly string[],
): Promise<Map<string, Record<KeyKind, number[]>>> {
  const bySource = new Map<string, Record<KeyKind, number[]>>();
  await readRows(sources, { themes, report: () => undefined }, ({ file, kind, theme }) => {
    const counts = bySource.get(file) ?? { user: themes.map(() => 0), group: themes.map(() => 0) };
    bySource.set(file, counts);
    if (theme !== undefined) counts[kind][theme]!++;
  });
  return bySource;
}
