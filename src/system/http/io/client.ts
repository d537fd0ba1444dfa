import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import zlib from 'node:zlib';
import { printable } from '../../../core/diagnostics/quote.ts';
import type { HttpResponse, NoResponse, Outcome, Request } from '../exchange.ts';
import { errorCode } from '../../disk/files.ts';

/** Maximum number of concurrent requests. */
export const MAX_REQUESTS = 8;
/** Maximum time for a body, as a multiple of the timeout. */
const BODY_TIMES = 6;
/** Minimum rate of a body, in bytes per second. */
export const MIN_RATE = 1000;
/** Number of bytes by which a compressed body may exceed its content. */
const CODING_SLACK = 64 * 1024;

export interface Limits {
  /** Maximum silence of a server, in milliseconds. */
  timeoutMs: number;
  /** Maximum time of all requests together, in milliseconds. Default: no limit. */
  totalMs?: number;
}

/** Options besides the limits. */
export interface ClientOptions {
  userAgent?: string;
  /** Headers of every request to one origin, such as the password of a staging host. No other origin gets them. */
  everyRequest?: { origin: string; headers: Readonly<Record<string, string>> } | undefined;
}

/**
 * Sends requests with unchanged targets, which fetch would normalise. Follows no redirects, so credentials reach no other origin. Limits
 * everything that a server could send endlessly: headers (Node.js: 16 KiB), bodies before and after decoding, and time.
 */
