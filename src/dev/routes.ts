import type { IncomingMessage, ServerResponse } from 'node:http';
import { recordWith } from '../document/record.ts';
import { ANY_IMAGE_FIELDS } from '../theme/fields.ts';
import { SITE_DEFAULTS } from '../theme/site.ts';
import { LIST, renderingsOf, SCHEMAS } from '../document/endpoint.ts';
import { negotiate } from '../edge-runtime/negotiate.ts';
import { detail } from '../hosts/contract.ts';
import { answer, headerOf, send } from '../http/io/server.ts';
import { galleryPage } from './pages/gallery-page.ts';
import { DEV_PATHS, themePath } from './pages/layout.ts';
import { notFoundPage } from './pages/not-found-page.ts';
import { themePage } from './pages/theme-page.ts';
import { themeStyle } from '../preview/theme-style.ts';
import type { Context, RequestContext } from './context.ts';
import type { Message } from './events.ts';
import type { Session } from './session.ts';
import { isOwnHost } from './guard.ts';
import { comparedContent, galleryContent, viewAs } from './pages.ts';
import { respondToPost } from './post.ts';
import type { Reply } from './reply.ts';
import { earlier } from './last-commit.ts';
import { newThemeAt } from './new-theme-preview.ts';
import { browserModule, studioPost } from './studio.ts';
import { themeEditor } from './theme-editor.ts';
import { DEV_STYLE } from './pages/style.ts';
import { atOrigin, imagesOnly, securityHeaders, served } from './service.ts';

const CONTENT_TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
} as const;
type Kind = keyof typeof CONTENT_TYPES;

/** Responds to a request: with a page of the development server, or else as hosts do. */
export async function route(request: IncomingMessage, response: ServerResponse, started: Context): Promise<void> {
  const { method = 'GET', url: target = '/' } = request;
  const { session, events, port } = started;
  const { host } = request.headers;
  if (!isOwnHost(host, port, started.host))
    return sendText(
      response,
      method,
      403,
      'json',
      detail(`This server accepts requests for ${started.url} only.`),
      started,
    );
  if (!target.startsWith('/')) return send(response, method, 400, {}, '');
  // As the browser reached it: by a name of its own, or through a mapped port.
  const context = { ...started, origin: `http://${host}` };
  const { pathname, searchParams } = new URL(context.url + target);
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead) {
    if (pathname === DEV_PATHS.events && method === 'GET') return events.open(response, message(session));
    if (pathname === DEV_PATHS.events) return send(response, method, 200, { 'Content-Type': 'text/event-stream' }, '');
    const page = await pageAt(pathname, searchParams, context);
    if (page !== undefined && 'location' in page)
      return send(response, method, 301, { Location: page.location, 'Cache-Control': 'no-store' }, '');
    if (page?.kind === 'image') return sendImage(response, method, page, context);
    if (page !== undefined) return sendText(response, method, 200, page.kind, page.text, context);
  }
  if (method === 'POST' && pathname === LIST.path) return post(request, response, context);
  const changed = method === 'POST' ? await studioPost(request, pathname, context) : undefined;
  if (changed !== undefined) return sendPage(request, response, changed, context);
  if (isRead && !isOfService(pathname) && wantsPage(request))
    return sendText(response, method, 404, 'html', notFoundPage(pathname, galleryContent(context)), context);
  const { shown, view } = session;
  if (shown !== undefined) return answer(request, response, served(shown, context, headerOf(request, 'Origin')));
  if (view !== undefined && isRead && pathname.startsWith('/media/'))
    return answer(request, response, imagesOnly(view, session));
  return sendText(
    response,
    method,
    503,
    'json',
    detail(`There is no successful build yet: see ${context.url}/.`),
    context,
  );
}

/** Sends the outcome of a form: to a browser as a page, to a program as JSON. */
function sendPage(request: IncomingMessage, response: ServerResponse, reply: Reply, context: RequestContext): void {
  const { method = 'GET' } = request;
  const { status } = reply;
  if ('location' in reply)
    return send(response, method, status, { Location: reply.location, 'Cache-Control': 'no-store' }, '');
  if (status === 204) return send(response, method, status, { 'Cache-Control': 'no-store' }, '');
  if (method === 'POST' && !wantsPage(request))
    return sendText(response, method, status, 'json', JSON.stringify(reply.json), context);
  if (reply.next !== undefined)
    return send(response, method, 303, { Location: reply.next, 'Cache-Control': 'no-store' }, '');
  return sendText(response, method, status, 'html', reply.html(), context);
}

