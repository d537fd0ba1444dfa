import path from 'node:path';
import { type ProposedChange, proposeChange } from './change.ts';
import type { FileEdit } from './file-edits.ts';
import type { CompiledTheme } from '../../../compiler/model.ts';
import type { Location } from '../../../core/diagnostics/diagnostic.ts';
import { quote } from '../../../core/diagnostics/quote.ts';
import { FORMATS, sniffFormat } from '../../../core/image/format.ts';
import { sha256Of } from '../../../system/disk/files.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';
import { decodeImage } from '../../../system/decoder/logo.ts';
import { decodeUtf8 } from '../../../core/source/text.ts';
import { parseYaml, type SourceDocument } from '../../../core/source/yaml.ts';
import {
  type AnyImageField,
  ANY_IMAGE_FIELDS,
  type Field,
  imageFileName,
  LABELS,
  rowOf,
} from '../../../core/theme/fields/fields.ts';
import { fileOf } from '../../../core/theme/image-source.ts';
import type { ThemeSource } from '../../../core/theme/theme-source.ts';
import { TEXT_LIMIT, THEME_FILE } from '../../../core/theme/themes-folder.ts';
import { add, fieldAt, type FieldErrors, NO_FIELD, reportTo, sentence } from './field-errors.ts';
import type { Payload } from './payload.ts';
import type { Session } from '../session/session.ts';

/** Reads the theme.yaml of a theme. @returns undefined if its YAML has errors */
export async function readTheme({ options }: Session, slug: string) {
  const file = `${slug}/${THEME_FILE}`;
  const bytes = await writableFolder(options.themesDir)
    .read(file, TEXT_LIMIT)
    .catch(() => undefined);
  const text = bytes && decodeUtf8({ file, bytes }, () => undefined);
  const document = text === undefined ? undefined : parseYaml(file, text, () => undefined);
  if (bytes === undefined || text === undefined || document === undefined) return undefined;
  const mark = bytes.toString().startsWith('\ufeff') ? '\ufeff' : '';
  /** Returns the bytes of the file with another text. */
  const withText = (edited: string): Buffer => Buffer.from(mark + edited);
  return { bytes, text, hash: sha256Of(bytes), document, withText };
}

/** Lists the files of a folder, innermost folders first, because a folder is removed with its last file. */
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

/** Returns edits that remove the images of a theme that no field refers to any more. */
export async function unusedImages(
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
  const usedNames = namesIn(after);
  const edits: FileEdit[] = [];
  for (const name of namesIn(before)) {
    if (usedNames.has(name) || !/^[^/\\\0]+$/.test(name) || name === THEME_FILE) continue;
    const file = `${slug}/${name}`;
    const bytes = await writableFolder(options.themesDir).read(file, site.limits.picture_bytes);
    if (bytes !== undefined) edits.push({ name: file, before: bytes });
  }
  return edits;
}

/** Returns edits that write the sent images, under free names. @param removed - images to remove in the same change */
export async function imageEdits(
  slug: string,
  { fields, files }: Payload,
  removed: readonly FileEdit[],
  { options, resources: { decoders } }: Session,
  errors: FieldErrors,
): Promise<{ edits: FileEdit[]; names: Map<string, string> }> {
  const folder = writableFolder(options.themesDir);
  const present = (await folder.list(slug).catch(() => [])).map(({ name }) => name);
  const usedNames = new Set(present.filter((name) => !removed.some((edit) => edit.name === `${slug}/${name}`)));
  const names = new Map<string, string>();
  const edits: FileEdit[] = [];
  for (const [field, value] of fields)
    if (rowOf(field)?.kind.startsWith('image') === true && typeof value === 'string' && !value.includes('://'))
      if (!usedNames.has(value) || value === THEME_FILE)
        add(errors, field, `There is no file ${quote(value)} in the folder of this theme. Send the image itself.`);
  for (const [field, sent] of files) {
    if (!ANY_IMAGE_FIELDS.some((name) => name === field)) {
      add(errors, field, 'This field does not accept an image.');
      continue;
    }
    const { bytes } = sent;
    const sniffed = sniffFormat(bytes);
    // The file is stored under this name, whatever the sent one is.
    const firstName =
      'format' in sniffed ? imageFileName(field as AnyImageField, FORMATS[sniffed.format].extensions[0]) : sent.name;
    const image = await decodeImage(bytes, firstName, field as AnyImageField, decoders, reportTo(errors, field));
    if (image === undefined) continue;
    let freeName = firstName;
    for (let n = 2; usedNames.has(freeName); n++) freeName = firstName.replace(/\.\w+$/, `-${n}$&`);
    usedNames.add(freeName);
    names.set(field, freeName);
    edits.push({ name: `${slug}/${freeName}`, after: bytes });
  }
  return { edits, names };
}

