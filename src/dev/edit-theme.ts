import { quote } from '../diagnostics/quote.ts';
import { imageKey } from '../image/source-image.ts';
import { writableFolder } from '../io/disk/tracked.ts';
import type { Authored } from '../build/pipeline.ts';
import { logoFrom } from '../io/images/logo.ts';
import type { SourceDocument } from '../source/yaml.ts';
import { withAccepted } from '../theme/accept.ts';
import { paletteOfColour } from '../theme/palette.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { add } from './field-errors.ts';
import { notWritten } from './file-edits.ts';
import type { FieldErrors, Payload, Rejection } from './payload.ts';
import type { Session } from './session.ts';
import { addNewErrors, authoredThemes, editedText, imageEdits, readTheme } from './theme-edits.ts';

/** What a page asks for besides fields. `palette_from`: `logo`, or a colour. `accepted`: the field and the code of a warning. */
const OTHER_INPUTS = new Set(['hash', 'palette_from', 'accepted']);

/**
 * Writes changes of a theme, if they add no errors. Images are decoded before anything is written.
 * @param payload - the fields that change, as texts, an empty one to remove it; images; `hash` of the theme.yaml that was shown
 * @returns why nothing was written
 */
export async function updateTheme(slug: string, payload: Payload, session: Session): Promise<Rejection | undefined> {
  if (payload.rejection !== undefined) return payload.rejection;
  const theme = await readTheme(session, slug);
  if (theme === undefined)
    return {
      status: 409,
      detail: `Fix the errors of \`${slug}/${THEME_FILE}\` in an editor first.`,
    };
  const changes = new Map<string, unknown>();
  for (const name of payload.typed.keys()) if (!OTHER_INPUTS.has(name)) changes.set(name, payload.fields.get(name));
  if (payload.typed.get('hash')?.[0] !== theme.hash) return conflict(slug, changes, theme.document);
  const authored = await authoredThemes(session);
  const errors: FieldErrors = new Map();
  const from = payload.fields.get('palette_from');
  if (typeof from === 'string') {
    const palette = await paletteFrom(from, slug, authored, session);
    if (Array.isArray(palette)) changes.set('palette_preview', palette);
    else add(errors, 'palette_preview', palette);
  }
  const [accepted, code] = (payload.typed.get('accepted')?.[0] ?? '').split(' ');
  if (code !== undefined) changes.set('accept', withAccepted(theme.document.data['accept'], accepted ?? '', code));
  const images = await imageEdits(slug, payload, theme.document.data, authored, session, errors);
  for (const [field, name] of images.names) changes.set(field, name);
  const text = editedText(theme.text, changes, new Set(images.names.keys()));
  if (text === undefined)
    return {
      status: 409,
      detail: `\`${slug}/${THEME_FILE}\` would have to be rewritten for that. Edit the file instead.`,
    };
  addNewErrors(errors, slug, theme.text, text, [...changes.keys()], authored);
  if (errors.size > 0) return { status: 400, errors };
  const after = theme.withText(text);
  const edits = [...images.edits, { name: `${slug}/${THEME_FILE}`, before: theme.bytes, after }];
  if (images.edits.length === 0 && after.equals(theme.bytes)) return undefined;
  try {
    await session.write(slug, edits);
    return undefined;
  } catch (error) {
    return notWritten(error);
  }
}

/** Both values of what was changed here and meanwhile elsewhere. */
function conflict(slug: string, changes: ReadonlyMap<string, unknown>, { data }: SourceDocument): Rejection {
  const both = [...changes].map(
    ([field, value]) =>
      `\`${field}\` is ${quote(data[field] ?? 'absent')} there, and ${quote(value ?? 'absent')} here.`,
  );
  return {
    status: 409,
    detail: [`\`${slug}/${THEME_FILE}\` has changed meanwhile.`, ...both].join(' '),
  };
}

/** Nine colours from the logo or from one colour, or why there are none. */
async function paletteFrom(
  from: string,
  slug: string,
  { themes, site: { limits } }: Authored,
  { options, decoders }: Session,
): Promise<string[] | string> {
  if (from !== 'logo') {
    const made = paletteOfColour(from);
    if ('problem' in made) return `${quote(from)} is not an opaque CSS colour. Write it like #0b5fff or navy.`;
    return made.map(({ hex }) => hex);
  }
  const source = themes.find((theme) => theme.slug === slug)?.images.logo;
  if (source === undefined || !('path' in source)) return 'The logo is not a file of this repository.';
  const bytes = await writableFolder(options.themesDir).read(imageKey(source), limits.picture_bytes);
  const logo = bytes && (await logoFrom(bytes, source.path, limits, decoders, () => undefined));
  return logo === undefined ? 'The logo cannot be decoded.' : logo.palette.map(({ hex }) => hex);
}
