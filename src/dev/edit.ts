import type { IncomingMessage } from 'node:http';
import { editPage } from './pages/edit-page.ts';
import { themePath } from './pages/layout.ts';
import { refusedPage } from './pages/not-found-page.ts';
import { type GivenForm, NO_FIELD } from './pages/post-form.ts';
import { headerOf } from '../http/io/server.ts';
import { SITE_DEFAULTS } from '../theme/site.ts';
import { readBody } from './body.ts';
import { NOT_EDITABLE, readEdited, updateTheme } from './edit-theme.ts';
import { isSameOrigin, isToken } from './guard.ts';
import { galleryContent } from './pages.ts';
import { bodyOf, FORBIDDEN, readRequest } from './post.ts';
import type { Reply } from './reply.ts';
import type { RequestContext } from './context.ts';

/** Shows the form that edits a theme, or carries it out. @returns nothing if there is no such theme */
export async function editRoute(
  request: IncomingMessage,
  slug: string,
  context: RequestContext,
): Promise<Reply | undefined> {
  const { session, token, origin } = context;
  const content = galleryContent(context);
  const theme = content.themes.find((one) => one.slug === slug);
  const { site = SITE_DEFAULTS } = session;
  const refuse = (status: number, detail: string): Reply => ({
    status,
    json: { detail },
    html: () => refusedPage('Not saved', detail, galleryContent(context)),
  });
  if (theme === undefined) return undefined;
  if (request.method !== 'POST') {
    const edited = readEdited(session, slug);
    if (edited === undefined) return refuse(409, NOT_EDITABLE(slug));
    const given: GivenForm = { texts: edited.shown, errors: new Map() };
    return { status: 200, json: {}, html: () => editPage(theme, content, site, given, edited.hash) };
  }
  if (!isSameOrigin(request, origin)) {
    void readBody(request, 0);
    return refuse(403, FORBIDDEN.origin);
  }
  const payload = await readRequest(request, site.limits.post_body_bytes);
  if (!('fields' in payload)) return refuse(payload.status, payload.detail ?? '');
  if (!isToken(headerOf(request, 'X-Themecast-Token') ?? payload.token ?? '', token))
    return refuse(403, FORBIDDEN.token);
  const rejection = await updateTheme(slug, payload, session);
  if (rejection === undefined) return { status: 303, location: themePath(slug) };
  const texts = payload.typed;
  const errors = rejection.errors ?? new Map([[NO_FIELD, [rejection.detail ?? '']]]);
  return {
    status: rejection.status,
    json: bodyOf(rejection),
    html: () => editPage(theme, galleryContent(context), site, { texts, errors }, texts.get('hash')?.[0] ?? ''),
  };
}
