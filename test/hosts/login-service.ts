import type { IncomingMessage, ServerResponse } from 'node:http';
import { listening } from '../listening.ts';

/** A question that reached the service. */
export interface Question {
  method: string;
  url: string;
  headers: Readonly<Record<string, unknown>>;
  body: string;
}

/** A login service: says by the header `X-User` of its answer whose session a request shows, in `X-Group` the group. */
export interface LoginService {
  url: string;
  /** What it was asked. */
  readonly asked: Question[];
  stop(): Promise<void>;
}

/** The sessions that it knows. */
const SESSIONS: Readonly<Record<string, string>> = { 'session=t0': 'tom', 'session=n1': 'nancy' };

/** What refuses or fails names a user all the same: no host may believe it. */
const MISLEADING = { 'X-User': 'tom', 'X-Group': 'staff', 'WWW-Authenticate': 'Basic realm="login"' };

/** What it does for a session beyond those: `session=401` is refused so, and a few others are worse. */
const FAILURES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'session=hang': () => undefined,
  'session=reset': (response) => response.destroy(),
  'session=half': (response) => response.socket?.end('HTTP/1.1 200 OK\r\nX-User: tom\r\n'),
  'session=garbage': (response) => response.socket?.end('X-User: tom\r\n\r\n'),
  'session=long': (response) => response.writeHead(200, { 'X-User': 'tom', 'X-Long': 'x'.repeat(60_000) }).end(),
  'session=tricky': (response) => response.writeHead(403, { 'X-User': '=200=tom' }).end(),
};

export async function startLoginService(): Promise<LoginService> {
  const asked: Question[] = [];
  const { url, stop } = await listening((request, response) => {
    answer(request, response, asked).catch((error: unknown) => response.destroy(error as Error));
  });
  return { url: `${url}/whoami`, asked, stop };
}

async function answer(request: IncomingMessage, response: ServerResponse, asked: Question[]): Promise<void> {
  const { method = '', url = '', headers } = request;
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  asked.push({ method, url, headers, body });

  const { cookie = '', authorization } = headers;
  const failure = FAILURES[cookie];
  if (failure !== undefined) return failure(response);
  const status = Number(/^session=(\d{3})$/.exec(cookie)?.[1] ?? 200);
  if (status >= 300) return void response.writeHead(status, { ...MISLEADING, Location: '/login' }).end('Who are you?');
  const user = authorization === 'Bearer t0' ? 'tom' : SESSIONS[cookie];
  response.writeHead(status, {
    'Set-Cookie': 'session=new',
    ...(user === undefined ? {} : { 'X-User': user }),
    ...(cookie === 'session=g2' ? { 'X-Group': 'staff' } : {}),
    // What a host might take for a task of its own.
    'X-Accel-Redirect': '/api/v2/theme/answer/list/nothing',
  });
  response.end(status === 204 ? undefined : 'Welcome.');
}
