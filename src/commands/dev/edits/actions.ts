import type { IncomingMessage } from 'node:http';
import { CONTENT_TYPES, LIST, vary } from '../../../core/document/endpoint.ts';
import { makeDefault, moveTo, remove, updateTheme } from './edit-theme.ts';
import { proposeAt } from '../propose.ts';
import { createFromPage, createTheme, logoColours } from './make-theme.ts';
import { DEV_PATHS } from '../pages/layout.ts';
import { writeErrorReply, type Payload, reject, type Reply } from './payload.ts';
import { receive, type RequestContext } from '../request.ts';
import type { Session } from '../session/session.ts';
import { assignTheme, removeUser } from './users.ts';

type Action = (payload: Payload, session: Session, slug: string) => Promise<Reply>;

/** The changes on the page of a theme, by the last part of the path. */
const ACTIONS: Readonly<Record<string, Action>> = {
  edit: updateTheme,
  delete: remove,
  default: makeDefault,
  give: assignTheme,
  take: removeUser,
};
const ACTION_PATH = /^\/themes\/([a-z0-9-]+)\/(edit|delete|default|give|take)$/;

/** Handles a POST with the token of this server. @returns undefined for a path that accepts no POST */
export async function actionAt(
  pathname: string,
  request: IncomingMessage,
  context: RequestContext,
): Promise<{ status: number; headers: Record<string, string>; body: string } | undefined> {
  const { session } = context;
  const [, slug = '', action = ''] = ACTION_PATH.exec(pathname) ?? [];
  const isTheme = session.view?.themes.some((theme) => theme.slug === slug) === true;
  const change =
    new Map<string, Action>([
      [LIST.path, createTheme],
      [DEV_PATHS.newTheme, createFromPage],
      [`${DEV_PATHS.newTheme}/colours`, logoColours],
      [DEV_PATHS.undo, (payload, session) => moveTo('undo', payload, session)],
      [DEV_PATHS.redo, (payload, session) => moveTo('redo', payload, session)],
    ]).get(pathname) ?? (isTheme ? ACTIONS[action] : undefined);
  const proposal = proposeAt(pathname);
  if (change === undefined && proposal === undefined) return undefined;
  const payload = await receive(request, context);
  const reply =
    'status' in payload
      ? payload
      : await (
          proposal?.(payload, context) ??
          session.edits.run(async () => {
            await session.refresh(isTheme ? slug : undefined);
            return change?.(payload, session, slug) ?? reject(404, 'Not found.');
          })
        ).catch(writeErrorReply);
  const headers = {
    'Content-Type': CONTENT_TYPES.json,
    'Cache-Control': 'no-store',
    ...(pathname === LIST.path && { Allow: LIST.methods.join(', '), Vary: vary(LIST, session.site).join(', ') }),
    ...(reply.location !== undefined && { Location: reply.location }),
    // Does not wait for the rest of a body that is too large.
    ...(reply.status === 413 && { Connection: 'close' }),
  };
  return { status: reply.status, headers, body: JSON.stringify(reply.json) };
}