export class HttpClient {
  readonly #timeoutMs: number;
  readonly #deadline: number;
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: MAX_REQUESTS }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: MAX_REQUESTS }),
  };

  readonly #options: ClientOptions;

  constructor({ timeoutMs, totalMs = Infinity }: Limits, options: ClientOptions = {}) {
    this.#timeoutMs = timeoutMs;
    this.#options = options;
    this.#deadline = performance.now() + totalMs;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /** Sends a request. Repeats it if the server has just closed the reused connection (RFC 9112, §9.3.1). */
  async send(request: Request): Promise<Outcome> {
    const refuse = (error: unknown): NoResponse => ({
      noResponse: reasonOf(error, this.#timeoutMs),
      code: errorCode(error),
    });
    try {
      return await this.#sendOnce(request);
    } catch (error) {
      return error instanceof StaleConnection ? this.#sendOnce(request).catch(refuse) : refuse(error);
    }
  }

  async #sendOnce(request: Request): Promise<HttpResponse> {
    const { method, origin, target, headers, limit, keep, decode = false, isOdd, address, isFresh } = request;
    const left = this.#deadline - performance.now();
    if (left <= 0) throw new OutOfTime();
    const { protocol, hostname, port } = new URL(origin);
    const isSecure = protocol === 'https:';
    // Only GET: after another method a faulty server may send a body, which would be mistaken for the next response.
    const isShared = method === 'GET' && address === undefined && isFresh !== true;
    const agent = isShared ? this.#agents[isSecure ? 'https:' : 'http:'] : false;
    // Node.js needs IPv6 addresses without brackets.
    const host = hostname.replace(/^\[|\]$/g, '');
    return new Promise<HttpResponse>((resolve, reject) => {
      const signal = AbortSignal.timeout(Math.ceil(Math.min(this.#timeoutMs * BODY_TIMES, left)));
      const { userAgent = 'themecast-verify', everyRequest } = this.#options;
      const lookup = address === undefined ? undefined : lookupOf(address);
      const options = { method, host, port, path: target, agent, signal, timeout: this.#timeoutMs, lookup };
      // A hostname at the same address needs a valid certificate too.
      const servername = isOdd === true ? (isIP(host) === 0 ? host : '') : headers['Host'];
      const sent = (isSecure ? https : http).request({
        ...options,
        ...(servername !== undefined && { servername }),
        headers: withDefaults(headers, {
          'User-Agent': userAgent,
          ...(everyRequest?.origin === origin && everyRequest.headers),
        }),
      });
      sent.once('timeout', () => sent.destroy(new Silence()));
      sent.on('error', (error) =>
        reject(sent.reusedSocket && CLOSED.has(errorCode(error) ?? '') ? new StaleConnection() : error),
      );
      sent.once('response', (response) => {
        // Django REST Framework behind gunicorn sends a body with HEAD (measured). Clients ignore it.
        if (method === 'HEAD') {
          resolve(headOf(response));
          sent.destroy();
          return;
        }
        readBody(response, limit, keep, decode, this.#timeoutMs).then(resolve, reject);
      });
      sent.end();
    });
  }
}

/** Adds headers that a request does not have. */
function withDefaults(headers: Request['headers'], defaults: Request['headers']): Record<string, string> {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return {
    ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !names.has(name.toLowerCase()))),
    ...headers,
  };
}

/** Makes a lookup that resolves every name to one address. */
function lookupOf(address: string): LookupFunction {
  const family = isIP(address);
  return (_name, { all }, callback) =>
    all === true ? callback(null, [{ address, family }]) : callback(null, address, family);
}

/** Errors of a connection that the server has closed, before or while a request was written. */
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

class Silence extends Error {}
class OutOfTime extends Error {}
class StaleConnection extends Error {}

/**
 * Hashes a body while it arrives and stores its beginning; stops one byte after the limit, or if it is slower than {@link MIN_RATE}.
 */
async function readBody(
  response: http.IncomingMessage,
  limit: number,
  keep: number,
  decode: boolean,
  windowMs: number,
): Promise<HttpResponse> {
  const hash = createHash('sha256');
  const retained: Buffer[] = [];
  let bytes = 0;
  let end: HttpResponse['end'] = 'complete';
  let window = { start: performance.now(), bytes: 0 };
  const body = decode ? decoded(response, limit + CODING_SLACK) : response;
  try {
    if (body === undefined) {
      end = 'not decoded';
      response.destroy();
    }
    for await (const chunk of (body ?? []) as AsyncIterable<Buffer>) {
      const room = keep - bytes;
      if (room > 0) retained.push(chunk.subarray(0, room));
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes > limit) {
        end = 'over the limit';
        break;
      }
      const elapsed = performance.now() - window.start;
      if (elapsed < windowMs) continue;
      if (bytes - window.bytes < (MIN_RATE * elapsed) / 1000) {
        end = 'too slow';
        break;
      }
      window = { start: performance.now(), bytes };
    }
  } catch (error) {
    end = error instanceof TooLong ? 'over the limit' : isDamaged(error) ? 'damaged' : 'cut off';
  }
  return { ...headOf(response), bytes, sha256: hash.digest('hex'), start: Buffer.concat(retained), end };
}

/** Returns a response without its body. */
function headOf({ statusCode = 0, headers }: http.IncomingMessage): HttpResponse {
  const joined = Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')] as const);
  const start = Buffer.alloc(0);
  return { status: statusCode, headers: Object.fromEntries(joined), bytes: 0, sha256: '', start, end: 'complete' };
}

class TooLong extends Error {}

/** Decoders of content codings (RFC 9110, §8.4.1). */
const DECODERS: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
};

/** Decodes a compressed body; returns undefined if its coding is unknown. */
function decoded(response: http.IncomingMessage, limit: number): Readable | undefined {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return response;
  const decoder = DECODERS[coding]?.();
  if (decoder === undefined) return undefined;
  const counted = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > limit) throw new TooLong();
      yield chunk;
    }
  };
  // The reader of the decoder gets its error too.
  pipeline(response, counted, decoder, () => undefined);
  return decoder;
}

/** Checks whether an error of zlib means damaged data, not just a truncated body. */
function isDamaged(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return /^(?:Z_DATA_ERROR|ERR__ERROR_|ERR_BROTLI|ERR_PADDING)/.test(code);
}

/** Returns why there was no response. */
export function reasonOf(error: unknown, timeoutMs = 0): string {
  const code = errorCode(error) ?? '';
  if (error instanceof OutOfTime) return 'not requested: the time limit of this verification was used up';
  if (error instanceof Silence || (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)))
    return `no response within ${timeoutMs / 1000} s`;
  const text = error instanceof Error ? error.message : String(error);
  return REASONS[code] ?? printable(code === '' || text.includes(code) ? text : `${text} (${code})`);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed without a response',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'the connection could not be made in time',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network of the host',
  EPROTO: 'the TLS handshake failed',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another hostname',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
};
