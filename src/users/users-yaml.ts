import { z } from 'zod';
import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { validateFields } from '../source/validate.ts';
import { parseYaml } from '../source/yaml.ts';
import { meantTheme } from '../theme/meant-theme.ts';
import type { RowPlace, WrittenRow } from './scan.ts';
import { withoutKeys } from './without-keys.ts';

const byTheme = (entries: z.ZodType<string>, description: string) =>
  z.record(z.string(), z.array(entries)).meta({ description });

const key = z.union([z.string(), z.int()], { error: 'a key' }).transform(String);

/** What may be written in `users.yaml`. */
export const usersSchema = z
  .strictObject({
    users: byTheme(key, 'Each theme (folder name) with the list of users that get it.'),
    groups: byTheme(key, 'Each theme (folder name) with the list of groups that get it.'),
    files: byTheme(
      z.string(),
      'Each theme (folder name) with files of user keys, one a line: `users/testers.txt`, in the themes folder.',
    ),
  })
  .partial();

/** Most parts of users.yaml: a list of 40,000 keys, more than fit in 256 KiB with names of usual length. */
export const MAX_PARTS = 80_000;

/** A list of keys that `users.yaml` names. */
export interface KeyList {
  theme: string;
  /** As written: `users/testers.txt`. */
  path: string;
}

/**
 * Reads `users.yaml`.
 * @param folders - the slugs that there are
 * @param lists - the files that it may name
 */
export function parseUsersYaml(
  file: string,
  text: string,
  folders: ReadonlySet<string>,
  lists: Iterable<string>,
  report: Report,
): { rows: WrittenRow[]; lists: KeyList[] } {
  const discreet = withoutKeys(report, folders);
  const document = parseYaml(file, text, discreet, MAX_PARTS);
  if (document === undefined) return { rows: [], lists: [] };
  const { values } = validateFields(usersSchema.shape, document, discreet);
  const known = [...lists];
  const named = new Set<string>();
  for (const field of ['users', 'groups', 'files'] as const) {
    // zod leaves this key out of records, lest it become a prototype; its users are not to vanish unsaid.
    if (!Object.hasOwn(Object(document.data[field]), '__proto__')) continue;
    const place = document.keyAt([field, '__proto__']);
    report('mapping/unknown-theme', place, { isEmpty: false, suggestion: undefined, users: 1 });
  }
  const rows = (['users', 'groups'] as const).flatMap((field) =>
    Object.entries(values[field] ?? {}).flatMap(([theme, keys]) =>
      keys.map((written, index): WrittenRow => ({
        kind: field === 'users' ? 'user' : 'group',
        key: written,
        theme,
        place: rowPlace(document.valueAt([field, theme, index])),
        themePlace: rowPlace(document.keyAt([field, theme])),
      })),
    ),
  );
  const found = Object.entries(values.files ?? {}).flatMap(([theme, paths]) =>
    paths.flatMap((path, index): KeyList[] => {
      const place = document.valueAt(['files', theme, index]);
      if (!folders.has(theme)) {
        const { suggestion } = meantTheme(theme, [...folders]);
        report('mapping/unknown-theme', document.keyAt(['files', theme]), { isEmpty: false, suggestion, users: 1 });
      } else if (!known.includes(path)) {
        // Whatever else stands here may be a user key.
        const isPath = /^users\/[\w.-]+$/.test(path);
        report('mapping/list', place, { path: isPath ? path : undefined, suggestion: suggest(path, known) });
      } else if (named.has(path)) report('mapping/list-twice', place, { path });
      else {
        named.add(path);
        return [{ theme, path }];
      }
      return [];
    }),
  );
  return { rows, lists: found };
}

/** The place of a node as that of a row in a chunk that starts at the first line. */
function rowPlace({ start, end }: Location): RowPlace {
  const { line = 1, column = 1 } = start ?? {};
  return { line: line - 1, column, length: end?.line === line ? end.column - column : 1 };
}
