import { type Authored, readAuthored } from '../build/pipeline.ts';
import type { Arguments } from '../diagnostics/catalogue.ts';
import { Diagnostics, type Report } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { ThemeRecord } from '../document/record.ts';
import { FORMATS, sniffFormat } from '../image/format.ts';
import { decodeImage } from '../scaffold/io/logo.ts';
import { type AnyImageField, rowOf } from '../theme/fields.ts';
import { TEXT_LIMIT } from '../io/themes/discover.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { readIfFile } from '../io/incremental/file-hashes.ts';
import { IncrementalCache } from '../io/incremental/incremental-cache.ts';
import { writeYaml } from '../source/write-yaml.ts';
import { parseYaml, type SourceDocument } from '../source/yaml.ts';
import { nextId } from '../theme/next-id.ts';
import { resolveThemes } from '../theme/resolve.ts';
import { themeSchema } from '../theme/schema.ts';
import { isSlug, slugOf, USERS_FOLDER } from '../theme/slug.ts';
import { validateTheme } from '../theme/validate.ts';
import { add, fieldAt, placedSentence, reportErrors, sentence } from './field-errors.ts';
import { notWritten } from './file-edits.ts';
import { type FieldErrors, NO_FIELD, type Payload, type Rejection } from './payload.ts';
import type { Session } from './session.ts';

export interface Created {
  slug: string;
  record: ThemeRecord;
}

/** The fields that a request may have, in the order in which theme.yaml has them. */
const FIELD_NAMES = Object.keys(themeSchema.shape);

const REQUIRED = 'This field is required.';
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
  const files = imageFiles(payload);
  const authored = await readAuthored(session.options, await IncrementalCache.open(), () => undefined);
  const exists = authored.content.files.has(slug);
  const draft = draftTheme(exists ? NO_SLUG : slug, payload, files, authored, errors);
  for (const [field, value] of payload.fields)
    if (rowOf(field)?.kind.startsWith('image') === true && typeof value === 'string' && !value.includes('://'))
      errors.set(field, [`There is no file ${quote(value)} in this request. Send the image itself, or an https URL.`]);
  for (const [field, [name, bytes]] of files) {
    const sent = Buffer.from(bytes);
    await decodeImage(
      sent,
      name,
      field as AnyImageField,
      authored.site.limits,
      session.decoders,
      reportErrors((diagnostic) => add(errors, field, placedSentence(diagnostic))),
    );
  }
  const rejection = rejectionOf(draft, errors, exists ? slug : undefined, authored);
  if (rejection !== undefined) return rejection;
  const all = [[THEME_FILE, Buffer.from(draft.text)] as const, ...files.values()];
  try {
    await session.write(
      slug,
      all.map(([name, bytes]) => ({ name: `${slug}/${name}`, after: Buffer.from(bytes) })),
    );
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
  else if (name === undefined) add(errors, 'name', REQUIRED); // even if it could be inherited
  return errors.size === 0 && typeof slug === 'string' ? slug : NO_SLUG;
}

/** The name and content of each uploaded image, by field. The content alone determines the file extension. */
function imageFiles({ files }: Payload): Map<string, readonly [name: string, bytes: Uint8Array]> {
  const named = [...files].filter(([field]) => FIELD_NAMES.includes(field));
  return new Map(
    named.map(([field, bytes]) => {
      const sniffed = sniffFormat(bytes);
      const extension = 'format' in sniffed ? FORMATS[sniffed.format].extensions[0] : 'bin';
      return [field, [`${field.replaceAll('_', '-')}.${extension}`, bytes]];
    }),
  );
}

/** A theme.yaml that is not written yet. */
interface Draft {
  text: string;
  /** Undefined if it cannot be parsed. */
  document: SourceDocument | undefined;
  /** Whether it resolves to a theme, with all that it inherits. */
  isComplete: boolean;
}

