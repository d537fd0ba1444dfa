import { linesFile, type PrivateFile } from '../../core/document/files/output-file.ts';
import type { Mapping } from '../../core/users/mapping.ts';
import { pointerValue, type StoredValue } from '../../core/users/shards.ts';
import type { EdgeInput } from './adapter.ts';

/** The rules of all hosts, as JSON. */
export const RULES_FILE = 'rules.json';

/** The plain mapping, which commands on the build machine read. */
export const USERS_FILE = 'users.ndjson';

/** Folder of the shards as files. */
export const SHARDS_FOLDER = 'shards';

/** Returns the files below `edge/` that belong to no host: the rules, and the mapping in one of its two formats. */
export function commonFiles({ rules, mapping }: Pick<EdgeInput, 'rules' | 'mapping'>): PrivateFile[] {
  const { shards } = mapping;
  return [
    { path: RULES_FILE, content: { text: `{"version":1,"rules":${JSON.stringify(rules)}}\n` } },
    ...(shards === undefined
      ? [linesFile(USERS_FILE, () => userLines(mapping))]
      : [...shards.values(), pointerValue(shards)].map(valueFile)),
  ];
}

/** Returns the file name of a stored value, without colons, which Windows does not allow. */
export function valueFileName(name: string): string {
  return name.replaceAll(':', '-');
}

function valueFile({ name, text }: StoredValue): PrivateFile {
  return { path: `${SHARDS_FOLDER}/${valueFileName(name)}`, content: { parts: () => [text()] } };
}

/** Yields a line for each key: `["user","u-1001","meadow"]`. */
function* userLines(mapping: Mapping): Generator<string> {
  for (const kind of ['user', 'group'] as const)
    for (const [key, theme] of mapping.pairs(kind)) yield `${JSON.stringify([kind, key, theme])}\n`;
}
