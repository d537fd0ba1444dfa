import { printable } from '../diagnostics/quote.ts';
import type { CheckId } from './checks.ts';
import { fault, type Finding } from './result.ts';

/** A request of the verification. None has a body. */
export interface Request {
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT';
  origin: string;
  /** The request target as it goes over the wire (RFC 9112, §3.2.1): dot segments stay. */
  target: string;
  headers: Readonly<Record<string, string>>;
  /** Bytes of body after which reading stops. */
  limit: number;
  /** Bytes of body, from its beginning, that are kept; the rest is only hashed. */
  keep: number;
  /** Whether the body is decoded, if it comes compressed: length, hash and beginning are then those of what it holds. */
  decode?: boolean;
}

/** An answer; redirects are answers like any other. */
export interface Answer {
  status: number;
  /** By name in lower case; several lines joined as RFC 9110, §5.3 has it. */
  headers: Readonly<Record<string, string>>;
  /** Length and hash of the body as far as it was read. */
  bytes: number;
  sha256: string;
  start: Uint8Array;
  /** How reading the body ended. */
  end: 'complete' | 'cut off' | 'over the limit' | 'damaged' | 'not decoded';
}

export interface NoAnswer {
  noAnswer: string;
}

export type Outcome = Answer | NoAnswer;

/** A request, and what its answer says about the deployment. */
export interface Exchange {
  /** The check that fails when there is no answer. */
  id: CheckId;
  request: Request;
  judge: (answer: Answer) => Finding[];
}

/** Asks for requests to be sent and takes their outcomes, in the same order: whoever runs it owns the sockets. */
export type Asking<T> = Generator<readonly Request[], T, readonly Outcome[]>;

/** Sends exchanges at the same time, and gathers what they say. */
export function* ask(exchanges: readonly Exchange[]): Asking<Finding[]> {
  const outcomes = yield exchanges.map(({ request }) => request);
  return exchanges.flatMap(({ id, request, judge }, index) => judgedOutcome(id, request, outcomes[index], judge));
}

/** The findings of an answer, or the fault that there is none. */
export function judgedOutcome(
  id: CheckId,
  request: Request,
  outcome: Outcome | undefined,
  judge: (answer: Answer) => Finding[],
): Finding[] {
  if (outcome !== undefined && !('noAnswer' in outcome)) return judge(outcome);
  const found = outcome?.noAnswer ?? 'no response';
  const hint = 'The rest of the site responds: check what handles only this request.';
  return [
    fault(id, `${request.method} got no response.`, { expected: 'a response', found, hint, url: urlOf(request) }),
  ];
}

/** Body bytes that documents and errors may have. */
const DOCUMENT_LIMIT = 64 * 1024 * 1024;
const START = 64 * 1024;

/** A request below the URL that is verified; a whole document is kept on demand. */
export function requestTo(
  url: string,
  path: string,
  options: Partial<Pick<Request, 'method' | 'headers' | 'keep' | 'limit' | 'decode'>> = {},
): Request {
  const { origin, pathname } = new URL(url);
  const target = pathname.replace(/\/$/, '') + path;
  const defaults = { method: 'GET', headers: {}, limit: DOCUMENT_LIMIT, keep: START } as const;
  return { ...defaults, ...options, origin, target };
}

export const WHOLE = { keep: DOCUMENT_LIMIT } as const;

export function urlOf({ origin, target }: Request): string {
  return origin + target;
}

/** The kept part of a body, as text. */
export function textOf({ start }: Answer): string {
  return Buffer.from(start).toString('utf8');
}

/** The kept part of a body as JSON, if it is JSON. */
export function jsonOf(answer: Answer): unknown {
  try {
    return JSON.parse(textOf(answer));
  } catch {
    return undefined;
  }
}

/** A status, with where a redirect leads. */
export function statusOf({ status, headers }: Answer): string {
  const { location } = headers;
  return location === undefined ? String(status) : `${status} to ${printable(location)}`;
}
