import { quote } from '../diagnostics/quote.ts';
import type { ThemeRecord } from '../document/record.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { writeYaml } from '../source/write-yaml.ts';
import { themeSchema } from '../theme/schema.ts';
import { isSlug, slugOf, USERS_FOLDER } from '../theme/slug.ts';
import { add, reportErrors, sentence } from './field-errors.ts';
import { notWritten } from './file-edits.ts';
import type { FieldErrors, Payload, Rejection } from './payload.ts';
import type { Session } from './session.ts';
import { addNewErrors, authoredThemes, imageEdits } from './theme-edits.ts';

export interface Created {
  slug: string;
  record: ThemeRecord;
}

/** Takes the place of a missing or invalid folder name; no theme can have it. */
const NO_SLUG = '-';

/**
 * Writes a new theme into the themes folder once it is valid and its images are decoded. A rejected request leaves no files behind.
 * Errors of other themes do not prevent it.
 */
export async function createTheme(payload: Payload, session: Session): Promise<Created | Rejection> {
  if (payload.rejection !== undefined) return payload.rejection;
  const errors: FieldErrors = new Map();
  const slug = slugFor(payload.fields, errors);
  const authored = await authoredThemes(session);
  if (authored.content.files.has(slug))
    return {
      status: 409,
      detail: `The folder ${quote(slug)} already exists. Give the theme another name, or send another \`slug\`.`,
    };
  const images = await imageEdits(slug, payload, {}, authored, session, errors);
  const values = new Map([['id', authored.id], ...payload.fields, ...images.names]);
  values.delete('slug');
  const order = new Set([...Object.keys(themeSchema.shape).filter((field) => values.has(field)), ...values.keys()]);
  const text = writeYaml(
    [...order].map((field) => [field, values.get(field)]),
    authored.modeline,
  );
  addNewErrors(errors, slug, undefined, text, [...values.keys()], authored);
  const isIdTaken = authored.sources.some(({ fields }) => fields.id === values.get('id'));
  if (errors.size > 0) return { status: errors.size === 1 && errors.has('id') && isIdTaken ? 409 : 400, errors };
  try {
    await session.write(slug, [{ name: `${slug}/${THEME_FILE}`, after: Buffer.from(text) }, ...images.edits]);
  } catch (error) {
    return notWritten(error);
  }
  const record = session.view?.themes.find((theme) => theme.slug === slug)?.record;
  return record === undefined
    ? { status: 500, detail: 'The theme was written, but cannot be shown.' }
    : { slug, record };
}

/** The requested folder name, or else one derived from the name of the theme. */
export function slugFor(fields: Payload['fields'], errors: FieldErrors): string {
  const asked = fields.get('slug');
  const name = fields.get('name');
  const slug = asked ?? (typeof name === 'string' ? slugOf(name) : undefined);
  const report = (message: string): void => add(errors, 'slug', message);
  if (slug === USERS_FOLDER) report(`The folder ${quote(slug)} is reserved for files of users. Choose another name.`);
  else if (typeof slug === 'string')
    isSlug(
      slug,
      { file: '' },
      reportErrors((diagnostic) => report(sentence(diagnostic))),
    );
  else if (asked !== undefined) report('The folder name must be text.');
  else if (typeof name === 'string')
    report('The name of the theme does not yield a folder name. Send one: a–z, 0–9 and -.');
  else if (name === undefined) add(errors, 'name', 'This field is required.'); // even if it could be inherited
  return errors.size === 0 && typeof slug === 'string' ? slug : NO_SLUG;
}
