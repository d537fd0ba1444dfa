import { z } from 'zod';
import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { validateFields } from '../source/validate.ts';
import { parseYaml } from '../source/yaml.ts';
import type { RowPlace, WrittenRow } from './scan.ts';
import { withoutKeys } from './without-keys.ts';

const key = z.union([z.string(), z.int()], { error: 'a key' }).transform(String);
const byTheme = (description: string) => z.record(z.string(), z.array(key)).meta({ description });

/** What may be written in `users.yaml`. */
export const usersSchema = z
  .strictObject({
    users: byTheme('Each theme (folder name) with the list of users that get it.'),
    groups: byTheme('Each theme (folder name) with the list of groups that get it.'),
  })
  .partial();

/** Most parts of users.yaml: a list of 40,000 keys, more than fit in 256 KiB with names of usual length. */
export const MAX_PARTS = 80_000;

/**
 * Reads `users.yaml`.
 * @param folders - the slugs that there are
 */
export function parseUsersYaml(file: string, text: string, folders: ReadonlySet<string>, report: Report): WrittenRow[] {
  const discreet = withoutKeys(report, folders);
  const document = parseYaml(file, text, discreet, MAX_PARTS);
  if (document === undefined) return [];
  const { values } = validateFields(usersSchema.shape, document, discreet);
  for (const field of ['users', 'groups'] as const) {
    // zod leaves this key out of records, lest it become a prototype; its users are not to vanish unsaid.
    if (!Object.hasOwn(Object(document.data[field]), '__proto__')) continue;
    const place = document.keyAt([field, '__proto__']);
    report('mapping/unknown-theme', place, { isEmpty: false, suggestion: undefined, users: 1 });
  }
  return (['users', 'groups'] as const).flatMap((field) =>
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
}

/** The place of a node as that of a row in a chunk that starts at the first line. */
function rowPlace({ start, end }: Location): RowPlace {
  const { line = 1, column = 1 } = start ?? {};
  return { line: line - 1, column, length: end?.line === line ? end.column - column : 1 };
}
