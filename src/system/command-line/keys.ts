import { canonicalForm, isHostname } from '../../core/theme/site/hostnames.ts';
import { keyHint } from '../../core/diagnostics/catalogue/mapping.ts';
import { keyMistake, keyProblem } from '../../core/users/key.ts';
import type { SearchedKey } from '../../core/users/mapping.ts';
import { UsageError } from './command.ts';

/** Returns the keys of `--user` and `--group`, checked. */
export function searchedKeys(users: readonly string[], group: string | undefined): SearchedKey[] {
  const keys = [
    ...users.map((key) => ({ kind: 'user' as const, key })),
    ...(group === undefined ? [] : [{ kind: 'group' as const, key: group }]),
  ];
  for (const { kind, key } of keys) {
    const problem = keyProblem(key);
    if (problem !== undefined) throw new UsageError(`Invalid ${kind}: the key ${problem}. ${keyHint(keyMistake(key))}`);
  }
  return keys;
}

/** Normalises the value of `--hostname`, as browsers and hosts do. */
export function hostnameFlag(text: string): string {
  const name = isHostname(text) ? text : canonicalForm(text);
  if (name === undefined)
    throw new UsageError(`--hostname must be a hostname like \`sea.example.org\`, not \`${text}\`.`);
  return name;
}
