import { z } from 'zod';
import type { Report } from '../diagnostics/diagnostic.ts';
import { validateFields } from '../source/validate.ts';
import type { SourceDocument } from '../source/yaml.ts';
import type { Assignment } from './assignments.ts';

const keysByTheme = (keys: string) =>
  z
    .record(z.string(), z.array(z.union([z.string(), z.int()], { error: 'a key' }).transform(String)))
    .meta({ description: `Each theme (folder name) with the list of ${keys} that get it.` });

/** What may be written in `users.yaml`: under `users` and `groups`, each theme with its list of keys. */
export const usersSchema = z.strictObject({ users: keysByTheme('users'), groups: keysByTheme('groups') }).partial();

/** The assignments of `users.yaml`. */
export function usersOf(document: SourceDocument, report: Report): Assignment[] {
  const { values } = validateFields(usersSchema.shape, document, report);
  return (['users', 'groups'] as const).flatMap((field) => {
    // zod leaves this key out of records, lest it become a prototype; its users are not to vanish unsaid.
    if (Object.hasOwn(Object(document.data[field]), '__proto__')) {
      const place = document.keyAt([field, '__proto__']);
      report('mapping/unknown-theme', place, { theme: '__proto__', suggestion: undefined, users: 1 });
    }
    return Object.entries(values[field] ?? {}).flatMap(([theme, keys]) =>
      keys.map((key, index) => ({
        kind: field === 'users' ? ('user' as const) : ('group' as const),
        key,
        theme,
        location: document.valueAt([field, theme, index]),
        themeLocation: document.keyAt([field, theme]),
      })),
    );
  });
}
