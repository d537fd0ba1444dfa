import { type Diagnostic, Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { readUsers, type ReadUsersOptions, type Users } from '../../src/users/read-users.ts';
import type { Sizes } from '../../src/users/scan-sources.ts';
import type { UsersSource } from '../../src/users/source-rows.ts';

/** The slugs that there are, ids 1 and 2. */
export const THEMES = ['harbor', 'meadow'] as const;

/** A file that is read in the parts that are given. */
export function source(file: string, ...parts: readonly (string | Buffer)[]): UsersSource {
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for (const part of parts) yield Buffer.from(part);
  };
  return { file, open: () => Promise.resolve(bytes()) };
}

/** What came of some files: findings by place, and of each kind the keys with their themes. */
export interface Read {
  users: Users;
  diagnostics: readonly Diagnostic[];
  user: readonly string[];
  group: readonly string[];
}

/** Reads files as the build does, and all of the mapping. */
export async function read(
  sources: readonly UsersSource[],
  options: Partial<ReadUsersOptions> = {},
  sizes?: Partial<Sizes>,
): Promise<Read> {
  const diagnostics = new Diagnostics();
  const ids = THEMES.map((_, index) => index + 1);
  const users = await readUsers(
    sources,
    {
      themes: THEMES,
      ids: { user: ids, group: ids },
      foldsCase: true,
      retainsPairs: true,
      shards: undefined,
      ...options,
    },
    diagnostics.report,
    sizes,
  );
  const [user, group] = (['user', 'group'] as const).map((kind) =>
    [...users.mapping.pairs(kind)].map(([key, theme]) => `${key}→${theme}`),
  );
  return { users, diagnostics: diagnostics.sorted, user: user ?? [], group: group ?? [] };
}

/** A finding as `code line:column-column`, short enough to compare. */
export function placeOf({ code, location: { start, end } }: Diagnostic): string {
  return start === undefined ? code : `${code} ${start.line}:${start.column}-${end?.column}`;
}
