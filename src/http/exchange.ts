import { printable } from '../diagnostics/quote.ts';
import { parseJson } from './parse-json.ts';

/** A request to a service. None has a body. */
export interface Request {
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT';
  origin: string;
  /** The request target as it goes over the wire (RFC 9112, §3.2.1): dot segments stay. */
  target: string;
  headers: Readonly<Record<string, string>>;
  /** Maximum number of body bytes that are read. */
  limit: number;
  /** Number of body bytes, from the beginning, that are retained; the rest is only hashed. */
  keep: number;
  /** Whether a compressed body is decoded; length, hash and beginning are then those of the decoded body. */
  decode?: boolean;
  /** Whether a host may reject it, or not have a certificate for its Host: that of the origin counts. */
  isOdd?: boolean;
  /** The address to connect to: one of several that the host has. */
  address?: string | undefined;
  /** Whether it gets a connection of its own, which a load balancer may lead to another server. */
  isFresh?: boolean;
}

/** A response; redirects are not followed. */
export interface HttpResponse {
  status: number;
  /** By name in lower case; several lines joined as RFC 9110, §5.3 has it. */
  headers: Readonly<Record<string, string>>;
  /** Length and hash of the body as far as it was read. */
  bytes: number;
  sha256: string;
  start: Uint8Array;
  /** How reading the body ended. */
  end: 'complete' | 'cut off' | 'too slow' | 'over the limit' | 'damaged' | 'not decoded';
}

export interface NoResponse {
  noResponse: string;
  /** Whether the connection was closed, as proxies do now and then: another attempt may help. */
  isReset?: boolean;
}

export type Outcome = HttpResponse | NoResponse;

/** Maximum size of documents and errors, in bytes. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const START = 64 * 1024;

/** A request below the verified URL. */
export function requestTo(
  url: string,
  path: string,
  options: Partial<Pick<Request, 'method' | 'headers' | 'keep' | 'limit' | 'decode'>> = {},
): Request {
  const { origin, pathname } = new URL(url);
  const target = pathname.replace(/\/$/, '') + path;
  const defaults = { method: 'GET', headers: {}, limit: MAX_DOCUMENT_BYTES, keep: START } as const;
  return { ...defaults, ...options, origin, target };
}

export const WHOLE = { keep: MAX_DOCUMENT_BYTES } as const;

/** The URL in reports, with the hostname of a request that names another one, and its address. */
export function urlOf({ origin, target, headers, address }: Request): string {
  const { Host: hostname } = headers;
  const host = hostname === undefined ? '' : ` with Host: ${hostname}`;
  return `${origin}${target}${host}${address === undefined ? '' : ` at the address ${address}`}`;
}

/** The retained part of a body as text. */
export function textOf({ start }: HttpResponse): string {
  return Buffer.from(start).toString('utf8');
}

/** The beginning of a body, for reports. */
export function startOf(response: HttpResponse): string {
  return printable(textOf(response).trimStart().slice(0, 60).replaceAll(/\s+/g, ' '));
}

/** The retained part of a body as JSON, if it is valid. */
export function jsonOf({ start, headers }: HttpResponse): unknown {
  const parsed = parseJson(start, headers['content-type']);
  return 'json' in parsed ? parsed.json : undefined;
}

/** The beginning of a hash, for reports. */
export function shortHash(sha256: string): string {
  return `${sha256.slice(0, 8)}…`;
}

/** A status, with the target of a redirect. */
export function statusOf({ status, headers }: HttpResponse): string {
  const { location } = headers;
  return location === undefined ? String(status) : `${status} to ${printable(location)}`;
}

/** A media type in one spelling: case and space around parameters mean nothing (RFC 9110, §8.3.1). */
export function mediaTypeOf(text: string): string {
  const parts = text.toLowerCase().split(';');
  return parts.map((part) => part.trim()).join('; ');
}
