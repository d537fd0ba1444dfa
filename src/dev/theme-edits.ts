import path from 'node:path';
import type { Arguments } from '../diagnostics/catalogue.ts';
import { Diagnostics, type Report } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { FORMATS, sniffFormat } from '../image/format.ts';
import { sha256Of } from '../io/disk/files.ts';
import { writableFolder } from '../io/disk/tracked.ts';
import { IncrementalCache } from '../io/incremental/incremental-cache.ts';
import { TEXT_LIMIT } from '../theme/themes-folder.ts';
import { type Authored, readAuthored } from '../build/pipeline.ts';
import { freeId, refuseUnread } from '../build/read-themes.ts';
import { decodeImage } from '../io/images/logo.ts';
import { decodeUtf8 } from '../source/text.ts';
import { parseYaml, type SourceDocument } from '../source/yaml.ts';
import { type AnyImageField, ANY_IMAGE_FIELDS, rowOf } from '../theme/fields.ts';
import { resolveThemes } from '../theme/resolve.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { validateTheme } from '../theme/validate.ts';
import { add, fieldAt, type FieldErrors, NO_FIELD, reportTo, sentence } from './field-errors.ts';
import type { FileEdit } from './file-edits.ts';
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

/** The themes as they are in their files, and the next free id. */
export async function authoredThemes({ options }: Session) {
  const diagnostics = new Diagnostics();
  const authored = await readAuthored(options, new IncrementalCache(), diagnostics.report);
  refuseUnread(diagnostics);
  return { ...authored, id: freeId(authored) };
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
 * Adds the errors of a new text that the old one has not, by field.
 * @param old - undefined for a new theme
 * @param changed - the fields that change
 */
export function addNewErrors(
  errors: FieldErrors,
  slug: string,
  old: string | undefined,
  text: string,
  changed: readonly string[],
  authored: Authored,
): void {
  const file = authored.content.display(`${slug}/${THEME_FILE}`);
  const before = old === undefined ? undefined : checked(file, slug, old, authored);
  const known = new Set(before?.diagnostics.map(({ code, message }) => `${code} ${message}`));
  const { document, diagnostics, missing, isComplete } = checked(file, slug, text, authored);
  for (const field of missing) if (old === undefined || changed.includes(field)) add(errors, field, REQUIRED);
  for (const diagnostic of diagnostics) {
    const { code, message, location } = diagnostic;
    if (known.has(`${code} ${message}`) || code === 'field/missing') continue;
    if (old === undefined && location.file !== file) continue;
    const named = changed.filter((field) => message.includes(`\`${field}\``));
    const at = document !== undefined && location.file === file ? fieldAt(document, location) : NO_FIELD;
    const fields =
      code === 'theme/no-default' ? ['is_default'] : rowOf(at) === undefined && named.length > 0 ? named : [at];
    for (const field of fields) add(errors, field, sentence(diagnostic));
  }
  const parent = document?.data['extends'];
  if (errors.size > 0 || isComplete || before?.isComplete === false) return;
  if (parent === undefined) add(errors, NO_FIELD, 'The theme cannot be checked while the themes have other errors.');
  else add(errors, 'extends', `The theme ${quote(parent)}, or one that it extends, has errors. Fix them first.`);
}

const REQUIRED = 'This field is required.';

/** The errors of a theme.yaml among the other themes. */
function checked(file: string, slug: string, yaml: string, { content, site, sources }: Authored) {
  const diagnostics = new Diagnostics();
  const missing = new Set<string>();
  const report: Report = (code, location, args) => {
    diagnostics.report(code, location, args);
    if (code === 'field/missing' && location.file === file)
      for (const field of (args as Arguments<'field/missing'>).fields) missing.add(field);
  };
  const document = parseYaml(file, yaml, report);
  const others = sources.filter((source) => source.slug !== slug);
  const all = document === undefined ? others : [...others, validateTheme(slug, document, site, report)];
  const themes = resolveThemes(all, new Set([...content.files.keys(), slug]), site, report);
  const errors = diagnostics.sorted.filter(({ severity }) => severity === 'error');
  return { document, diagnostics: errors, missing, isComplete: themes.some((theme) => theme.slug === slug) };
}
