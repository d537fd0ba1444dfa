import { type Diagnostic, Diagnostics } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { FORMATS } from '../image/format.ts';
import { isPlaceholder } from '../image/placeholder.ts';
import { imageKey } from '../image/source-image.ts';
import { sha256Of } from '../io/disk/files.ts';
import { writableFolder } from '../io/disk/tracked.ts';
import { IncrementalCache } from '../io/incremental/incremental-cache.ts';
import { TEXT_LIMIT } from '../io/themes/discover.ts';
import { type Authored, readAuthored } from '../build/pipeline.ts';
import { decodeImage, logoFrom } from '../scaffold/io/logo.ts';
import { EditYamlError } from '../source/edit-yaml.ts';
import { decodeUtf8 } from '../source/text.ts';
import { parseYaml, type SourceDocument } from '../source/yaml.ts';
import { withAccepted } from '../theme/accept.ts';
import { editTheme } from '../theme/edit-theme.ts';
import { type AnyImageField, ANY_IMAGE_FIELDS, rowOf } from '../theme/fields.ts';
import { type PaletteColour, paletteOfColour } from '../theme/palette.ts';
import { resolveThemes } from '../theme/resolve.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { validateTheme } from '../theme/validate.ts';
import { add, fieldAt, placedSentence, reportErrors, sentence } from './field-errors.ts';
import { type FileEdit, notWritten } from './file-edits.ts';
import { type FieldErrors, NO_FIELD, type Payload, type Rejection } from './payload.ts';
import type { Session } from './session.ts';

/** A theme.yaml that can be edited. */
export interface ThemeText {
  bytes: Buffer;
  text: string;
  hash: string;
  document: SourceDocument;
  /** The bytes of the file with another text. */
  withText: (text: string) => Buffer;
}

const BOM = '\ufeff';

/** Reads the theme.yaml of a theme. @returns nothing if its YAML has errors */
export async function readTheme({ options }: Session, slug: string): Promise<ThemeText | undefined> {
  const file = `${slug}/${THEME_FILE}`;
  const bytes = await writableFolder(options.themesDir)
    .read(file, TEXT_LIMIT)
    .catch(() => undefined);
  const text = bytes && decodeUtf8({ file, bytes }, () => undefined);
  const document = text === undefined ? undefined : parseYaml(file, text, () => undefined);
  if (bytes === undefined || text === undefined || document === undefined) return undefined;
  const bom = bytes.toString('utf8').startsWith(BOM) ? BOM : '';
  return { bytes, text, hash: sha256Of(bytes), document, withText: (edited) => Buffer.from(bom + edited) };
}

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
    return { status: 409, detail: `Fix the errors of \`${slug}/${THEME_FILE}\` in an editor first.` };
  const changes = new Map<string, unknown>();
  for (const name of payload.typed.keys()) if (!OTHER_INPUTS.has(name)) changes.set(name, payload.fields.get(name));
  if (payload.typed.get('hash')?.[0] !== theme.hash) return conflict(slug, changes, theme.document);
  const authored = await readAuthored(session.options, await IncrementalCache.open(), () => undefined);
  const errors: FieldErrors = new Map();
  const from = payload.fields.get('palette_from');
  if (typeof from === 'string') {
    const palette = await paletteFrom(from, slug, authored, session);
    if (Array.isArray(palette))
      changes.set(
        'palette_preview',
        palette.map(({ hex }) => hex),
      );
    else add(errors, 'palette_preview', palette);
  }
  const [accepted, code] = (payload.typed.get('accepted')?.[0] ?? '').split(' ');
  if (code !== undefined) changes.set('accept', withAccepted(theme.document.data['accept'], accepted ?? '', code));
  const images = await imageEdits(slug, payload, theme.document, authored, session, errors);
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
  return { status: 409, detail: [`\`${slug}/${THEME_FILE}\` has changed meanwhile.`, ...both].join(' ') };
}

/** Nine colours from the logo or from one colour, or why there are none. */
async function paletteFrom(
  from: string,
  slug: string,
  { themes, site: { limits } }: Authored,
  { options, decoders }: Session,
): Promise<PaletteColour[] | string> {
  if (from !== 'logo') {
    const made = paletteOfColour(from);
    return 'problem' in made ? `${quote(from)} is not an opaque CSS colour. Write it like #0b5fff or navy.` : made;
  }
  const source = themes.find((theme) => theme.slug === slug)?.images.logo;
  if (source === undefined || !('path' in source)) return 'The logo is not a file of this repository.';
  const bytes = await writableFolder(options.themesDir).read(imageKey(source), limits.picture_bytes);
  const logo = bytes && (await logoFrom(bytes, source.path, limits, decoders, () => undefined));
  return logo === undefined ? 'The logo cannot be decoded.' : [...logo.palette];
}