/** Whether hosts respond to a path: with the service, its schemas, or its images. */
function isOfService(pathname: string): boolean {
  const isSchema = Object.values(SCHEMAS).some((path) => path === pathname);
  return isSchema || pathname.startsWith(LIST.path.replace(/\/$/, '')) || pathname.startsWith('/media/');
}

/** Whether a browser shows the response, rather than a program. */
function wantsPage(request: IncomingMessage): boolean {
  const rendering = negotiate(renderingsOf(LIST, SITE_DEFAULTS), undefined, headerOf(request, 'Accept'));
  return typeof rendering === 'object' && rendering.name === 'html';
}

/** Creates a theme: see `respondToPost`. */
async function post(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
  const { status, headers, body } = await respondToPost(request, context);
  send(response, 'POST', status, { ...securityHeaders(context), ...headers }, body);
}

/** The current message to open pages; undefined before the first build. */
export function message({ view, problems, build }: Session): Message | undefined {
  return view && { type: problems === undefined ? 'built' : 'problems', build };
}

type PageAt = { kind: Kind; text: string } | { kind: 'image'; type: string; bytes: Buffer };

async function pageAt(
  pathname: string,
  query: URLSearchParams,
  context: RequestContext,
): Promise<PageAt | { location: string } | undefined> {
  if (pathname === DEV_PATHS.style) return { kind: 'css', text: DEV_STYLE };
  if (pathname === DEV_PATHS.script) return { kind: 'js', text: await browserModule('page') };
  if (pathname === DEV_PATHS.studio) return { kind: 'js', text: await browserModule('studio') };
  if (pathname === '/') {
    const { content } = await comparedContent(context);
    return { kind: 'html', text: galleryPage(content, query) };
  }
  if (pathname === DEV_PATHS.viewAs) return { kind: 'html', text: await viewAs(context, query) };
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  if (`${pathname}/` === DEV_PATHS.viewAs) return { location: DEV_PATHS.viewAs + search };
  if (!pathname.startsWith('/themes/')) return undefined;
  const made = newThemeAt(pathname, query, context);
  if (made !== undefined) return made;
  const slug = context.session.view?.themes.find((theme) => `${pathname}/` === themePath(theme.slug))?.slug;
  return slug === undefined ? themeAt(pathname, context) : { location: themePath(slug) + search };
}

/** The page of a theme, its style sheet, or one of its images in the last commit. */
async function themeAt(pathname: string, context: Context): Promise<PageAt | undefined> {
  const slug = galleryContent(context).themes.find((theme) => pathname.startsWith(themePath(theme.slug)))?.slug;
  if (slug === undefined) return undefined;
  const path = pathname.slice(themePath(slug).length);
  const { content, comparison } = await comparedContent(context);
  const theme = content.themes.find((other) => other.slug === slug);
  const before = comparison && earlier(comparison, slug);
  if (theme === undefined) return undefined;
  const field = ANY_IMAGE_FIELDS.find((name) => path === `before/${name}`);
  if (field !== undefined) {
    const image = before && (await context.session.imageBefore(before.theme, field));
    return image && { kind: 'image', ...image };
  }
  const urlOf = (name: string): string => `${themePath(slug)}before/${name}?${comparison?.commit}`;
  const was = before && { changes: before.changes, record: recordWith(before.theme, urlOf) };
  if (path === 'theme.css')
    return { kind: 'css', text: themeStyle(theme.record) + (was ? themeStyle(was.record, '.before ') : '') };
  if (path !== '') return undefined;
  return { kind: 'html', text: themePage(theme, content, await themeEditor(theme, content, context), was) };
}

/** With a policy of its own, by which nothing in an SVG runs or loads. */
function sendImage(
  response: ServerResponse,
  method: string,
  { type, bytes }: { type: string; bytes: Buffer },
  context: Context,
): void {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store', ...securityHeaders(context) };
  send(response, method, 200, { ...headers, 'Content-Security-Policy': "default-src 'none'; sandbox" }, bytes);
}

function sendText(
  response: ServerResponse,
  method: string,
  status: number,
  kind: Kind,
  text: string,
  context: Context & { origin?: string },
): void {
  const { url, origin = url } = context;
  const headers = { 'Content-Type': CONTENT_TYPES[kind], 'Cache-Control': 'no-store', ...securityHeaders(context) };
  send(response, method, status, headers, kind === 'html' ? atOrigin(text, { ...context, origin }) : text);
}
