import { printable } from '../../diagnostics/quote.ts';
import { CONFIG } from '../../document/endpoint.ts';
import { jsonOf, requestTo } from '../../verify/exchange.ts';
import { HttpClient } from './client.ts';

/** How long a server may stay silent, and take in all, in milliseconds. */
const LIMITS = { timeoutMs: 10_000, totalMs: 20_000 };
/** Bytes that a theme may have: a record has a few thousand. */
const THEME_LIMIT = 1024 * 1024;

/** Asks a deployment for the theme of a requester, by one GET: its id as it may be printed, or why there is none. */
export async function askConfig(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ id: unknown; shown: string } | { problem: string }> {
  const request = requestTo(url, CONFIG.path, {
    headers: { 'User-Agent': 'themecast-who', Accept: 'application/json', ...headers },
    limit: THEME_LIMIT,
    keep: THEME_LIMIT,
    decode: true,
  });
  const client = new HttpClient(LIMITS);
  try {
    const outcome = await client.send(request);
    if ('noResponse' in outcome) return { problem: `it cannot be asked: ${outcome.noResponse}` };
    if (outcome.status !== 200) return { problem: `it answers with status ${outcome.status}` };
    if (outcome.end === 'over the limit')
      return { problem: `its response is longer than ${THEME_LIMIT.toLocaleString('en')} bytes` };
    if (outcome.end !== 'complete') return { problem: `its response is ${outcome.end}` };
    const record = jsonOf(outcome) as { id?: unknown } | null | undefined;
    if (record?.id === undefined) return { problem: 'its response is no theme' };
    return { id: record.id, shown: printable(JSON.stringify(record.id)) };
  } finally {
    client.close();
  }
}