/** The images that were sent, under names that no other file of the folder has; placeholders give way to them. */
async function imageEdits(
  slug: string,
  { fields, files, names: uploaded }: Payload,
  { data }: SourceDocument,
  { site: { limits } }: Authored,
  { options, decoders }: Session,
  errors: FieldErrors,
): Promise<{ edits: FileEdit[]; names: Map<string, string> }> {
  const folder = writableFolder(options.themesDir);
  const taken = new Set((await folder.list(slug)).map(({ name }) => name));
  const names = new Map<string, string>();
  const edits: FileEdit[] = [];
  for (const [field, value] of fields)
    if (rowOf(field)?.kind.startsWith('image') === true && typeof value === 'string')
      if (!value.includes('://') && !folder.hasFile(`${slug}/${value}`))
        add(errors, field, `There is no file ${quote(value)} in the folder of this theme.`);
  for (const [field, sent] of files) {
    if (!ANY_IMAGE_FIELDS.some((known) => known === field)) {
      add(errors, field, 'This field takes no image.');
      continue;
    }
    const report = reportErrors((diagnostic) => add(errors, field, placedSentence(diagnostic)));
    const bytes = Buffer.from(sent);
    const image = await decodeImage(
      bytes,
      uploaded.get(field) ?? field,
      field as AnyImageField,
      limits,
      decoders,
      report,
    );
    if (image === undefined) continue;
    const others = Object.keys(data).filter(
      (other) => other !== field && !files.has(other) && data[other] === data[field],
    );
    const old = typeof data[field] === 'string' && /^[^/\\\0]+\.svg$/.test(data[field]) ? data[field] : undefined;
    const before =
      old === undefined || others.length > 0 ? undefined : await folder.read(`${slug}/${old}`, limits.picture_bytes);
    if (old !== undefined && before !== undefined && isPlaceholder(before)) {
      if (!edits.some(({ name }) => name === `${slug}/${old}`)) edits.push({ name: `${slug}/${old}`, before });
      taken.delete(old);
    }
    const [stem, extension] = [field.replaceAll('_', '-'), FORMATS[image.format].extensions[0]];
    let name = `${stem}.${extension}`;
    for (let n = 2; taken.has(name); n++) name = `${stem}-${n}.${extension}`;
    taken.add(name);
    names.set(field, name);
    edits.push({ name: `${slug}/${name}`, after: bytes });
  }
  return { edits, names };
}

/** The text with some changes; nothing if it would have to be rewritten for that. */
export function editedText(text: string, changes: ReadonlyMap<string, unknown>, replaced?: ReadonlySet<string>) {
  try {
    return editTheme(text, changes, replaced);
  } catch (error) {
    if (error instanceof EditYamlError) return undefined;
    throw error;
  }
}

/** Adds the errors that a new text has and the old one has not, by field. */
function addNewErrors(
  errors: FieldErrors,
  slug: string,
  old: string,
  text: string,
  changed: readonly string[],
  { content, site, sources }: Authored,
): void {
  const file = content.display(`${slug}/${THEME_FILE}`);
  const check = (yaml: string): { document: SourceDocument | undefined; found: readonly Diagnostic[] } => {
    const diagnostics = new Diagnostics();
    const document = parseYaml(file, yaml, diagnostics.report);
    if (document === undefined) return { document, found: diagnostics.sorted };
    const source = validateTheme(slug, document, site, diagnostics.report);
    const others = sources.filter((source) => source.slug !== slug);
    resolveThemes([...others, source], new Set(content.files.keys()), site, diagnostics.report);
    return { document, found: diagnostics.sorted.filter(({ severity }) => severity === 'error') };
  };
  const known = new Set(check(old).found.map(({ code, message }) => `${code} ${message}`));
  const { document, found } = check(text);
  for (const diagnostic of found) {
    if (known.has(`${diagnostic.code} ${diagnostic.message}`)) continue;
    const isHere = document !== undefined && diagnostic.location.file === file;
    const named = changed.filter((field) => diagnostic.message.includes(`\`${field}\``));
    const at = isHere ? fieldAt(document, diagnostic.location) : NO_FIELD;
    const fields = rowOf(at) === undefined && named.length > 0 ? named : [at];
    // A missing field is reported where the theme begins; what has been missing before is no error of this change.
    const isMissing = diagnostic.code === 'field/missing';
    if (isMissing && named.length === 0) continue;
    for (const field of isMissing ? named : fields) add(errors, field, sentence(diagnostic));
  }
}
