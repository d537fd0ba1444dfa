import { type IncomingMessage, request } from 'node:http';

export interface Request {
  method?: string;
  /** Sent as it stands, dots and all. */
  path: string;
  /** A header with several values is sent once for each. */
  headers?: Readonly<Record<string, string | string[]>>;
}

export interface Answer {
  status: number;
  /**
   * By lower-case name. The values of a header that came more than once are joined with ` & `, so that no test overlooks it.
   * The list of Vary has one blank after each comma: httpd puts none, whatever it is told (RFC 9110, §5.6.1, leaves it open).
   */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Sends one request on a connection of its own. `fetch` would normalise the path and refuse some headers. */
export function send(port: number, { method = 'GET', path, headers = {} }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      readBody(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(method === 'POST' || method === 'PUT' || method === 'PATCH' ? '{}' : undefined);
  });
}

/** Sends many requests, a few at a time, and answers in their order. */
export async function sendAll(port: number, requests: readonly Request[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const CONNECTIONS = 16;
  for (let at = 0; at < requests.length; at += CONNECTIONS) {
    const batch = requests.slice(at, at + CONNECTIONS);
    answers.push(...(await Promise.all(batch.map((one) => send(port, one)))));
  }
  return answers;
}

/** `GET /path {"Accept":"…"}`: a request as a failed test names it. */
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
  return headers;
}