/**
 * Writes the files of a theme, unless the change adds errors; existing errors of other themes do not prevent it.
 * @param errors - errors of the request, by field; errors of the change are added
 * @param changed - the changed fields; undefined for a new theme
 * @returns whether they were written
 */
export async function writeChange(
  session: Session,
  slug: string,
  edits: readonly FileEdit[],
  errors: FieldErrors,
  changed?: readonly string[],
): Promise<boolean> {
  const { compiled: site, checkResult } = session.current;
  const change = await proposeChange(site, slug, edits, checkResult.diagnostics, session.resources);
  const text = String(edits.find(({ name }) => name === `${slug}/${THEME_FILE}`)?.after);
  const document = parseYaml('', text.replace(/^\ufeff/, ''), () => undefined);
  addErrors(errors, change, document, site.themes.get(slug), changed);
  if (errors.size > 0) return false;
  const [field = '', second] = changed ?? [];
  const label = `${LABELS[field as Field] ?? 'warning'}${second === undefined ? '' : ', …'}`.toLowerCase();
  await session.write(slug, edits, changed === undefined ? `new theme ${slug}` : label);
  return true;
}

/** Adds the errors of a change, by field. */
function addErrors(
  errors: FieldErrors,
  { compiled: { file, source }, errors: diagnostics, missing, isComplete }: ProposedChange,
  document: SourceDocument | undefined,
  before: CompiledTheme | undefined,
  changed: readonly string[] | undefined,
): void {
  for (const field of missing) if (changed?.includes(field) !== false) add(errors, field, 'This field is required.');
  // Fields with errors of the request need no further message.
  const reportedFields = new Set(errors.keys());
  for (const diagnostic of diagnostics) {
    const { code, message, location } = diagnostic;
    if (code === 'field/missing') continue;
    const image = imageAt(source, location, file);
    if (changed === undefined && location.file !== file && image === undefined) continue;
    const mentioned = (changed ?? []).filter((field) => message.includes(`\`${field}\``));
    const at = image ?? (document !== undefined && location.file === file ? fieldAt(document, location) : NO_FIELD);
    const fields =
      code === 'theme/no-default' ? ['is_default'] : rowOf(at) === undefined && mentioned.length > 0 ? mentioned : [at];
    for (const field of fields) if (!reportedFields.has(field)) add(errors, field, sentence(diagnostic));
  }
  const parent = source?.fields.extends;
  const wasComplete = changed === undefined || before?.source !== undefined;
  if (errors.size > 0 || isComplete || !wasComplete) return;
  if (parent === undefined) add(errors, NO_FIELD, 'The theme cannot be checked while the themes have other errors.');
  else add(errors, 'extends', `The theme ${quote(parent)}, or one that it extends, has errors. Fix them first.`);
}

/** Returns the field with the image of a diagnostic. */
function imageAt(source: ThemeSource | undefined, { file: at }: Location, file = ''): AnyImageField | undefined {
  const folder = file.slice(0, -THEME_FILE.length);
  return ANY_IMAGE_FIELDS.find((field) => {
    const value = source?.fields[field];
    return typeof value === 'string' && at === folder + fileOf(value);
  });
}
