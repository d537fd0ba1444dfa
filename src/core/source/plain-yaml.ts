import { parse } from 'yaml';

/** Parses YAML 1.2 to plain data, for a file that the caller names. @throws {Error} with line and column, also for an alias */
export function parsePlainYaml(text: string): unknown {
  return parse(text, { version: '1.2', schema: 'core', merge: false, logLevel: 'error', maxAliasCount: 0 });
}
