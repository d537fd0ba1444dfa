import type { IncomingMessage } from 'node:http';
import { refusedPage } from './pages/not-found-page.ts';
import { readBody } from './body.ts';
import { openInEditor, parsePlace } from './editor.ts';
import { isLoopback, isSameOrigin, isToken } from './guard.ts';
import { FORBIDDEN } from './post.ts';
import { galleryContent } from './pages.ts';
import type { Reply } from './reply.ts';
import type { RequestContext } from './context.ts';

/** A form with a place: a path has at most 4,096 bytes, and three times as many when it is encoded. */
const MAX_BYTES = 16_384;

/** Opens a place in the editor of the developer, for a page of this server on this machine. */
export async function openPlace(request: IncomingMessage, context: RequestContext): Promise<Reply> {
  const { session, origin, token } = context;
  const refuse = (status: number, reason: string): Reply => ({
    status,
    json: { detail: reason },
    html: () => refusedPage('Not opened', reason, galleryContent(context)),
  });
  const body = await readBody(request, MAX_BYTES);
  if (!isSameOrigin(request, origin)) return refuse(403, FORBIDDEN.origin);
  if (!isLoopback(request.socket.remoteAddress))
    return refuse(403, 'Files are opened for pages on the machine of the server only.');
  if (typeof body === 'string') return refuse(400, 'The request is not a form with a place.');
  const form = new URLSearchParams(body.toString());
  if (!isToken(form.get('token') ?? '', token)) return refuse(403, FORBIDDEN.token);
  const place = parsePlace(form.get('place') ?? '');
  if (place === undefined) return refuse(400, 'The request is not a form with a place.');
  const { cwd, themesDir } = session.options;
  const reason = await openInEditor(place, { cwd, themesDir, env: process.env });
  return reason === undefined ? { status: 204, json: {}, html: () => '' } : refuse(409, reason);
}
