import type { JsonWebKey } from './token.ts';

/** How long fetched keys are used, in milliseconds. */
const FRESH_MS = 300_000;
/** Delay after a failed fetch: anyone can send tokens, and they must not cause a flood of requests. */
const RETRY_MS = 10_000;
/** Timeout of a request to the login service. */
const TIMEOUT_MS = 3000;

const cached = new Map<string, { keys: readonly JsonWebKey[]; until: number }>();

/**
 * Fetches the keys at a URL (RFC 7517) and caches them in memory. While the login service does not respond, the last keys stay in use.
 * Only results are cached, never a pending request: a Cloudflare Worker may not wait for the I/O of another request.
 */
export async function fetchJwks(url: string): Promise<readonly JsonWebKey[]> {
  const known = cached.get(url);
  if (known !== undefined && Date.now() < known.until) return known.keys;
  const fetched = await readKeys(url);
  const keys = fetched ?? known?.keys ?? [];
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
