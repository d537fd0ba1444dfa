import { printable } from '../diagnostics/quote.ts';
import type { HttpResponse } from './exchange.ts';

/** Headers by which caches name themselves, and say what they did. */
const NAMING = [
  'Via',
  'X-Cache',
  'X-Cache-Status',
  'X-Proxy-Cache',
  'X-Varnish',
  'CF-Cache-Status',
  'Cache-Status',
  'Age',
];

/** Those that show that a response was not asked for again, but kept. */
const HITS: Readonly<Record<string, RegExp>> = {
  // RFC 9111, §5.1: seconds since the origin was asked; some caches write 0 on what they pass on.
  age: /^\s*0*[1-9]\d*\s*$/,
  'x-cache': /\bhit\b/i,
  'x-cache-status': /^(?:hit|stale|updating|revalidated)\b/i,
  'x-proxy-cache': /^(?:hit|stale|updating|revalidated)\b/i,
  'cf-cache-status': /^(?:hit|stale|updating|revalidated)\b/i,
  // RFC 9211, §2.1.
  'cache-status': /;\s*hit\b/i,
  // Varnish: a second number is the request whose response it kept.
  'x-varnish': /^\d+\s+\d+$/,
};

/** The cache that a response came through, as its headers name it: `Via: 1.1 varnish, Age: 12`; empty if none does. */
export function cacheNamed({ headers }: HttpResponse): string {
  return NAMING.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [`${name}: ${printable(value)}`];
  }).join(', ');
}

/** Whether a response was kept by a cache, as its headers say. */
export function isCacheHit({ headers }: HttpResponse): boolean {
  return Object.entries(HITS).some(([name, pattern]) => pattern.test(headers[name] ?? ''));
}
