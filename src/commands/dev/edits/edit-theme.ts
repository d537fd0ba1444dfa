import { audienceOf, audienceText } from '../../changes/site-state.ts';
import { compact } from '../../../core/diagnostics/compact.ts';
import { count, quote } from '../../../core/diagnostics/quote.ts';
import type { FileEdit } from './file-edits.ts';
import { withAccepted } from '../../../core/theme/accept.ts';
import { paletteOfColour } from '../../../core/theme/colour/palette.ts';
import { editTheme } from '../../../core/theme/edit-theme.ts';
import { THEME_FILE } from '../../../core/theme/themes-folder.ts';
import { add, type FieldErrors, notOpaque } from './field-errors.ts';
import { themePath } from '../pages/layout.ts';
import { logoOfTheme, makeImages } from './make-images.ts';
import { type Payload, reject, type Reply, textOf } from './payload.ts';
import type { Session } from '../session/session.ts';
import { filesIn, imageEdits, readTheme, unusedImages, writeChange } from './theme-edits.ts';

const OK_REPLY: Reply = { status: 200, json: {} };

/** Inputs that are no fields. `palette_from`: `logo` or a colour. `accepted`: the field and the code of a warning. `make`: see {@link makeImages}. */
const OTHER_INPUTS = new Set(['hash', 'palette_from', 'accepted', 'make']);

/**
 * Writes changes of a theme, unless they add errors. Images are decoded before anything is written.
 * @param sent - changed fields, empty to remove them; images; `hash`, the digest of the displayed theme.yaml
 */
export async function updateTheme(sent: Payload, session: Session, slug: string): Promise<Reply> {
  const file = `${slug}/${THEME_FILE}`;
  const theme = await readTheme(session, slug);
  if (theme === undefined) return reject(409, `Fix the errors of \`${file}\` in an editor first.`);
  const { data } = theme.document;
  const drawn = await makeImages(textOf(sent, 'make'), slug, data, session);
  if (typeof drawn === 'string') return reject(409, drawn);
  const filled = `${count(drawn.fields.size + drawn.files.size, 'placeholder')} filled from the logo`;
  const reply: Reply = { status: 200, json: textOf(sent, 'make') === 'all' ? { message: filled } : {} };
  const payload = {
    fields: new Map([...sent.fields, ...drawn.fields]),
    files: new Map([...sent.files, ...drawn.files]),
  };
  const fields = [...payload.fields].filter(([field]) => !OTHER_INPUTS.has(field));
  const changes = new Map(fields.map(([field, value]) => [field, withoutQuotes(value)]));
  if (textOf(payload, 'hash') !== theme.hash) {
    const conflicts = [...changes].map(
      ([field, value]) =>
        ` \`${field}\` is ${quote(data[field] ?? 'absent')} there, and ${quote(value ?? 'absent')} here.`,
    );
    return reject(409, `\`${file}\` has changed meanwhile.${conflicts.join('')}`);
  }
  const errors: FieldErrors = new Map();
  const from = textOf(payload, 'palette_from');
  if (from !== '') {
    const palette = await paletteFrom(from, slug, session);
    if (typeof palette === 'string') add(errors, 'palette_preview', palette);
    else changes.set('palette_preview', palette);
  }
  const [accepted = '', code] = textOf(payload, 'accepted').split(' ');
  if (code !== undefined) changes.set('accept', withAccepted(data['accept'], accepted, code));
  const replaced = Object.fromEntries([...payload.files.keys()].map((field) => [field, undefined]));
  const removed = await unusedImages(slug, data, { ...data, ...Object.fromEntries(changes), ...replaced }, session);
  const images = await imageEdits(slug, payload, removed, session, errors);
  for (const [field, name] of images.names) changes.set(field, name);
  const text = editTheme(theme.text, changes);
  if (text === undefined) return reject(409, `\`${file}\` would have to be rewritten for that. Edit the file instead.`);
  if (errors.size === 0 && images.edits.length === 0 && text === theme.text) return reply;
  const yaml = { name: file, before: theme.bytes, after: theme.withText(text) };
  const isWritten = await writeChange(session, slug, [...removed, ...images.edits, yaml], errors, [...changes.keys()]);
  return isWritten ? reply : reject(400, errors);
}

/** Returns colours as a form has them: messages quote them, as YAML needs it. */
function withoutQuotes(value: unknown): unknown {
  return Array.isArray(value) ? value.map((colour) => String(colour).replace(/^(["'])(.*)\1$/, '$2')) : value;
}

/** Derives nine colours from the logo or a colour. @returns the colours, or a problem */
async function paletteFrom(from: string, slug: string, session: Session): Promise<readonly string[] | string> {
  const logo = from === 'logo' ? await logoOfTheme(slug, session) : undefined;
  if (typeof logo === 'string') return logo;
  return logo?.logo.palette ?? paletteOfColour(from) ?? notOpaque(from);
}

/** Undoes or redoes a change of the session. The field `page` is the path of the current page. */
export async function moveTo(from: 'undo' | 'redo', payload: Payload, session: Session): Promise<Reply> {
  const { slug } = await session.move(from);
  const exists = session.view?.themes.some((theme) => theme.slug === slug) === true;
  if (textOf(payload, 'page') === themePath(slug) && !exists) return { status: 200, json: { location: '/' } };
  return OK_REPLY;
}

/** Removes the folder of a theme, unless it is the default, extended or assigned. */
export async function remove(_: Payload, session: Session, slug: string): Promise<Reply> {
  const { sources } = session.current.linked;
  const theme = session.view?.themes.find((candidate) => candidate.slug === slug);
  const audience = session.view && audienceOf(session.view.state, slug);
  const assigned = audience === undefined ? '' : audienceText(audience);
  const children = sources.filter(({ fields }) => fields.extends === slug).length;
  const reasons = compact([
    theme?.record.is_default === true && 'it is the default theme',
    children > 0 && `${count(children, 'theme')} ${children === 1 ? 'is' : 'are'} based on it`,
    assigned !== '' && `${assigned} ${/^1 \S+$/.test(assigned) ? 'has' : 'have'} it`,
  ]);
  if (reasons.length > 0) return reject(409, `The theme cannot be deleted: ${reasons.join(', and ')}.`);
  const files = await filesIn(slug, session);
  await session.write(
    slug,
    files.map(({ name, bytes }) => ({ name, before: bytes })),
    `delete theme ${slug}`,
  );
  return { status: 200, json: { location: '/' } };
}

/** Makes a theme the default instead of the current one. */
export async function makeDefault(_: Payload, session: Session, slug: string): Promise<Reply> {
  const { sources } = session.current.linked;
  const oldDefaults = sources.filter((source) => source.fields.is_default === true && source.slug !== slug);
  const values = new Map<string, true | undefined>([
    ...oldDefaults.map((source) => [source.slug, undefined] as const),
    [slug, true],
  ]);
  const edits: FileEdit[] = [];
  for (const [name, value] of values) {
    const theme = await readTheme(session, name);
    const text = theme && editTheme(theme.text, new Map([['is_default', value]]));
    if (theme === undefined || text === undefined) return reject(409, 'Fix the errors of this theme first.');
    edits.push({ name: `${name}/${THEME_FILE}`, before: theme.bytes, after: theme.withText(text) });
  }
  await session.write(slug, edits, `default theme ${slug}`);
  return OK_REPLY;
}
