import { parseDocument } from 'yaml';
import { findExcess } from './yaml-limits.ts';

/** Maximum number of parts, see {@link findExcess}. */
const MAX_PARTS = 20_000;

/** YAML 1.2 as plain data, for files of a few entries; nothing if it is invalid. */
export function parsePlainYaml(text: string): unknown {
  if (findExcess(text, MAX_PARTS) !== undefined) return undefined;
  const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false, logLevel: 'error' });
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS({ maxAliasCount: 0 }) as unknown;
  } catch {
    return undefined; // an alias
  }
}
