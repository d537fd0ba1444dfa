import { isSeq, LineCounter, parseDocument } from 'yaml';
import { findExcess } from './yaml-limits.ts';

/** Maximum number of parts of a file, see {@link findExcess}. */
const MAX_PARTS = 20_000;

/** Parses YAML 1.2 to plain data, for files with few entries; returns undefined if it is invalid. */
export function parsePlainYaml(text: string): unknown {
  if (findExcess(text, MAX_PARTS) !== undefined) return undefined;
  const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false, logLevel: 'error' });
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS({ maxAliasCount: 0 }) as unknown;
  } catch {
    return undefined; // the file has an alias
  }
}

/** Returns line and message of the first error in a YAML file, or without an error, the line of an entry of its list. */
export function plainYamlPlace(text: string, entry: number): { line: number; error: string | undefined } {
  const lineCounter = new LineCounter();
  const { errors, contents } = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'error', lineCounter });
  const [error] = errors;
  const node = isSeq(contents) ? contents.items[entry] : undefined;
  const offset = error?.pos[0] ?? (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? 0;
  // The parser appends an excerpt of the file to its message.
  return { line: lineCounter.linePos(offset).line, error: error?.message.replace(/ at line [^]*$/, '') };
}
