import { readUsers, type Users } from '../src/core/users/read-users.ts';
import type { KeyKind } from '../src/core/users/key.ts';
import type { Mapping } from '../src/core/users/mapping.ts';
import { themeBytes } from '../src/core/users/shards.ts';
import { source } from './unit/users.ts';

/** A user or group key, and its theme. */
export interface Assignment {
  kind: KeyKind;
  key: string;
  theme: string;
}

/** The ids of a test's themes. */
export type ThemeIds = Readonly<Record<string, number>>;

/** Reads assignments as a build does, and divides them into shards if there is a secret. */
export async function usersOf(
  assignments: readonly Assignment[],
  themes: ThemeIds,
  secret?: string,
  shards = 4096,
): Promise<Users> {
  const ids = Object.values(themes);
  const report = (code: string) => {
    throw new Error(`The assignments are wrong: ${code}.`);
  };
  const keyed = secret === undefined ? undefined : { secret: Buffer.from(secret) };
  return readUsers(
    (['user', 'group'] as const).map((kind) => {
      const rows = assignments
        .filter((assignment) => assignment.kind === kind)
        .map(({ key, theme }) => `${key},${theme}\n`);
      return source(`themes/users/${kind}s.csv`, `${kind},theme\n${rows.join('')}`);
    }),
    {
      themes: Object.keys(themes),
      ids: { user: ids, group: ids },
      retainsPairs: true,
      shards: keyed && { ...keyed, bits: Math.log2(shards), themeBytes: themeBytes(ids) },
    },
    report,
  );
}

/** Returns the mapping of assignments to the fixture's themes and to additional themes. */
export async function mappingOf(assignments: readonly Assignment[], secret?: string): Promise<Mapping> {
  const slugs = new Set(['harbor', 'meadow', 'nightfall', ...assignments.map(({ theme }) => theme)]);
  const themes = Object.fromEntries([...slugs].map((slug, index) => [slug, index + 1]));
  return (await usersOf(assignments, themes, secret)).mapping;
}
