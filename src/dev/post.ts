import type { IncomingMessage } from 'node:http';
import { CONTENT_TYPES, LIST, renderingsOf, vary } from '../document/endpoint.ts';
import { formatParameter, negotiate } from '../edge-runtime/negotiate.ts';
import { themePath } from './pages/layout.ts';
import { headerOf } from '../http/io/server.ts';
import { SITE_DEFAULTS } from '../theme/site.ts';
import type { RequestContext } from './context.ts';
import { createTheme } from './create-theme.ts';
import type { Rejection } from './payload.ts';
import { receive } from './request.ts';

/** Creates a theme from a `POST` to the list. */
export async function respondToPost(
  request: IncomingMessage,
  context: Pick<RequestContext, 'session' | 'origin' | 'token'>,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const { session } = context;
  const respond = (status: number, body: object, headers: Record<string, string>) => ({
    status,
    headers: {
      'Content-Type': CONTENT_TYPES.json,
      Allow: LIST.methods.join(', '),
      Vary: vary(LIST, session.site).join(', '),
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const format = formatParameter(/\?.*/.exec(request.url ?? '')?.[0] ?? '');
  const rendering = negotiate(renderingsOf(LIST, SITE_DEFAULTS), format, headerOf(request, 'Accept'));
  const payload = await receive(request, context);
  const result =
    'status' in payload
      ? payload
      : rendering === 404
        ? { status: 404, detail: 'Not found.' }
        : rendering === 406
          ? { status: 406, detail: 'Could not satisfy the request Accept header.' }
          : await session.serially(() => createTheme(payload, session));
  if ('record' in result) return respond(201, result.record, { Location: themePath(result.slug) });
  // The rest of a body that is too large is not waited for.
  return respond(result.status, bodyOf(result), result.status === 413 ? { Connection: 'close' } : {});
}

export function bodyOf({ detail, errors = new Map() }: Rejection): object {
  return detail === undefined ? Object.fromEntries(errors) : { detail };
}
