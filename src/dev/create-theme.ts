import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Authored, readAuthored } from '../pipeline.ts';
import type { Arguments } from '../diagnostics/catalogue.ts';
import { type Diagnostic, Diagnostics, type Report } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { ThemeRecord } from '../document/record.ts';
import { NO_FIELD } from '../pages/post-forms.ts';
import { FORMATS, sniffFormat } from '../image/format.ts';
import { displayPath } from '../io/files.ts';
import { TEXT_LIMIT } from '../io/themes/discover.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { errorCode, systemReason } from '../io/files.ts';
import { NO_CACHE } from '../io/incremental-cache.ts';
import { writeYaml } from '../source/write-yaml.ts';
import { parseYaml, type SourceDocument } from '../source/yaml.ts';
import { resolveThemes } from '../theme/resolve.ts';
import { themeSchema } from '../theme/schema.ts';
import { isSlug, slugOf, USERS_FOLDER } from '../theme/slug.ts';
import { validateTheme } from '../theme/validate.ts';
import { add, fieldAt, sentence, told } from './field-errors.ts';
import type { FieldErrors, Payload, Refused } from './payload.ts';
import type { Creation, Session } from './session.ts';

export interface Created {
  slug: string;
  record: ThemeRecord;
}

/** Names that may be sent, in the order in which they are written. */
const FIELD_NAMES = Object.keys(themeSchema.shape);

const REQUIRED = 'This field is required.';
/** Stands for the folder name if there is none that can be used; no theme can have it. */
const NO_SLUG = '-';

/**
 * Writes a new theme into the themes folder, if a build has nothing against it. Otherwise nothing of it stays.
 * What is wrong with other themes is not in its way.
 */
export async function createTheme(payload: Payload, session: Session): Promise<Created | Refused> {
  if (payload.refused !== undefined) return payload.refused;
  const { themesDir } = session.options;
  const errors: FieldErrors = new Map();
  const slug = slugFor(payload.fields, errors);
  const folder = path.join(themesDir, slug);
  const files = pictureFiles(payload);
  let refused: Refused | undefined;
  let draft: Draft | undefined;
  let written: string[] | undefined;
  const write = async (): Promise<boolean> => {
    const authored = await readAuthored(session.options, NO_CACHE, () => undefined);
    const isTaken = authored.content.files.has(slug);
    draft = draftTheme(isTaken ? NO_SLUG : slug, payload, files, authored, errors);
    refused = refusalOf(draft, errors, isTaken ? slug : undefined, authored);
    if (refused !== undefined) return false;
    const isNew = await mkdir(folder).then(
      () => true,
      (error: unknown) => {
        if (errorCode(error) === 'EEXIST') return false;
        throw error;
      },
    );
    if (!isNew) {
      refused = taken(slug);
      return false;
    }
    written = [];
    for (const [name, content] of [[THEME_FILE, draft.text] as const, ...files.values()]) {
      written.push(name);
      await writeFile(path.join(folder, name), content, { flag: 'wx' });
    }
    return true;
  };
  const undo = async (): Promise<void> => {
    if (written === undefined) return;
    for (const name of written) await rm(path.join(folder, name), { force: true });
    // Not with what somebody else may have put there meanwhile.
    await rmdir(folder).catch(() => undefined);
  };
  const isAccepted = ({ found, record }: Creation): boolean => {
    if (draft !== undefined)
      collectFindings(found.diagnostics, displayPath(folder, session.options.cwd), draft, files, errors);
    if (record === undefined && errors.size === 0) addBrokenParent(payload.fields, errors);
    return errors.size === 0;
  };
  try {
    const creation = await session.create(slug, write, isAccepted, undo);
    if (refused !== undefined) return refused;
    return errors.size > 0 || creation?.record === undefined
      ? { status: 400, errors }
      : { slug, record: creation.record };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return { status: 500, detail: `The theme cannot be written: ${systemReason(error)}.` };
  }
}

/** The folder name that was asked for, or else one made from the name of the theme. */
function slugFor(fields: Payload['fields'], errors: FieldErrors): string {
  const asked = fields.get('slug');
  const name = fields.get('name');
  const slug = asked ?? (typeof name === 'string' ? slugOf(name) : undefined);
  const report = (message: string): void => add(errors, 'slug', message);
  if (slug === USERS_FOLDER) report(`The folder ${quote(slug)} is for files of users. Choose another name.`);
  else if (typeof slug === 'string')
    isSlug(
      slug,
      { file: '' },
      told((finding) => report(sentence(finding))),
    );
  else if (asked !== undefined) report('The folder name must be a text.');
  else if (typeof name === 'string')
    report('No folder name can be made from the name of the theme. Send one: a–z, 0–9 and -.');
  else if (name === undefined) add(errors, 'name', REQUIRED); // even if it could be inherited
  return errors.size === 0 && typeof slug === 'string' ? slug : NO_SLUG;
}

/** By field, the name and the content of each picture that was sent. Only what a file is decides what it is called. */
function pictureFiles({ files }: Payload): Map<string, readonly [name: string, bytes: Uint8Array]> {
  const named = [...files].filter(([field]) => FIELD_NAMES.includes(field));
  return new Map(
    named.map(([field, bytes]) => {
      const sniffed = sniffFormat(bytes);
      const extension = 'format' in sniffed ? FORMATS[sniffed.format].extensions[0] : 'bin';
      return [field, [`${field.replaceAll('_', '-')}.${extension}`, bytes]];
    }),
  );
}

/** theme.yaml as it would be written. */
interface Draft {
  text: string;
  /** Nothing if it cannot be read. */
  document: SourceDocument | undefined;
  /** Whether it comes to a theme, with all that it inherits. */
  isWhole: boolean;
}

