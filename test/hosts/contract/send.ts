import { type IncomingMessage, request } from 'node:http';

export interface Request {
  method?: string;
  /** The request target, which is sent verbatim, even with dot segments. */
  path: string;
  /** A header with several values is sent once per value. */
  headers?: Readonly<Record<string, string | string[]>>;
}

export interface Answer {
  status: number;
  /**
   * The headers by lower-case name. Values of a repeated header are joined with ` & `, so that tests notice the repetition. Vary always has
   * a space after each comma, because httpd writes none (RFC 9110, §5.6.1, permits both).
   */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Sends a request on a separate connection. `fetch` would normalise the path and reject some headers. */
export function send(port: number, { method = 'GET', path, headers = {} }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      readBody(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(method === 'POST' || method === 'PUT' || method === 'PATCH' ? '{}' : undefined);
  });
}

/** Sends many requests, a few concurrently, and returns the responses in the same order. */
export async function sendAll(port: number, requests: readonly Request[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const CONNECTIONS = 16;
  for (let at = 0; at < requests.length; at += CONNECTIONS) {
    const batch = requests.slice(at, at + CONNECTIONS);
    answers.push(...(await Promise.all(batch.map((item) => send(port, item)))));
  }
  return answers;
}

/** Describes a request in the message of a failed test: `GET /path {"Accept":"…"}`. */
export function describeRequest({ method = 'GET', path, headers = {} }: Request): string {
  return `${method} ${path} ${JSON.stringify(headers)}`;
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const raw = rawHeaders[at + 1] ?? '';
    const value = name === 'vary' ? raw.replaceAll(/\s*,\s*/g, ', ') : raw;
    headers[name] = name in headers ? `${headers[name]} & ${value}` : value;
  }
  // Web servers compress, and send it with each document; `compression.ts` tests it.
  const vary = headers['vary']?.replace(/(?:^|, )Accept-Encoding$/, '');
  if (vary === '') delete headers['vary'];
  else if (vary !== undefined) headers['vary'] = vary;
  return headers;
}
