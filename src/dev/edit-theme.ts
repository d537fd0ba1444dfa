import path from 'node:path';
import { type Diagnostic, Diagnostics, place } from '../diagnostics/diagnostic.ts';
import { visible } from '../diagnostics/quote.ts';
import { sha256Of } from '../io/disk/files.ts';
import { IncrementalCache } from '../io/incremental/incremental-cache.ts';
import { readIfFile } from '../io/incremental/file-hashes.ts';
import { TEXT_LIMIT } from '../io/themes/discover.ts';
import { EDIT_FIELDS } from './pages/edit-page.ts';
import { NO_FIELD } from './pages/post-form.ts';
import { readAuthored } from '../build/pipeline.ts';
import { EditYamlError } from '../source/edit-yaml.ts';
import { decodeUtf8 } from '../source/text.ts';
import { parseYaml, type SourceDocument } from '../source/yaml.ts';
import { changedFields, editTheme, fieldTexts } from '../theme/edit-theme.ts';
import { resolveThemes } from '../theme/resolve.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { validateTheme } from '../theme/validate.ts';
import { add, fieldAt, sentence } from './field-errors.ts';
import { FormFiles, notWritten } from './form-files.ts';
import type { FieldErrors, Payload, Rejection } from './payload.ts';
import type { Session } from './session.ts';
import { type Upload, uploadedFiles } from './uploads.ts';

/** A theme.yaml as a form shows it. */
export interface EditedFile {
  path: string;
  bytes: Buffer;
  text: string;
  hash: string;
  /** By field, what the inputs have. */
  shown: Map<string, string[]>;
}

const BOM = '\ufeff';

/** Reads the theme.yaml of a theme. @returns nothing if it cannot be edited in a form */
export function readEdited({ options: { themesDir } }: Session, slug: string): EditedFile | undefined {
  const file = path.join(themesDir, slug, THEME_FILE);
  const bytes = readIfFile(file, TEXT_LIMIT);
  const ignore = (): void => undefined;
  const text = bytes && decodeUtf8({ file, bytes }, ignore);
  const document = text === undefined ? undefined : parseYaml(file, text, ignore);
  if (bytes === undefined || text === undefined || document === undefined) return undefined;
  return { path: file, bytes, text, hash: sha256Of(bytes), shown: fieldTexts(document.data, EDIT_FIELDS) };
}

export const NOT_EDITABLE = (slug: string): string =>
  `The file \`${slug}/${THEME_FILE}\` cannot be edited in a form: fix the errors of its YAML first, in an editor.`;

/**
 * Writes what a form changes in a theme, if that adds no errors to those that a build already has. A rejected request leaves the files
 * as they were.
 * @returns why it is rejected
 */
export async function updateTheme(slug: string, payload: Payload, session: Session): Promise<Rejection | undefined> {
  if (payload.rejection !== undefined) return payload.rejection;
  const edited = readEdited(session, slug);
  if (edited === undefined) return { status: 409, detail: NOT_EDITABLE(slug) };
  const texts = payload.typed;
  const conflict: Rejection = {
    status: 409,
    detail: `The file \`${slug}/${THEME_FILE}\` has changed since this form was shown. Open the form again, and repeat your changes.`,
  };
  if (texts.get('hash')?.[0] !== edited.hash) return conflict;
  const changes = changedFields(edited.shown, texts, payload.fields, EDIT_FIELDS);
  const { uploads, replaced } = uploadedFiles(payload, path.dirname(edited.path), edited.shown);
  for (const [field, { name }] of uploads) changes.set(field, name);
  if (changes.size === 0) return undefined;
  const text = editedText(edited.text, changes, new Set(uploads.keys()));
  if (text === undefined)
    return {
      status: 409,
      detail: `These changes cannot be made in \`${slug}/${THEME_FILE}\` without rewriting it. Edit the file instead.`,
    };
  const errors = await newErrors(slug, edited.text, text, changes, session);
  if (errors.size > 0) return { status: 400, errors };

  const before = session.problems instanceof Error ? [] : (session.problems?.diagnostics ?? []);
  let isConflict = false;
  let files: FormFiles | undefined;
  const below = (file: string): string => `${slug}/${path.basename(file)}`;
  const write = async (): Promise<boolean> => {
    isConflict = readEdited(session, slug)?.hash !== edited.hash;
    if (isConflict) return false;
    files = new FormFiles(session.options.themesDir);
    for (const [file, bytes] of replaced) await files.remove(below(file), bytes);
    for (const { file, bytes } of uploads.values()) await files.create(below(file), bytes);
    const bom = edited.bytes.toString('utf8').startsWith(BOM) ? BOM : '';
    await files.replace(below(edited.path), edited.bytes, Buffer.from(bom + text));
    return true;
  };
  const document = parseYaml(session.displayed(edited.path), text, () => undefined);
  try {
    await session.change(
      slug,
      write,
      ({ found }) => {
        for (const diagnostic of addedErrors(before, found.diagnostics))
          add(errors, fieldFor(diagnostic, document, uploads, session), messageOf(diagnostic, document));
        return errors.size === 0;
      },
      async () => (await files?.undo()) ?? [],
    );
  } catch (error) {
    return notWritten(error);
  }
  if (isConflict) return conflict;
  return errors.size === 0 ? undefined : { status: 400, errors };
}