/** Composes theme.yaml and checks it before anything is on disk, while diagnostics can still be assigned to fields. */
function draftTheme(
  slug: string,
  { fields, files: sent }: Payload,
  files: ReturnType<typeof imageFiles>,
  { content, site, sources }: Authored,
  errors: FieldErrors,
): Draft {
  const file = content.display(`${slug}/${THEME_FILE}`);
  const report = reportErrors((diagnostic) => add(errors, NO_FIELD, sentence(diagnostic)));
  for (const field of [...fields.keys(), ...sent.keys()]) {
    if (field === 'slug' || FIELD_NAMES.includes(field)) continue;
    const unknown = reportErrors((diagnostic) => add(errors, field, sentence(diagnostic)));
    unknown('field/unknown', { file }, { field, suggestion: suggest(field, FIELD_NAMES), known: FIELD_NAMES });
  }
  const texts = content.themes.flatMap(({ path: name }) => readIfFile(name, TEXT_LIMIT)?.toString() ?? []);
  const values = new Map<string, unknown>([
    ['id', nextId(texts, sources)],
    ...fields,
    ...[...files].map(([field, [name]]) => [field, name] as const),
  ]);
  const ordered = FIELD_NAMES.filter((field) => values.has(field)).map((field) => [field, values.get(field)] as const);
  const text = writeYaml(ordered, modeline(texts));
  const bytes = Buffer.byteLength(text);
  if (bytes > TEXT_LIMIT) {
    report('file/too-large', { file }, { bytes, limit: TEXT_LIMIT });
    return { text, document: undefined, isComplete: false };
  }
  const parsing = new Diagnostics();
  const document = parseYaml(file, text, parsing.report);
  for (const diagnostic of parsing.sorted)
    add(errors, document === undefined ? NO_FIELD : fieldAt(document, diagnostic.location), sentence(diagnostic));
  if (document === undefined) return { text, document, isComplete: false };
  const own: Report = (code, location, args) => {
    if (location.file !== file) return;
    if (code === 'field/missing') {
      for (const field of (args as Arguments<'field/missing'>).fields) add(errors, field, REQUIRED);
      return;
    }
    const field = code === 'theme/no-default' ? 'is_default' : fieldAt(document, location);
    reportErrors((diagnostic) => add(errors, field, sentence(diagnostic)))(code, location, args);
  };
  // It comes last, so that conflicts with other themes are reported for it.
  const source = validateTheme(slug, document, site, own);
  const folders = new Set([...content.files.keys(), ...(slug === NO_SLUG ? [] : [slug])]);
  const themes = resolveThemes([...sources, source], folders, site, own);
  return { text, document, isComplete: themes.some((theme) => theme.slug === slug) };
}

/** The reasons to reject a request before anything is written. */
function rejectionOf(
  { document, isComplete }: Draft,
  errors: FieldErrors,
  existingSlug: string | undefined,
  { sources }: Authored,
): Rejection | undefined {
  const id = document?.data['id'];
  if (errors.size === 0 && existingSlug !== undefined) return conflict(existingSlug);
  if (errors.size === 0 && isComplete) return undefined;
  if (errors.size === 0) addBrokenParent(new Map(Object.entries(document?.data ?? {})), errors);
  if (existingSlug !== undefined) add(errors, 'slug', existsMessage(existingSlug));
  const isIdTaken = errors.size === 1 && errors.has('id') && sources.some(({ fields }) => fields.id === id);
  return { status: isIdTaken ? 409 : 400, errors };
}

function conflict(slug: string): Rejection {
  return { status: 409, detail: existsMessage(slug), errors: new Map([['slug', [existsMessage(slug)]]]) };
}

function existsMessage(slug: string): string {
  return `The folder ${quote(slug)} already exists. Give the theme another name, or send another \`slug\`.`;
}

function addBrokenParent(fields: ReadonlyMap<string, unknown>, errors: FieldErrors): void {
  const parent = fields.get('extends');
  if (parent === undefined) add(errors, NO_FIELD, 'The theme cannot be checked while the themes have other errors.');
  else add(errors, 'extends', `The theme ${quote(parent)}, or one that it extends, has errors. Fix them first.`);
}

/** The comment that names the schema for editors, as the other themes have it. */
function modeline(texts: readonly string[]): string | undefined {
  const lines = texts.map((text) => /^# yaml-language-server: \$schema=\S+(?=\r?\n)/.exec(text)?.[0]);
  return lines.find((line) => line !== undefined);
}
