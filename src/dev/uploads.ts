import { lstatSync } from 'node:fs';
import path from 'node:path';
import { FORMATS, sniffFormat } from '../image/format.ts';
import { isPlaceholder } from '../image/placeholder.ts';
import { readIfFile } from '../io/incremental/file-hashes.ts';
import { EDIT_FIELDS } from './pages/edit-page.ts';
import { uploadOf } from './pages/post-form.ts';
import type { Payload } from './payload.ts';

export interface Upload {
  name: string;
  file: string;
  bytes: Uint8Array;
}

/** The images of a form, by field. */
interface Uploads {
  uploads: Map<string, Upload>;
  /** The placeholders that they replace, with their content. */
  replaced: Map<string, Buffer>;
}

/** Placeholders have less; what is larger was changed. */
const MAX_PLACEHOLDER_BYTES = 64 * 1024;

/**
 * The images that were sent, under names that no other file of the folder has. Their content alone determines the extension.
 * @param shown - the fields as theme.yaml has them
 */
export function uploadedFiles(
  { files }: Payload,
  folder: string,
  shown: ReadonlyMap<string, readonly string[]>,
): Uploads {
  const fields = EDIT_FIELDS.filter((field) => files.has(uploadOf(field)));
  const replaced = placeholdersOf(fields, folder, shown);
  const uploads = new Map<string, Upload>();
  const taken = new Set<string>();
  for (const field of fields) {
    const bytes = files.get(uploadOf(field)) ?? new Uint8Array();
    const sniffed = sniffFormat(bytes);
    const extension = 'format' in sniffed ? FORMATS[sniffed.format].extensions[0] : 'bin';
    const stem = field.replaceAll('_', '-');
    const isTaken = (name: string): boolean =>
      taken.has(name) || (!replaced.has(path.join(folder, name)) && exists(path.join(folder, name)));
    let name = `${stem}.${extension}`;
    for (let n = 2; isTaken(name); n++) name = `${stem}-${n}.${extension}`;
    taken.add(name);
    uploads.set(field, { name, file: path.join(folder, name), bytes });
  }
  return { uploads, replaced };
}

/** The files that themecast drew for some fields, and that no other field names. Files that someone made are never removed. */
function placeholdersOf(
  fields: readonly string[],
  folder: string,
  shown: ReadonlyMap<string, readonly string[]>,
): Map<string, Buffer> {
  const others = new Set(
    [...shown].flatMap(([field, texts]) => (fields.includes(field) ? [] : texts.map((text) => path.normalize(text)))),
  );
  const found = new Map<string, Buffer>();
  for (const field of fields) {
    const [name = ''] = shown.get(field) ?? [];
    if (!/^[^/\\\0]+\.svg$/.test(name) || others.has(name)) continue;
    const file = path.join(folder, name);
    const bytes = readIfFile(file, MAX_PLACEHOLDER_BYTES);
    if (bytes !== undefined && isPlaceholder(bytes)) found.set(file, bytes);
  }
  return found;
}

function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
