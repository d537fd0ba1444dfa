import { quote } from '../../../core/diagnostics/quote.ts';
import { logoFrom } from '../../../system/decoder/logo.ts';
import { logosOf, newTheme } from '../../../core/document/new-theme.ts';
import { THEME_MODELINE } from '../../../core/theme/theme-file.ts';
import { writeYaml } from '../../../core/source/write-yaml.ts';
import { paletteOfColour } from '../../../core/theme/colour/palette.ts';
import { themeSchema } from '../../../core/theme/schema.ts';
import { isSlug, slugOf, USERS_FOLDER } from '../../../core/theme/slug.ts';
import { THEME_FILE } from '../../../core/theme/themes-folder.ts';
import { add, type FieldErrors, notOpaque, reportTo } from './field-errors.ts';
import { themePath } from '../pages/layout.ts';
import { type Payload, reject, type Reply, textOf } from './payload.ts';
import type { Session } from '../session/session.ts';
import { imageEdits, writeChange } from './theme-edits.ts';

/** Replaces a missing or invalid folder name; no theme can have it. */
const NO_SLUG = '-';

/** Returns the requested folder name, or derives it from the name of the theme. */
function slugFor({ fields }: Payload, errors: FieldErrors): string {
  const requested = fields.get('slug');
  const name = fields.get('name');
  const slug = requested ?? (typeof name === 'string' ? slugOf(name) : undefined);
  if (slug === USERS_FOLDER)
    add(errors, 'slug', `The folder ${quote(slug)} is reserved for files of users. Choose another name.`);
  else if (typeof slug === 'string') isSlug(slug, { file: '' }, reportTo(errors, 'slug'));
  else if (requested !== undefined) add(errors, 'slug', 'The folder name must be text.');
  else if (typeof name === 'string')
    add(errors, 'slug', 'The name of the theme does not yield a folder name. Send one: a–z, 0–9 and -.');
  else if (name === undefined) add(errors, 'name', 'This field is required.'); // even if it could be inherited
  return errors.size === 0 && typeof slug === 'string' ? slug : NO_SLUG;
}

function slugInUse(slug: string): Reply {
  const message = `The folder ${quote(slug)} already exists. Give the theme another name, or send another \`slug\`.`;
  return reject(409, new Map([['slug', [message]]]));
}

/** Creates a theme from the request of a program: the fields of theme.yaml, and images. */
export async function createTheme(payload: Payload, session: Session): Promise<Reply> {
  const errors: FieldErrors = new Map();
  const slug = slugFor(payload, errors);
  const { walk, nextId, sources } = session.current.linked;
  if (walk.slugs.includes(slug)) return slugInUse(slug);
  const images = await imageEdits(slug, payload, [], session, errors);
  const fields = [...payload.fields].filter(([field, value]) => field !== 'slug' && value !== undefined);
  const values = new Map<string, unknown>([['id', nextId], ...fields, ...images.names]);
  const order = new Set([...Object.keys(themeSchema.shape).filter((field) => values.has(field)), ...values.keys()]);
  const text = writeYaml(
    [...order].map((field) => [field, values.get(field)]),
    THEME_MODELINE,
  );
  const edits = [{ name: `${slug}/${THEME_FILE}`, after: Buffer.from(text) }, ...images.edits];
  if (!(await writeChange(session, slug, edits, errors))) {
    const isIdTaken = sources.some(({ fields }) => fields.id === values.get('id'));
    return reject(errors.size === 1 && errors.has('id') && isIdTaken ? 409 : 400, errors);
  }
  const record = session.view?.themes.find((theme) => theme.slug === slug)?.record;
  return record === undefined
    ? reject(500, 'The theme was written, but cannot be shown.')
    : { status: 201, json: record, location: themePath(slug) };
}

/** Returns the colours of a logo, and the images that it becomes, for the preview of a new theme. */
export async function logoColours(payload: Payload, session: Session): Promise<Reply> {
  const errors: FieldErrors = new Map();
  const logo = await sentLogo(payload, session, errors);
  if (logo === undefined) return reject(400, errors);
  return { status: 200, json: { palette: logo.palette, fields: logosOf(logo) } };
}

async function sentLogo({ files }: Payload, { resources }: Session, errors: FieldErrors) {
  const sent = files.get('logo');
  return sent && logoFrom(sent.bytes, sent.name, resources.decoders, reportTo(errors, 'logo'));
}

/** Creates a theme as `themecast new` does. */
export async function createFromPage(payload: Payload, session: Session): Promise<Reply> {
  const errors: FieldErrors = new Map();
  const slug = slugFor(payload, errors);
  const { walk, nextId, compiled } = session.current.linked;
  if (walk.slugs.includes(slug)) return slugInUse(slug);
  const colour = textOf(payload, 'colour');
  const parent = textOf(payload, 'extends') || undefined;
  const palette = colour === '' ? undefined : paletteOfColour(colour);
  if (colour !== '' && palette === undefined) add(errors, 'colour', notOpaque(colour));
  const logo = await sentLogo(payload, session, errors);
  if (errors.size > 0) return reject(400, errors);
  const { files } = newTheme({
    name: textOf(payload, 'name'),
    id: nextId,
    logo,
    palette,
    parent,
    isDefault: [...compiled.values()].every(({ file }) => file === undefined),
  });
  const edits = [...files].map(([file, bytes]) => ({ name: `${slug}/${file}`, after: Buffer.from(bytes) }));
  const isWritten = await writeChange(session, slug, edits, errors);
  return isWritten ? { status: 200, json: { location: themePath(slug) } } : reject(400, errors);
}
