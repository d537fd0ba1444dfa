import type { Secret } from '../hosts/credentials.ts';
import { UsageError } from './command.ts';

/** Headers that define the target and the body of a request, or that have a flag of their own. */
const RESERVED = /^(?:host|cookie|connection|content-.*|transfer-encoding|expect|upgrade|te|trailer)$/i;

/** The flags that name credentials. */
export interface CredentialFlags {
  readonly header: readonly string[];
  /** Without it, the flag for headers takes cookies too. */
  readonly cookie?: readonly string[];
  readonly token?: string | undefined;
}

/**
 * The credentials that the caller passes on to CONFIG, read from the environment: values on a command line would be in the history
 * of the shell and in the list of processes.
 * @param headerFlag - the flag that names headers
 * @returns undefined without any
 */
export function givenHeaders(
  { header, cookie, token }: CredentialFlags,
  secret: Secret,
  headerFlag = '--header',
): Record<string, string> | undefined {
  const headers = header.map((text) => {
    const { name, value } = pairOf(headerFlag, text, secret);
    const isCookie = /^cookie$/i.test(name);
    if (RESERVED.test(name) && !(isCookie && cookie === undefined))
      throw new UsageError(`${headerFlag} cannot be ${name}${isCookie ? ': use `--cookie NAME=VARIABLE`' : ''}.`);
    return [name, value] as const;
  });
  const cookies = (cookie ?? []).map((text) => {
    const { name, value } = pairOf('--cookie', text, secret);
    if (value.includes(';'))
      throw new UsageError(`--cookie ${name}: its value contains a semicolon, so it is more than one cookie.`);
    return `${name}=${value}`;
  });
  const bearer = token === undefined ? [] : [['Authorization', `Bearer ${valueOf('--token', token, secret)}`] as const];
  const all = [...headers, ...bearer, ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const])];
  const names = all.map(([name]) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`The header ${twice} is given twice.`);
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

function pairOf(flag: string, text: string, secret: Secret): { name: string; value: string } {
  const [, name = '', variable = ''] = /^([A-Za-z0-9!#$%&'*+.^_|~-]+)=([A-Za-z_][A-Za-z0-9_]*)$/.exec(text) ?? [];
  // What was given may be a secret itself, so it is not repeated.
  if (name === '')
    throw new UsageError(
      `${flag} must be NAME=VARIABLE, with the name of an environment variable that holds the value.`,
    );
  return { name, value: valueOf(`${flag} ${name}`, variable, secret) };
}

function valueOf(flag: string, variable: string, secret: Secret): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable))
    throw new UsageError(`${flag} takes the name of an environment variable that holds the value, not the value.`);
  const value = secret(variable);
  if (value === undefined || value === '')
    throw new UsageError(`${flag}: the environment variable ${variable} is not set.`);
  // RFC 9110, §5.5: what may be in a header.
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new UsageError(`${flag}: ${variable} contains a character that no header may contain.`);
  return value;
}
