import { trimmed } from './white-space.ts';

/**
 * The value of the first cookie with this name (RFC 6265 leaves the choice open), without one pair of double quotes around it (§4.1.1).
 * Every host follows this rule.
 */
export function cookie(header: string | null, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (trimmed(key ?? '') === name && value.length > 0) return trimmed(value.join('=')).replace(/^"(.*)"$/s, '$1');
  }
  return undefined;
}
