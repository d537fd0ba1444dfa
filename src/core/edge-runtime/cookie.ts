import { trimmed } from './white-space.ts';

/**
 * Returns the value of the first cookie of this name (RFC 6265 leaves the choice open), without one pair of double quotes (§4.1.1). Every
 * host follows this rule.
 */
export function cookie(header: string | null, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (trimmed(key ?? '') === name && value.length > 0) return trimmed(value.join('=')).replace(/^"(.*)"$/s, '$1');
  }
  return undefined;
}

/** The characters of keys that web frameworks percent-encode in cookies: Express, PHP, Rails, and all code with `encodeURIComponent`. */
export const ENCODED_CHARACTERS = ['@', '+', ':', '|', '=', '/', '~'] as const;

/**
 * Returns the key in the value of a cookie, with {@link ENCODED_CHARACTERS} decoded once. Any other escape leaves a `%`, which no key
 * contains. Every host follows this rule.
 */
export function keyOfCookie(value: string): string {
  return value.replace(/%(?:40|2B|3A|7C|3D|2F|7E)/gi, decodeURIComponent);
}
