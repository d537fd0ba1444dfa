import { z } from 'zod';
import type { Report } from '../diagnostics/diagnostic.ts';
import { validateFields } from '../source/validate.ts';
import type { SourceDocument } from '../source/yaml.ts';
import type { Assignment } from './assignments.ts';

/** What may be written in `users.yaml`: under `users`, each theme with its list of user keys. */
export const usersSchema = z
  .strictObject({
    users: z
      .record(z.string(), z.array(z.union([z.string(), z.int()], { error: 'a user key' }).transform(String)))
      .meta({ description: 'Each theme (folder name) with the list of users who get it.' }),
  })
  .partial();

/** The assignments of `users.yaml`. */
export function usersOf(document: SourceDocument, report: Report): Assignment[] {
  const { values } = validateFields(usersSchema.shape, document, report);
  // zod leaves this key out of records, lest it become a prototype; its users are not to vanish unsaid.
  if (Object.hasOwn(Object(document.data['users']), '__proto__')) {
    const place = document.keyAt(['users', '__proto__']);
    report('mapping/unknown-theme', place, { theme: '__proto__', suggestion: undefined, users: 1 });
  }
  return Object.entries(values.users ?? {}).flatMap(([theme, users]) =>
    users.map((user, index) => ({
      user,
      theme,
      location: document.valueAt(['users', theme, index]),
      themeLocation: document.keyAt(['users', theme]),
    })),
  );
}
