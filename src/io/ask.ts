import { createHmac } from 'node:crypto';
import { CONFIG } from '../document/endpoint.ts';
import type { Credential } from '../theme/identity.ts';
import { systemReason } from './files.ts';

/** Seconds that a token lives that was made to ask with. */
const TOKEN_SECONDS = 60;
/** How long a server may take, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * The headers that make a request somebody's; nothing if only a proxy, a login service or the owner of a private key can make them.
 * @param secret - reads a secret that the host shares
 */
export function headersOf(
  credential: Credential,
  key: string,
  secret: (name: string) => string | undefined,
): Record<string, string> | undefined {
  if (credential.from === 'cookie') return { Cookie: `${credential.name}=${key}` };
  if (credential.from === 'header') {
    const shared = 'secret' in credential ? secret(credential.secret.env) : undefined;
    if (shared === undefined || !('secret' in credential)) return undefined;
    return { [credential.name]: key, [credential.secret.header]: shared };
  }
  if (credential.from !== 'jwt' || credential.key.algorithm !== 'HS256') return undefined;
  const shared = secret(credential.key.env);
  if (shared === undefined) return undefined;
  const token = signedToken({ [credential.claim]: key, exp: Math.floor(Date.now() / 1000) + TOKEN_SECONDS }, shared);
  return credential.cookie === undefined
    ? { Authorization: `Bearer ${token}` }
    : { Cookie: `${credential.cookie}=${token}` };
}

/** The environment variable of the secret that {@link headersOf} needs. */
export function secretOf(credential: Credential): string | undefined {
  if (credential.from === 'header') return 'secret' in credential ? credential.secret.env : undefined;
  return credential.from === 'jwt' && credential.key.algorithm === 'HS256' ? credential.key.env : undefined;
}

/** A JSON Web Token (RFC 7519), signed with HS256. */
function signedToken(claims: object, secret: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** Asks a deployment for the theme of somebody: its id, or why there is none. */
export async function askConfig(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ id: unknown } | { problem: string }> {
  try {
    const response = await fetch(url + CONFIG.path, {
      headers: { Accept: 'application/json', 'User-Agent': 'themecast-who', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status !== 200) return { problem: `it answers with status ${response.status}` };
    const record = (await response.json()) as { id?: unknown } | null;
    return record?.id === undefined ? { problem: 'its answer is no theme' } : { id: record.id };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return { problem: `it cannot be asked: ${systemReason(cause)}` };
  }
}
