import type { Secret } from '../../hosts/contract/credentials.ts';
import { UsageError } from './command.ts';

/** Matches headers that define the target and the body of a request. */
const RESERVED = /^(?:host|connection|content-.*|transfer-encoding|expect|upgrade|te|trailer)$/i;

/**
 * Returns the credentials for requests to CONFIG, read from the environment: values on a command line would be visible in the shell history
 * and the list of processes.
 * @param pairs - each `NAME=VARIABLE`
 * @param flag - the name of the flag
 * @returns undefined without any pair
 */
export function givenHeaders(
  pairs: readonly string[],
  secret: Secret,
  flag = '--header',
): Record<string, string> | undefined {
  const headers = pairs.map((text) => pairOf(flag, text, secret));
  const reserved = headers.find(({ name }) => RESERVED.test(name));
  if (reserved !== undefined) throw new UsageError(`${flag} cannot be ${reserved.name}.`);
  const names = headers.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`The header ${twice} is given twice.`);
  return headers.length === 0 ? undefined : Object.fromEntries(headers.map(({ name, value }) => [name, value]));
}

function pairOf(flag: string, text: string, secret: Secret): { name: string; value: string } {
  const [, name = '', variable = ''] = /^([A-Za-z0-9!#$%&'*+.^_|~-]+)=([A-Za-z_][A-Za-z0-9_]*)$/.exec(text) ?? [];
  // The text may be a secret itself, so the message does not repeat it.
  if (name === '')
    throw new UsageError(
      `${flag} must be NAME=VARIABLE, with the name of an environment variable that holds the value.`,
    );
  return { name, value: valueOf(`${flag} ${name}`, variable, secret) };
}

function valueOf(flag: string, variable: string, secret: Secret): string {
  const value = secret(variable);
  if (value === undefined || value === '')
    throw new UsageError(`${flag}: the environment variable ${variable} is not set.`);
  // The characters of header values (RFC 9110, §5.5).
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new UsageError(`${flag}: ${variable} contains a character that no header may contain.`);
  return value;
}
