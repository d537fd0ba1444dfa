import type { JsonWebKey } from './token.ts';

/** Time for which keys are used before they are fetched again, in milliseconds. */
const FRESH = 300_000;
/** Time after a failure in which it is not tried again: tokens that anyone can send must not become a flood of requests. */
const RETRY = 10_000;
/** Time within which the login service must answer. */
const LIMIT = 3000;

const kept = new Map<string, { keys: readonly JsonWebKey[]; until: number }>();

/**
 * The keys at a URL (RFC 7517), kept in memory. While the login service does not answer, the last ones stand in.
 * Only results are kept, never a request under way: a Cloudflare Worker may not wait for the I/O of another request.
 */
export async function fetchJwks(url: string): Promise<readonly JsonWebKey[]> {
  const known = kept.get(url);
  if (known !== undefined && Date.now() < known.until) return known.keys;
  const fetched = await readKeys(url);
  const keys = fetched ?? known?.keys ?? [];
  kept.set(url, { keys, until: Date.now() + (fetched === undefined ? RETRY : FRESH) });
  return keys;
}

async function readKeys(url: string): Promise<readonly JsonWebKey[] | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT) });
    const { keys } = (await response.json()) as { keys?: unknown };
    return response.ok && Array.isArray(keys) ? (keys as JsonWebKey[]) : undefined;
  } catch {
    return undefined;
  }
}
