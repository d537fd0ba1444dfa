import type { IncomingMessage } from 'node:http';
import { readBody } from './body.ts';
import { openInEditor, parsePlace } from './editor.ts';
import { isLoopback, isSameOrigin, isToken } from './guard.ts';
import { FORBIDDEN } from './post.ts';
import type { Session } from './session.ts';

/** A form with a place: a path has at most 4,096 bytes, and three times as many when it is encoded. */
const MAX_BYTES = 16_384;

interface Opened {
  /** 204 if it was opened. */
  status: number;
  title: string;
  reason: string;
}

/** Opens a place in the editor of the developer, for a page of this server on this machine. */
export async function openPlace(
  request: IncomingMessage,
  { session, origin, token }: { session: Session; origin: string; token: string },
): Promise<Opened> {
  const refuse = (status: number, reason: string): Opened => ({ status, title: 'Not opened', reason });
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
  return reason === undefined ? { status: 204, title: '', reason: '' } : refuse(409, reason);
}
