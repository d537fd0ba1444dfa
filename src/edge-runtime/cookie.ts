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

/** The characters of keys that web frameworks percent-encode in cookies: Express, PHP, Rails, everyone who uses `encodeURIComponent`. */
export const ENCODED_CHARACTERS = ['@', '+', ':', '|', '=', '/', '~'] as const;

/**
 * The key in the value of a cookie: {@link ENCODED_CHARACTERS} are decoded once. With any other escape it is no key, as none has a `%`.
 * Every host follows this rule.
 */
export function keyOfCookie(value: string): string {
  return value.replace(/%(?:40|2B|3A|7C|3D|2F|7E)/gi, decodeURIComponent);
}
