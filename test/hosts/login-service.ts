import type { IncomingMessage, ServerResponse } from 'node:http';
import { listening } from '../listening.ts';

export interface LoginRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, unknown>>;
  body: string;
}

/** A login service that returns the user of a session in `X-User`, and the group in `X-Group`. */
export interface LoginService {
  url: string;
  /** All requests that the service has received. */
  readonly requests: LoginRequest[];
  stop(): Promise<void>;
}

const SESSIONS: Readonly<Record<string, string>> = { 'session=t0': 'tom', 'session=n1': 'nancy' };

/** Headers of error responses. They contain a user, whom no host may trust. */
const MISLEADING = { 'X-User': 'tom', 'X-Group': 'staff', 'WWW-Authenticate': 'Basic realm="login"' };

/** Broken responses, by cookie. A cookie such as `session=401` gets a response with that status. */
const FAILURES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'session=hang': () => undefined,
  'session=reset': (response) => response.destroy(),
  'session=half': (response) => response.socket?.end('HTTP/1.1 200 OK\r\nX-User: tom\r\n'),
  'session=garbage': (response) => response.socket?.end('X-User: tom\r\n\r\n'),
  'session=long': (response) => response.writeHead(200, { 'X-User': 'tom', 'X-Long': 'x'.repeat(60_000) }).end(),
  'session=tricky': (response) => response.writeHead(403, { 'X-User': '=200=tom' }).end(),
};

export async function startLoginService(): Promise<LoginService> {
  const requests: LoginRequest[] = [];
  const { url, stop } = await listening((request, response) => {
    answer(request, response, requests).catch((error: unknown) => response.destroy(error as Error));
  });
  return { url: `${url}/whoami`, requests, stop };
}

async function answer(request: IncomingMessage, response: ServerResponse, requests: LoginRequest[]): Promise<void> {
  const { method = '', url = '', headers } = request;
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  requests.push({ method, url, headers, body });

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
    // A header that nginx might obey.
    'X-Accel-Redirect': '/api/v2/theme/answer/list/nothing',
  });
  response.end(status === 204 ? undefined : 'Welcome.');
}
