import type { JsonWebKey } from './token.ts';

/** How long fetched keys are fresh, in milliseconds. */
const FRESH_MS = 300_000;
/** Delay after a failed fetch, in milliseconds: anyone can send tokens, which must not cause a flood of requests. */
const RETRY_MS = 10_000;
/** Timeout of a request to the login service, in milliseconds. */
const TIMEOUT_MS = 3000;

const cached = new Map<string, { keys: readonly JsonWebKey[]; until: number }>();

/**
 * Fetches the keys at a URL (RFC 7517) and caches them in memory. While the login service does not respond, the last keys stay in use.
 * A pending request is never cached: a Cloudflare Worker may not wait for the I/O of another request.
 */
export async function fetchJwks(url: string): Promise<readonly JsonWebKey[]> {
  const entry = cached.get(url);
  if (entry !== undefined && Date.now() < entry.until) return entry.keys;
  const fetched = await readKeys(url);
  const keys = fetched ?? entry?.keys ?? [];
  cached.set(url, { keys, until: Date.now() + (fetched === undefined ? RETRY_MS : FRESH_MS) });
  return keys;
}

async function readKeys(url: string): Promise<readonly JsonWebKey[] | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { keys } = (await response.json()) as { keys?: unknown };
    return response.ok && Array.isArray(keys) ? (keys as JsonWebKey[]) : undefined;
  } catch {
    return undefined;
  }
}
