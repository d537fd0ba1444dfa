import { type Diagnostic, Diagnostics } from '../../src/core/diagnostics/diagnostic.ts';
import { readUsers, type ReadUsersOptions, type Users } from '../../src/core/users/read-users.ts';
import type { Sizes } from '../../src/core/users/rows.ts';
import type { UsersSource } from '../../src/core/users/source-rows.ts';

/** The slugs of the themes with the ids 1 and 2. */
export const THEMES = ['harbor', 'meadow'] as const;

/** Returns a file that is read in the given parts. */
export function source(file: string, ...parts: readonly (string | Buffer)[]): UsersSource {
  const bytes = async function* (): AsyncGenerator<Buffer> {
    for (const part of parts) yield Buffer.from(part);
  };
  return { file, open: () => Promise.resolve(bytes()) };
}

/** The result of reading files: the diagnostics, and the user and group keys with their themes. */
export interface ReadResult {
  users: Users;
  diagnostics: readonly Diagnostic[];
  user: readonly string[];
  group: readonly string[];
}

/** Reads files and the complete mapping as a build does. */
export async function read(
  sources: readonly UsersSource[],
  options: Partial<ReadUsersOptions> = {},
  sizes?: Partial<Sizes>,
): Promise<ReadResult> {
  const diagnostics = new Diagnostics();
  const ids = THEMES.map((_, index) => index + 1);
  const users = await readUsers(
    sources,
    {
      themes: THEMES,
      ids: { user: ids, group: ids },
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

/** Returns a diagnostic as `code line:column-column`, short enough to compare. */
export function formatLocation({ code, location: { start, end } }: Diagnostic): string {
  return start === undefined ? code : `${code} ${start.line}:${start.column}-${end?.column}`;
}
