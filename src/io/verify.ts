import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '../edge/verify/build.ts';
import type { Answer, Asking, NoAnswer, Outcome, Request } from '../edge/verify/exchange.ts';
import { isListOf, listRequest } from '../edge/verify/list.ts';
import { verification, type Verification } from '../edge/verify/verification.ts';
import { mapConcurrently } from './concurrency.ts';
import { errorCode } from './files.ts';

/** Requests under way at the same time. */
const REQUESTS = 8;
/** Between two looks at a list that is awaited. */
const POLL_MS = 2000;
/** A body may come slowly, but not for ever: this many times the time-out. */
const BODY_TIMES = 6;

export interface Limits {
  /** How long a server may stay silent, in milliseconds. */
  timeoutMs: number;
}

/** The server cannot be reached at all: there is nothing to say about the deployment. */
export class UnreachableError extends Error {}

/** Verifies a live deployment, and throws {@link UnreachableError} if the first request gets no answer. */
export async function verify(deployment: Deployment, { timeoutMs }: Limits): Promise<Verification> {
  const client = new Client(timeoutMs);
  try {
    return await converse(verification(deployment), client);
  } finally {
    client.close();
  }
}

/**
 * Waits until LIST is that of the build.
 * @param seconds - how long at most; the last look is not before
 * @returns the seconds that it took; nothing if it never was
 */
export async function waitForBuild(
  deployment: Deployment,
  seconds: number,
  { timeoutMs }: Limits,
): Promise<number | undefined> {
  const client = new Client(timeoutMs);
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const request = listRequest(deployment, { 'Cache-Control': 'no-cache' });
  try {
    for (;;) {
      if (isListOf(deployment.build, await client.send(request))) return elapsed();
      const left = seconds - elapsed();
      if (left <= 0) return undefined;
      await delay(Math.min(POLL_MS, left * 1000));
    }
  } finally {
    client.close();
  }
}

/** Sends what a verification asks for, batch by batch. */
async function converse(asking: Asking<Verification>, client: Client): Promise<Verification> {
  let isReached = false;
  let step = asking.next();
  while (step.done !== true) {
    const outcomes = await mapConcurrently(step.value, REQUESTS, (request) => client.send(request));
    if (!isReached) {
      const [first] = outcomes;
      if (first !== undefined && 'noAnswer' in first) throw new UnreachableError(first.noAnswer);
      isReached = true;
    }
    step = asking.next(outcomes);
  }
  return step.value;
}

/** Sends requests as they are written: fetch would normalise their targets, and follow redirects. */
class Client {
  readonly #timeoutMs: number;
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: REQUESTS }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: REQUESTS }),
  };

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /** One request; a second time if the server had just closed the connection that was to be used again (RFC 9112, §9.3.1). */
  async send(request: Request): Promise<Outcome> {
    try {
      return await this.#sendOnce(request);
    } catch (error) {
      if (!(error instanceof StaleConnection)) return { noAnswer: reasonOf(error, this.#timeoutMs) };
      return this.#sendOnce(request).catch((again: unknown): NoAnswer => ({
        noAnswer: reasonOf(again, this.#timeoutMs),
      }));
    }
  }

  #sendOnce({ method, origin, target, headers, limit, keep }: Request): Promise<Answer> {
    const { protocol, hostname, port } = new URL(origin);
    const isSecure = protocol === 'https:';
    // Only GET: what a faulty server sends after the answer to another method must not be taken for the next answer.
    const agent = method === 'GET' ? this.#agents[isSecure ? 'https:' : 'http:'] : false;
    // Node wants IPv6 addresses without their brackets.
    const host = hostname.replace(/^\[|\]$/g, '');
    return new Promise<Answer>((resolve, reject) => {
      const signal = AbortSignal.timeout(this.#timeoutMs * BODY_TIMES);
      const options = { method, host, port, path: target, agent, signal, timeout: this.#timeoutMs };
      const sent = (isSecure ? https : http).request({
        ...options,
        headers: { 'User-Agent': 'themecast-verify', ...headers },
      });
      sent.once('timeout', () => sent.destroy(new Silence()));
      sent.on('error', (error) =>
        reject(sent.reusedSocket && errorCode(error) === 'ECONNRESET' ? new StaleConnection() : error),
      );
      sent.once('response', (response) => {
        readBody(response, limit, keep).then(resolve, reject);
      });
      sent.end();
    });
  }
}

class Silence extends Error {}
class StaleConnection extends Error {}

/** Hashes a body as it comes, keeps its beginning, and stops one byte after the limit. */
async function readBody(response: http.IncomingMessage, limit: number, keep: number): Promise<Answer> {
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  let bytes = 0;
  let room = keep;
  let end: Answer['end'] = 'complete';
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      hash.update(chunk);
      if (room > 0) kept.push(chunk.subarray(0, room));
      room -= chunk.length;
      if (bytes > limit) {
        end = 'over the limit';
        break;
      }
    }
  } catch {
    end = 'cut off';
  }
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  const start = Buffer.concat(kept);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Record<string, string>,
    bytes,
    sha256: hash.digest('hex'),
    start,
    end,
  };
}

/** Why there was no answer, in words. */
function reasonOf(error: unknown, timeoutMs: number): string {
  const code = errorCode(error) ?? '';
  if (error instanceof Silence || (error instanceof Error && error.name === 'AbortError'))
    return `no answer within ${timeoutMs / 1000} s`;
  return (
    REASONS[code] ??
    (error instanceof Error
      ? `${error.message}${code === '' || error.message.includes(code) ? '' : ` (${code})`}`
      : String(error))
  );
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed without an answer',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'the connection could not be made in time',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network of the host',
  EPROTO: 'it does not speak TLS there',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};