function editedText(
  text: string,
  changes: ReadonlyMap<string, unknown>,
  uploaded: ReadonlySet<string>,
): string | undefined {
  try {
    return editTheme(text, changes, uploaded);
  } catch (error) {
    if (error instanceof EditYamlError) return undefined;
    throw error;
  }
}

/** The errors that a new text would add, by field, found before anything is written. */
async function newErrors(
  slug: string,
  old: string,
  text: string,
  changes: ReadonlyMap<string, unknown>,
  session: Session,
): Promise<FieldErrors> {
  const { content, site, sources } = await readAuthored(
    session.options,
    await IncrementalCache.open(),
    () => undefined,
  );
  const file = content.display(`${slug}/${THEME_FILE}`);
  const check = (yaml: string): { document: SourceDocument | undefined; found: readonly Diagnostic[] } => {
    const diagnostics = new Diagnostics();
    const document = parseYaml(file, yaml, diagnostics.report);
    if (document === undefined) return { document, found: diagnostics.sorted };
    const source = validateTheme(slug, document, site, diagnostics.report);
    const others = sources.filter((other) => other.slug !== slug);
    resolveThemes([...others, source], new Set(content.files.keys()), site, diagnostics.report);
    return { document, found: diagnostics.sorted };
  };
  const { document, found } = check(text);
  const errors: FieldErrors = new Map();
  for (const diagnostic of addedErrors(check(old).found, found)) {
    const isHere = document !== undefined && diagnostic.location.file === file;
    const emptied = [...changes.keys()].filter((field) => diagnostic.message.includes(`\`${field}\``));
    const fields =
      diagnostic.code === 'field/missing' ? emptied : isHere ? [fieldAt(document, diagnostic.location)] : [NO_FIELD];
    for (const field of fields) add(errors, field, messageOf(diagnostic, document));
  }
  return errors;
}

/** The errors that are not among earlier ones. Their places and texts may have moved: of each kind in a file, they are counted. */
function addedErrors(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostic[] {
  const kindOf = ({ code, location }: Diagnostic): string => `${code} ${location.file}`;
  const messages = new Set(before.map((one) => `${kindOf(one)} ${one.message}`));
  const left = new Map<string, number>();
  for (const one of before) left.set(kindOf(one), (left.get(kindOf(one)) ?? 0) + 1);
  const errors = after.filter(({ severity }) => severity === 'error');
  const known = errors.filter((one) => messages.has(`${kindOf(one)} ${one.message}`));
  for (const one of known) left.set(kindOf(one), (left.get(kindOf(one)) ?? 0) - 1);
  return errors.filter((one) => {
    if (known.includes(one)) return false;
    const n = left.get(kindOf(one)) ?? 0;
    left.set(kindOf(one), n - 1);
    return n <= 0;
  });
}

/** The field that a diagnostic of a build concerns: one whose image was sent, or the one at its place. */
function fieldFor(
  { location }: Diagnostic,
  document: SourceDocument | undefined,
  uploads: ReadonlyMap<string, Upload>,
  session: Session,
): string {
  for (const [field, { file }] of uploads) if (session.displayed(file) === location.file) return field;
  return document !== undefined && location.file === document.file ? fieldAt(document, location) : NO_FIELD;
}

/** With its place, if that is in another file. */
function messageOf(diagnostic: Diagnostic, document: SourceDocument | undefined): string {
  const { location } = diagnostic;
  const isHere = location.file === document?.file;
  return isHere ? sentence(diagnostic) : `${visible(place(location))}: ${sentence(diagnostic)}`;
}
