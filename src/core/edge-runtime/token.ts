import type { TokenKey } from './rules.ts';

/** A public key (RFC 7517). Only Web Crypto reads the other parameters. */
export interface JsonWebKey {
  kty?: string;
  kid?: string;
  use?: string;
  alg?: string;
  key_ops?: string[];
  [parameter: string]: unknown;
}

/** The functions that return the keys that verify tokens. */
export interface TokenKeys {
  /** Returns a secret by the name of its environment variable. */
  secret(env: string): string | undefined;
  /** Returns the keys at a URL (RFC 7517); the platform caches them. */
  jwks(url: string): Promise<readonly JsonWebKey[]>;
}

/** Minimum length of a secret, in bytes: HMAC-SHA-256 needs at least the length of the hash (RFC 2104, §3; RFC 7518, §3.2). */
export const MIN_SECRET_BYTES = 32;

type JwkData = Extract<Parameters<typeof crypto.subtle.importKey>[1], { kty?: unknown }>;
type Json = Record<string, unknown>;

/**
 * Verifies a token and returns one of its claims. It must be signed by the pinned algorithm and key, and be valid now; `exp` is required.
 * If any check fails, the request is anonymous.
 */
export async function claimOf(
  token: string,
  claim: string,
  key: TokenKey,
  keys: TokenKeys,
  now: number,
): Promise<string | undefined> {
  try {
    const [head = '', payload = '', signature = '', ...extraParts] = token.split('.');
    const header = json(head);
    if (extraParts.length > 0 || header['alg'] !== key.algorithm || header['crit'] !== undefined) return undefined;
    const signed = new TextEncoder().encode(`${head}.${payload}`);
    if (!(await isSigned(signed, bytes(signature), header['kid'], key, keys))) return undefined;
    const claims = json(payload);
    const { exp, nbf, [claim]: value } = claims;
    if (typeof exp !== 'number' || exp * 1000 <= now) return undefined;
    if (nbf !== undefined && (typeof nbf !== 'number' || nbf * 1000 > now)) return undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  } catch {
    return undefined;
  }
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  kid: unknown,
  key: TokenKey,
  keys: TokenKeys,
): Promise<boolean> {
  const { subtle } = crypto;
  if (key.algorithm === 'HS256') {
    const secret = new TextEncoder().encode(keys.secret(key.env) ?? '');
    if (secret.length < MIN_SECRET_BYTES) return false;
    const hmac = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    return subtle.verify('HMAC', hmac, signature, signed);
  }
  const algorithm =
    key.algorithm === 'RS256'
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const type = key.algorithm === 'RS256' ? 'RSA' : 'EC';
  for (const jwk of await keys.jwks(key.jwksUrl)) {
    if (jwk.kty !== type || (jwk.use ?? 'sig') !== 'sig' || (kid !== undefined && jwk.kid !== kid)) continue;
    const { alg: _, key_ops: __, ...plain } = jwk;
    try {
      const verifying = await subtle.importKey('jwk', plain as JwkData, algorithm, false, ['verify']);
      if (await subtle.verify(algorithm, verifying, signature, signed)) return true;
    } catch {
      // A corrupt key, or a key of another curve: try the next.
    }
  }
  return false;
}

function json(part: string): Json {
  return JSON.parse(new TextDecoder().decode(bytes(part))) as Json;
}

/** Decodes base64url (RFC 4648, §5). */
function bytes(text: string): Uint8Array<ArrayBuffer> {
  if (/[^A-Za-z0-9_-]/.test(text)) throw new TypeError('not base64url');
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
