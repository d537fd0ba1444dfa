import { z } from 'zod';
import type { Report } from '../diagnostics/diagnostic.ts';
import { validateFields } from '../source/validate.ts';
import { parseYaml } from '../source/yaml.ts';
import type { Assignment } from './assignments.ts';
import { withoutKeys } from './without-keys.ts';

const keysByTheme = (keys: string) =>
  z
    .record(z.string(), z.array(z.union([z.string(), z.int()], { error: 'a key' }).transform(String)))
    .meta({ description: `Each theme (folder name) with the list of ${keys} that get it.` });

/** What may be written in `users.yaml`: under `users` and `groups`, each theme with its list of keys. */
export const usersSchema = z.strictObject({ users: keysByTheme('users'), groups: keysByTheme('groups') }).partial();

/**
 * Reads `users.yaml`.
 * @param folders - the slugs that there are
 */
export function parseUsersYaml(file: string, text: string, folders: ReadonlySet<string>, report: Report): Assignment[] {
  const discreet = withoutKeys(report, folders);
  const document = parseYaml(file, text, discreet);
  if (document === undefined) return [];
  const { values } = validateFields(usersSchema.shape, document, discreet);
  return (['users', 'groups'] as const).flatMap((field) => {
    // zod leaves this key out of records, lest it become a prototype; its users are not to vanish unsaid.
    if (Object.hasOwn(Object(document.data[field]), '__proto__')) {
      const place = document.keyAt([field, '__proto__']);
      report('mapping/unknown-theme', place, { theme: undefined, suggestion: undefined, users: 1, swapped: 0 });
    }
    return Object.entries(values[field] ?? {}).flatMap(([theme, keys]) => {
      const themeLocation = document.keyAt([field, theme]);
      return keys.map((key, index) => ({
        kind: field === 'users' ? ('user' as const) : ('group' as const),
        key,
        theme,
        location: document.valueAt([field, theme, index]),
        themeLocation,
      }));
    });
  });
}
