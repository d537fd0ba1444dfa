import { printable } from '../../core/diagnostics/quote.ts';
import { parseJson } from './parse-json.ts';

/** A request to a service, without a body. */
export interface Request {
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT';
  origin: string;
  /** The request target (RFC 9112, §3.2.1), sent unchanged with its dot segments. */
  target: string;
  headers: Readonly<Record<string, string>>;
  /** Maximum number of body bytes that are read. */
  limit: number;
  /** Maximum number of body bytes that are stored; the rest is only hashed. */
  keep: number;
  /** Whether to decode a compressed body; length, hash and stored bytes are then of the decoded body. */
  decode?: boolean;
  /** Set if a host may reject the request, or may have no certificate for its Host: then the origin's certificate is checked. */
  isOdd?: boolean;
  /** The address to connect to, if the host has several. */
  address?: string | undefined;
  /** Whether to open a new connection, which a load balancer may send to another server. */
  isFresh?: boolean;
}

/** A response; redirects are not followed. */
export interface HttpResponse {
  status: number;
  /** Names are in lower case; repeated headers are joined (RFC 9110, §5.3). */
  headers: Readonly<Record<string, string>>;
  /** Length and hash of the body that was read. */
  bytes: number;
  sha256: string;
  start: Uint8Array;
  /** Whether the body was read completely, or why not. */
  end: 'complete' | 'cut off' | 'too slow' | 'over the limit' | 'damaged' | 'not decoded';
}

export interface NoResponse {
  noResponse: string;
  /** The code of the error in Node.js, such as `ECONNRESET`, if it has one. */
  code?: string | undefined;
}

export type Outcome = HttpResponse | NoResponse;

/** Maximum size of documents and errors, in bytes. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
/** Default number of body bytes that are stored. */
const START_BYTES = 64 * 1024;

/** Makes a request for a path below a URL. */
export function requestTo(
  url: string,
  path: string,
  options: Partial<Pick<Request, 'method' | 'headers' | 'keep' | 'limit' | 'decode'>> = {},
): Request {
  const { origin, pathname } = new URL(url);
  const target = pathname.replace(/\/$/, '') + path;
  const defaults = { method: 'GET', headers: {}, limit: MAX_DOCUMENT_BYTES, keep: START_BYTES } as const;
  return { ...defaults, ...options, origin, target };
}

export const WHOLE = { keep: MAX_DOCUMENT_BYTES } as const;

/** Returns the URL of a request for reports, with its Host if different, and its address. */
export function urlOf({ origin, target, headers, address }: Request): string {
  const { Host: hostname } = headers;
  const host = hostname === undefined ? '' : ` with Host: ${hostname}`;
  return `${origin}${target}${host}${address === undefined ? '' : ` at the address ${address}`}`;
}

/** Returns the stored part of a body as text. */
export function textOf({ start }: HttpResponse): string {
  return Buffer.from(start).toString('utf8');
}

/** Returns the beginning of a body, for reports. */
export function excerptOf(response: HttpResponse): string {
  return printable(textOf(response).trimStart().slice(0, 60).replaceAll(/\s+/g, ' '));
}

/** Parses the stored part of a body as JSON; returns undefined if it is invalid. */
export function jsonOf({ start, headers }: HttpResponse): unknown {
  const parsed = parseJson(start, headers['content-type']);
  return 'json' in parsed ? parsed.json : undefined;
}

export function shortHash(sha256: string): string {
  return `${sha256.slice(0, 8)}…`;
}

/** Returns a status, with the target of a redirect. */
export function statusOf({ status, headers }: HttpResponse): string {
  const { location } = headers;
  return location === undefined ? String(status) : `${status} to ${printable(location)}`;
}

/** Normalises a media type: case and space around parameters have no meaning (RFC 9110, §8.3.1). */
export function mediaTypeOf(text: string): string {
  const parts = text.toLowerCase().split(';');
  return parts.map((part) => part.trim()).join('; ');
}
