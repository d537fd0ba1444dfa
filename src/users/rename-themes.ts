import type { Edit } from '../source/edits.ts';
import { offsets } from '../source/edits.ts';
import { isVerbatim, requoted } from '../source/requote.ts';
import { parseYaml } from '../source/yaml.ts';
import { readHeader, splitRow } from './csv.ts';
import { parsedRow, themeSpan } from './ndjson.ts';
import { MAX_PARTS } from './users-yaml.ts';

/** How a file of users is written. */
export type UsersForm = 'csv' | 'ndjson' | 'yaml';

/** An edit that writes the present name of a theme. */
export interface Renaming extends Edit {
  /** The name that stands there now. */
  name: string;
}

/** How a file of rows is written: by its name, or by its first character. */
export function rowsForm(file: string, text: string): UsersForm {
  return file.endsWith('.ndjson') || /^[\r\n]*\{/.test(text) ? 'ndjson' : 'csv';
}

/**
 * Writes other names of themes wherever a file of users names them.
 * @param names - by the present name
 */
export function renameThemes(text: string, form: UsersForm, names: ReadonlyMap<string, string>): Renaming[] {
  return form === 'yaml' ? inYaml(text, names) : inRows(text, form, names);
}

function inRows(text: string, form: 'csv' | 'ndjson', names: ReadonlyMap<string, string>): Renaming[] {
  const renamings: Renaming[] = [];
  let isFirst = true;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const stop = newline === -1 ? text.length : newline;
    const line = text.slice(start, text[stop - 1] === '\r' ? stop - 1 : stop);
    const isHeader = isFirst && form === 'csv' && 'kind' in (readHeader(line) ?? {});
    const cell = line === '' || isHeader ? undefined : form === 'csv' ? csvTheme(line) : jsonTheme(line);
    const replacement = cell && names.get(cell.name);
    if (cell !== undefined && replacement !== undefined)
      renamings.push({ start: start + cell.start, end: start + cell.end, text: replacement, name: cell.name });
    if (line !== '') isFirst = false;
    start = stop + 1;
  }
  return renamings;
}

type Named = Pick<Renaming, 'start' | 'end' | 'name'>;

function csvTheme(line: string): Named | undefined {
  const cells = splitRow(line);
  const theme = cells?.[1];
  if (cells?.length !== 2 || theme === undefined) return undefined;
  const start = theme.column - 1;
  return { start, end: start + theme.text.length, name: theme.text };
}

function jsonTheme(line: string): Named | undefined {
  const row = parsedRow(line);
  if (row === undefined) return undefined;
  const [start, end] = themeSpan(line);
  return { start, end, name: row.theme };
}

/** In `users.yaml`, themes are keys: one that has an entry of its own there is not written twice. */
function inYaml(text: string, names: ReadonlyMap<string, string>): Renaming[] {
  const document = parseYaml('', text, () => undefined, MAX_PARTS);
  if (document === undefined) return [];
  const offset = offsets(text);
  return ['users', 'groups', 'files'].flatMap((field) => {
    const entries = document.data[field];
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) return [];
    return Object.keys(entries).flatMap((name): Renaming[] => {
      const replacement = names.get(name);
      const source = document.keySourceAt([field, name]);
      if (replacement === undefined || Object.hasOwn(entries, replacement) || !isVerbatim(source, name)) return [];
      const { start } = document.keyAt([field, name]);
      if (start === undefined) return [];
      const at = offset(start);
      return [{ start: at, end: at + source.length, text: requoted(source, replacement), name }];
    });
  });
}
