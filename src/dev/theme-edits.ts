import path from 'node:path';
import { type ProposedChange, proposeChange } from '../compiler/change.ts';
import type { FileEdit } from '../compiler/file-edits.ts';
import type { CompiledTheme } from '../compiler/model.ts';
import type { Location } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { FORMATS, sniffFormat } from '../image/format.ts';
import { sha256Of } from '../disk/files.ts';
import { writableFolder } from '../git/tracked.ts';
import { TEXT_LIMIT } from '../theme/themes-folder.ts';
import { decodeImage } from '../decoder/logo.ts';
import { decodeUtf8 } from '../source/text.ts';
import { parseYaml, type SourceDocument } from '../source/yaml.ts';
import { type AnyImageField, ANY_IMAGE_FIELDS, type Field, LABELS, rowOf } from '../theme/fields.ts';
import { fileOf } from '../theme/image-source.ts';
import type { ThemeSource } from '../theme/theme-source.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { add, fieldAt, type FieldErrors, NO_FIELD, reportTo, sentence } from './field-errors.ts';
import type { Payload } from './payload.ts';
import type { Session } from './session.ts';

/** Reads the theme.yaml of a theme. @returns nothing if its YAML has errors */
export async function readTheme({ options }: Session, slug: string) {
  const file = `${slug}/${THEME_FILE}`;
  const bytes = await writableFolder(options.themesDir)
    .read(file, TEXT_LIMIT)
    .catch(() => undefined);
  const text = bytes && decodeUtf8({ file, bytes }, () => undefined);
  const document = text === undefined ? undefined : parseYaml(file, text, () => undefined);
  if (bytes === undefined || text === undefined || document === undefined) return undefined;
  const mark = bytes.toString().startsWith('\ufeff') ? '\ufeff' : '';
  /** The bytes of the file with another text. */
  const withText = (edited: string): Buffer => Buffer.from(mark + edited);
  return { bytes, text, hash: sha256Of(bytes), document, withText };
}

/** The files of a folder, those of the innermost folders first: a folder is removed with its last file. */
export async function filesIn(name: string, session: Session): Promise<{ name: string; bytes: Buffer }[]> {
  const { limits } = session.site;
  const folder = writableFolder(session.options.themesDir);
  const entries = (await folder.list(name)).toSorted((a, b) => Number(a.kind === 'file') - Number(b.kind === 'file'));
  const files: { name: string; bytes: Buffer }[] = [];
  for (const entry of entries) {
    const inside = `${name}/${entry.name}`;
    if (entry.kind === 'folder') files.push(...(await filesIn(inside, session)));
    const bytes = entry.kind === 'file' ? await folder.read(inside, limits.picture_bytes) : undefined;
    if (bytes !== undefined) files.push({ name: inside, bytes });
  }
  return files;
}

/** The removal of the images in the folder of a theme that its fields no longer name. */
export async function unnamedImages(
  slug: string,
  before: SourceDocument['data'],
  after: SourceDocument['data'],
  { options, site }: Session,
): Promise<FileEdit[]> {
  const namesIn = (data: SourceDocument['data']): Set<string> =>
    new Set(
      ANY_IMAGE_FIELDS.map((field) => data[field]).flatMap((v) =>
        typeof v === 'string' ? path.posix.normalize(v) : [],
      ),
    );
  const named = namesIn(after);
  const edits: FileEdit[] = [];
  for (const name of namesIn(before)) {
    if (named.has(name) || !/^[^/\\\0]+$/.test(name) || name === THEME_FILE) continue;
    const file = `${slug}/${name}`;
    const bytes = await writableFolder(options.themesDir).read(file, site.limits.picture_bytes);
    if (bytes !== undefined) edits.push({ name: file, before: bytes });
  }
  return edits;
}