/** Writes theme.yaml and checks it, before anything is on disk: here the findings know more than where they stand. */
function draftTheme(
  slug: string,
  { fields, files: sent }: Payload,
  files: ReturnType<typeof pictureFiles>,
  { content, site, sources }: Authored,
  errors: FieldErrors,
): Draft {
  const file = content.display(`${slug}/${THEME_FILE}`);
  const report = told((finding) => add(errors, NO_FIELD, sentence(finding)));
  for (const field of [...fields.keys(), ...sent.keys()]) {
    if (field === 'slug' || FIELD_NAMES.includes(field)) continue;
    const unknown = told((finding) => add(errors, field, sentence(finding)));
    unknown('field/unknown', { file }, { field, suggestion: suggest(field, FIELD_NAMES), known: FIELD_NAMES });
  }
  const values = new Map<string, unknown>([
    ['id', nextId(content.themes, sources)],
    ...fields,
    ...[...files].map(([field, [name]]) => [field, name] as const),
  ]);
  const ordered = FIELD_NAMES.filter((field) => values.has(field)).map((field) => [field, values.get(field)] as const);
  const text = writeYaml(ordered, modeline(content.themes));
  const bytes = Buffer.byteLength(text);
  if (bytes > TEXT_LIMIT) {
    report('file/too-large', { file }, { bytes, limit: TEXT_LIMIT });
    return { text, document: undefined, isWhole: false };
  }
  const parsing = new Diagnostics();
  const document = parseYaml(file, text, parsing.report);
  for (const finding of parsing.sorted)
    add(errors, document === undefined ? NO_FIELD : fieldAt(document, finding.location), sentence(finding));
  if (document === undefined) return { text, document, isWhole: false };
  const own: Report = (code, location, args) => {
    if (location.file !== file) return;
    if (code === 'field/missing') {
      for (const field of (args as Arguments<'field/missing'>).fields) add(errors, field, REQUIRED);
      return;
    }
    const field = code === 'theme/no-default' ? 'is_default' : fieldAt(document, location);
    told((finding) => add(errors, field, sentence(finding)))(code, location, args);
  };
  // It comes last, so that what it has in common with another theme is said of it.
  const source = validateTheme(slug, document, site, own);
  const folders = new Set([...content.files.keys(), ...(slug === NO_SLUG ? [] : [slug])]);
  const themes = resolveThemes([...sources, source], folders, site, own);
  return { text, document, isWhole: themes.some((theme) => theme.slug === slug) };
}

/** What there is to say before anything is written. */
function refusalOf(
  { document, isWhole }: Draft,
  errors: FieldErrors,
  takenSlug: string | undefined,
  { sources }: Authored,
): Refused | undefined {
  const id = document?.data['id'];
  if (errors.size === 0 && takenSlug !== undefined) return taken(takenSlug);
  if (errors.size === 0 && isWhole) return undefined;
  if (errors.size === 0) addBrokenParent(new Map(Object.entries(document?.data ?? {})), errors);
  if (takenSlug !== undefined) add(errors, 'slug', takenMessage(takenSlug));
  const isIdTaken = errors.size === 1 && errors.has('id') && sources.some(({ fields }) => fields.id === id);
  return { status: isIdTaken ? 409 : 400, errors };
}

function taken(slug: string): Refused {
  return { status: 409, detail: takenMessage(slug), errors: new Map([['slug', [takenMessage(slug)]]]) };
}

function takenMessage(slug: string): string {
  return `There is a folder ${quote(slug)} already. Give the theme another name, or send another \`slug\`.`;
}

function addBrokenParent(fields: ReadonlyMap<string, unknown>, errors: FieldErrors): void {
  const parent = fields.get('extends');
  if (parent === undefined) add(errors, NO_FIELD, 'The theme cannot be checked while the themes have other errors.');
  else add(errors, 'extends', `What ${quote(parent)} hands down has errors. Correct them first.`);
}

/** One more than the greatest id, also of themes that cannot be read as they are. */
function nextId(themes: Authored['content']['themes'], sources: Authored['sources']): number {
  const written = themes.map(({ text }) => Number(/^id:[ \t]*(\d{1,15})\b/m.exec(text)?.[1] ?? 0));
  return Math.max(0, ...written, ...sources.map(({ fields }) => fields.id ?? 0)) + 1;
}

/** The comment by which the other themes tell editors their schema. */
function modeline(themes: Authored['content']['themes']): string | undefined {
  const lines = themes.map(({ text }) => /^# yaml-language-server: \$schema=\S+(?=\r?\n)/.exec(text)?.[0]);
  return lines.find((line) => line !== undefined);
}

/** Adds what a build found in the new folder, each finding to the field that it is about. */
function collectFindings(
  diagnostics: readonly Diagnostic[],
  folder: string,
  { document }: Draft,
  files: ReturnType<typeof pictureFiles>,
  errors: FieldErrors,
): void {
  for (const finding of diagnostics) {
    const { code, severity, location } = finding;
    const inside = location.file.startsWith(`${folder}/`) ? location.file.slice(folder.length + 1) : undefined;
    // That there is no default theme is not the fault of a further one.
    if (severity !== 'error' || inside === undefined || code === 'theme/no-default') continue;
    const place = location.start === undefined ? '' : `${inside}, line ${location.start.line}: `;
    const naming = [...files].filter(([, [name]]) => name === inside).map(([field]) => field);
    if (inside === THEME_FILE && document !== undefined) add(errors, fieldAt(document, location), sentence(finding));
    else for (const field of naming.length > 0 ? naming : [NO_FIELD]) add(errors, field, place + sentence(finding));
  }
}
