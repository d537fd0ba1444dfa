import { count } from '../../core/diagnostics/quote.ts';

/** Maximum wait for a service, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/**
 * Returns how long a service asks to wait before the next request (RFC 9110, §10.2.3).
 * @returns milliseconds; undefined without a valid header; a sentence if the wait is too long
 */
export function retryAfter(header: string | undefined): number | string | undefined {
  if (header === undefined) return undefined;
  const milliseconds = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  if (Number.isNaN(milliseconds)) return undefined;
  if (milliseconds <= MAX_WAIT_MS) return Math.max(milliseconds, 0);
  const minutes = count(Math.ceil(milliseconds / 60_000), 'minute');
  return `It asks to wait ${minutes} before the next request (Retry-After). Run the same command again then.`;
}