/** The images that were sent, under names that no other file of the folder has. @param removed - the images that give way to them */
export async function imageEdits(
  slug: string,
  { fields, files }: Payload,
  removed: readonly FileEdit[],
  { options, resources: { decoders } }: Session,
  errors: FieldErrors,
): Promise<{ edits: FileEdit[]; names: Map<string, string> }> {
  const folder = writableFolder(options.themesDir);
  const present = (await folder.list(slug).catch(() => [])).map(({ name }) => name);
  const taken = new Set(present.filter((name) => !removed.some((edit) => edit.name === `${slug}/${name}`)));
  const names = new Map<string, string>();
  const edits: FileEdit[] = [];
  for (const [field, value] of fields)
    if (rowOf(field)?.kind.startsWith('image') === true && typeof value === 'string' && !value.includes('://'))
      if (!taken.has(value) || value === THEME_FILE)
        add(errors, field, `There is no file ${quote(value)} in the folder of this theme. Send the image itself.`);
  for (const [field, sent] of files) {
    if (!ANY_IMAGE_FIELDS.some((known) => known === field)) {
      add(errors, field, 'This field takes no image.');
      continue;
    }
    const { bytes } = sent;
    const report = reportTo(errors, field);
    const name = uploadedName(sent.name, bytes);
    const image = await decodeImage(bytes, name, field as AnyImageField, decoders, report);
    if (image === undefined) continue;
    const [stem, extension] = [field.replaceAll('_', '-'), FORMATS[image.format].extensions[0]];
    let free = `${stem}.${extension}`;
    for (let n = 2; taken.has(free); n++) free = `${stem}-${n}.${extension}`;
    taken.add(free);
    names.set(field, free);
    edits.push({ name: `${slug}/${free}`, after: bytes });
  }
  return { edits, names };
}

/** The name that a file was uploaded under. It is stored under another, so that its extension need not be right. */
function uploadedName(name: string, bytes: Buffer): string {
  const sniffed = sniffFormat(bytes);
  return 'format' in sniffed ? `${path.parse(name).name}.${FORMATS[sniffed.format].extensions[0]}` : name;
}

/**
 * Writes the files of a theme, if that adds no errors: those of other themes do not prevent it.
 * @param errors - what is wrong with what was sent, by field; the errors of the change are added
 * @param changed - the fields that change; nothing for a new theme
 * @returns whether they were written
 */
export async function writeChange(
  session: Session,
  slug: string,
  edits: readonly FileEdit[],
  errors: FieldErrors,
  changed?: readonly string[],
): Promise<boolean> {
  const { compiled: site, found } = session.current;
  const change = await proposeChange(site, slug, edits, found.diagnostics, session.resources);
  const text = String(edits.find(({ name }) => name === `${slug}/${THEME_FILE}`)?.after);
  const document = parseYaml('', text.replace(/^\ufeff/, ''), () => undefined);
  addErrors(errors, change, document, site.themes.get(slug), changed);
  if (errors.size > 0) return false;
  const [field = '', ...others] = changed ?? [];
  const label = `${LABELS[field as Field] ?? 'warning'}${others.length > 0 ? ', …' : ''}`.toLowerCase();
  await session.write(slug, edits, changed === undefined ? `new theme ${slug}` : label, change.store);
  return true;
}

/** Adds the errors of a change, by field. */
function addErrors(
  errors: FieldErrors,
  { compiled: { file, source }, errors: found, missing, isComplete }: ProposedChange,
  document: SourceDocument | undefined,
  before: CompiledTheme | undefined,
  changed: readonly string[] | undefined,
): void {
  for (const field of missing) if (changed?.includes(field) !== false) add(errors, field, REQUIRED);
  // The values that were sent have been checked by themselves.
  const said = new Set(errors.keys());
  for (const diagnostic of found) {
    const { code, message, location } = diagnostic;
    if (code === 'field/missing') continue;
    const image = imageAt(source, location, file);
    if (changed === undefined && location.file !== file && image === undefined) continue;
    const named = (changed ?? []).filter((field) => message.includes(`\`${field}\``));
    const at = image ?? (document !== undefined && location.file === file ? fieldAt(document, location) : NO_FIELD);
    const fields =
      code === 'theme/no-default' ? ['is_default'] : rowOf(at) === undefined && named.length > 0 ? named : [at];
    for (const field of fields) if (!said.has(field)) add(errors, field, sentence(diagnostic));
  }
  const parent = source?.fields.extends;
  const wasComplete = changed === undefined || before?.source !== undefined;
  if (errors.size > 0 || isComplete || !wasComplete) return;
  if (parent === undefined) add(errors, NO_FIELD, 'The theme cannot be checked while the themes have other errors.');
  else add(errors, 'extends', `The theme ${quote(parent)}, or one that it extends, has errors. Fix them first.`);
}

const REQUIRED = 'This field is required.';

/** The field whose image a diagnostic is in. */
function imageAt(source: ThemeSource | undefined, { file: at }: Location, file = ''): AnyImageField | undefined {
  const folder = file.slice(0, -THEME_FILE.length);
  return ANY_IMAGE_FIELDS.find((field) => {
    const value = source?.fields[field];
    return typeof value === 'string' && at === folder + fileOf(value);
  });
}
