import type { IncomingMessage } from 'node:http';
import { CONTENT_TYPES, LIST, renderingsOf, vary } from '../document/endpoint.ts';
import { formatParameter, negotiate } from '../edge-runtime/negotiate.ts';
import { themePath } from './pages/layout.ts';
import { headerOf } from '../http/io/server.ts';
import { SITE_DEFAULTS } from '../theme/site.ts';
import { readBody } from './body.ts';
import { createTheme } from './create-theme.ts';
import { isSameOrigin, isToken } from './guard.ts';
import { type Payload, readPayload, type Rejection } from './payload.ts';
import type { Session } from './session.ts';

export interface PostContext {
  session: Session;
  /** Of this server: `http://127.0.0.1:8080`. */
  origin: string;
  /** A random token per start of the server; pages of other origins cannot read it. */
  token: string;
}

interface PostResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const FORBIDDEN = {
  origin: 'This request comes from another site. Use the pages of this server, or a program.',
  token:
    'The token is missing or expired: the server has been restarted. Reload the page, or send the token that `themecast dev` prints in the header X-Themecast-Token.',
};

/** Creates a theme from a `POST` to the list. The caller has checked the Host header. */
export async function respondToPost(request: IncomingMessage, context: PostContext): Promise<PostResponse> {
  const format = formatParameter(/\?.*/.exec(request.url ?? '')?.[0] ?? '');
  const rendering = negotiate(renderingsOf(LIST, SITE_DEFAULTS), format, headerOf(request, 'Accept'));
  const reject = (rejection: Rejection): PostResponse => asJson(rejection.status, bodyOf(rejection), context);
  const rejectEarly = (status: number, detail: string): PostResponse => {
    void readBody(request, 0);
    return closing(reject({ status, detail }));
  };
  const headerToken = headerOf(request, 'X-Themecast-Token');
  const forbidden = !isSameOrigin(request, context.origin)
    ? FORBIDDEN.origin
    : headerToken !== null && !isToken(headerToken, context.token)
      ? FORBIDDEN.token
      : undefined;
  if (forbidden !== undefined) return rejectEarly(403, forbidden);
  if (rendering === 404) return rejectEarly(404, 'Not found.');
  if (rendering === 406) return rejectEarly(406, 'Could not satisfy the request Accept header.');

  const payload = await readRequest(request, (context.session.site ?? SITE_DEFAULTS).limits.post_body_bytes);
  const token = headerToken ?? ('fields' in payload ? (payload.token ?? '') : undefined);
  if (token !== undefined && !isToken(token, context.token)) return reject({ status: 403, detail: FORBIDDEN.token });
  const result =
    'fields' in payload ? await context.session.serially(() => createTheme(payload, context.session)) : payload;
  if (!('record' in result)) return result.status === 413 ? closing(reject(result)) : reject(result);
  const response = asJson(201, result.record, context);
  return { ...response, headers: { ...response.headers, Location: themePath(result.slug) } };
}

export async function readRequest(request: IncomingMessage, limit: number): Promise<Payload | Rejection> {
  const body = await readBody(request, limit);
  const encoding = headerOf(request, 'Content-Encoding');
  if (encoding !== null && encoding !== 'identity')
    return { status: 415, detail: 'The body of the request must not be compressed.' };
  if (body === 'cut off') return { status: 400, detail: 'The request ended before its body was complete.' };
  if (body === 'too large')
    return { status: 413, detail: `The body of the request has more than ${limit.toLocaleString('en')} bytes.` };
  return readPayload(body, headerOf(request, 'Content-Type') ?? '');
}

export function bodyOf({ detail, errors = new Map() }: Rejection): object {
  return detail === undefined ? Object.fromEntries(errors) : { detail };
}

function asJson(status: number, body: object, context: PostContext): PostResponse {
  return { status, headers: headersOf(context), body: JSON.stringify(body) };
}

function headersOf({ session: { site } }: PostContext): Record<string, string> {
  return {
    'Content-Type': CONTENT_TYPES.json,
    Allow: LIST.methods.join(', '),
    Vary: (site === undefined ? ['Accept'] : vary(LIST, site)).join(', '),
    'Cache-Control': 'no-store',
  };
}

/** Does not wait for the rest of the body. */
function closing(response: PostResponse): PostResponse {
  return { ...response, headers: { ...response.headers, Connection: 'close' } };
}
