import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_STYLE_HASH } from '../document/browsable-page.ts';
import { documents } from '../document/documents.ts';
import { LIST } from '../document/endpoint.ts';
import { type Markup, markup } from '../document/html.ts';
import { type OutputFile, partsOf } from '../document/output-file.ts';
import { negotiate } from '../edge-runtime/negotiate.ts';
import { DEV_SCRIPT } from '../pages/dev-script.ts';
import { galleryPage } from '../pages/gallery-page.ts';
import { GALLERY_STYLE } from '../pages/gallery-style.ts';
import type { GitLinks } from '../pages/git-links.ts';
import { DEV_PATHS, devHead, pagesNav, themePath, themeStylePath } from '../pages/layout.ts';
import { notFoundPage } from '../pages/not-found-page.ts';
import { overlayContent, problemsBox } from '../pages/problems.ts';
import { themePage } from '../pages/theme-page.ts';
import { themeStyle } from '../pages/theme-style.ts';
import { answer, headerOf, send, type Served } from '../io/http/server.ts';
import type { EdgeRules } from '../hosts/contract.ts';
import { detail } from '../hosts/error-responses.ts';
import type { Events, Message } from './events.ts';
import { isOwnHost, isOwnOrigin } from './guard.ts';
import { openPlace } from './open.ts';
import { editRoute } from './edit.ts';
import type { Reply } from './reply.ts';
import { galleryContent, problemsOf, problemsText, viewAs } from './pages.ts';
import { respondToPost, listForms, type PostContext } from './post.ts';
import type { Session, Shown, View } from './session.ts';

/** What responses are made from. */
export interface Context {
  session: Session;
  events: Events;
  links: GitLinks | undefined;
  token: string;
  /** Of this server, without a path. */
  url: string;
  port: number;
  /** The address that was asked for. */
  host: string | undefined;
}

/** The same for one request. */
type RequestContext = Context & {
  /** Of this server, as the browser reached it. */
  origin: string;
};

const CONTENT_TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
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
    if (pathname === DEV_PATHS.events && method === 'GET') return events.open(response, message(started));
    if (pathname === DEV_PATHS.events) return send(response, method, 200, { 'Content-Type': 'text/event-stream' }, '');
    const page = await pageAt(pathname, searchParams, context);
    if (page !== undefined && 'location' in page)
      return send(response, method, 301, { Location: page.location, 'Cache-Control': 'no-store' }, '');
    if (page !== undefined) return sendText(response, method, 200, page.kind, page.text, context);
  }
  if (method === 'POST' && pathname === LIST.path) return post(request, response, context);
  if (method === 'POST' && pathname === DEV_PATHS.open) {
    const reply = await openPlace(request, context);
    return sendPage(request, response, reply, context);
  }
  const edited = EDIT.exec(pathname)?.[1];
  if (edited !== undefined && (isRead || method === 'POST')) {
    const page = await editRoute(request, edited, context);
    if (page !== undefined) return sendPage(request, response, page, context);
  }
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
  return sendText(response, method, status, 'html', reply.html(), context);
}

/** The form that edits a theme. */
const EDIT = /^\/themes\/([a-z0-9-]+)\/edit$/;

/** Whether hosts respond to a path: with the service, or with its images. */
function isOfService(pathname: string): boolean {
  return pathname.startsWith(LIST.path.replace(/\/$/, '')) || pathname.startsWith('/media/');
}

/** Whether a browser shows the response, rather than a program. */
function wantsPage(request: IncomingMessage): boolean {
  return negotiate(undefined, headerOf(request, 'Accept')) === 'html';
}

/** Creates a theme: see `respondToPost`. */
async function post(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
  const { session, token, origin } = context;
  const pages: PostContext['pages'] = {
    theme: async (slug) => (await themeAt(themePath(slug), context))?.text ?? '',
    list: (forms) => listPage(session, context, forms),
  };
  const { status, headers, body } = await respondToPost(request, { session, origin, token, pages });
  const isPage = headers['Content-Type'] === CONTENT_TYPES.html;
  send(response, 'POST', status, { ...securityHeaders(context), ...headers }, isPage ? atOrigin(body, context) : body);
}

function listPage({ shown }: Session, context: RequestContext, forms: Markup): string {
  const file = shown && shownDocuments(shown, context, forms).get(`${LIST.path.slice(1)}browse.html`)?.();
  return file === undefined ? '' : [...partsOf(file)].join('');
}

/** The current message to open pages; undefined before the first build. */
export function message({ session, token }: Pick<Context, 'session' | 'token'>): Message | undefined {
  const { view, shown } = session;
  const build = view?.build ?? 0;
  const problems = problemsOf(session, token);
  if (problems !== undefined)
    return { type: 'problems', build, text: problemsText(session) ?? '', html: overlayContent(problems).text };
  return shown && { type: 'built', build };
}

type PageAt = { kind: Kind; text: string };

async function pageAt(
  pathname: string,
  query: URLSearchParams,
  context: Context,
): Promise<PageAt | { location: string } | undefined> {
  if (pathname === DEV_PATHS.style) return { kind: 'css', text: GALLERY_STYLE };
  if (pathname === DEV_PATHS.script) return { kind: 'js', text: DEV_SCRIPT };
  if (pathname === '/') return { kind: 'html', text: galleryPage(galleryContent(context), query.get('q') ?? '') };
  if (pathname === DEV_PATHS.viewAs) return { kind: 'html', text: await viewAs(context, query) };
  const search = query.size === 0 ? '' : `?${query}`;
  if (`${pathname}/` === DEV_PATHS.viewAs) return { location: DEV_PATHS.viewAs + search };
  if (!pathname.startsWith('/themes/')) return undefined;
  const slug = context.session.view?.themes.find((theme) => `${pathname}/` === themePath(theme.slug))?.slug;
  return slug === undefined ? themeAt(pathname, context) : { location: themePath(slug) + search };
}

/** The page of a theme, or its style sheet. */
async function themeAt(pathname: string, context: Context): Promise<PageAt | undefined> {
  const content = galleryContent(context);
  const theme = content.themes.find(({ slug }) => pathname.startsWith(themePath(slug)));
  if (theme === undefined) return undefined;
  if (pathname === themePath(theme.slug)) return { kind: 'html', text: themePage(theme, content) };
  return pathname === themeStylePath(theme.slug) ? { kind: 'css', text: themeStyle(theme.record) } : undefined;
}

/** A page with the URLs of the images where the browser reached the server. */
function atOrigin(text: string, { url, origin }: RequestContext): string {
  return url === origin ? text : text.replaceAll(`${url}/`, `${origin}/`);
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

/** Pages have no inline scripts. Those of the service have an inline style sheet, as when published. */
function securityHeaders({ url }: Pick<Context, 'url'>): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Content-Security-Policy': `default-src 'none'; img-src 'self' ${url} https:; style-src 'self' '${PAGE_STYLE_HASH}'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  };
}

/** The service as hosts serve it, except that the list is never cached and that pages on this machine may read it. */
function served(shown: Shown, context: RequestContext, origin: string | null): Served {
  const { preview } = shown;
  const { session } = context;
  // The forms contain the token, and some pages of other origins may read the response (CORS).
  const isOwn = isOwnOrigin(origin, context.origin);
  const files = shownDocuments(shown, context, isOwn ? listForms(context) : undefined);
  return {
    rules: devRules(preview.rules, context, origin),
    readFile: async (path) => {
      const file = files.get(path.slice(1))?.();
      return file && { body: atOrigin([...partsOf(file)].join(''), context), etag: `"${file.sha256.slice(0, 32)}"` };
    },
    hasMedia: (name) => session.media.has(name),
    themeOf: async (kind, key) => {
      const found = await preview.find([{ kind, key }]);
      return found.find(({ isCaseIgnored }) => !isCaseIgnored)?.theme;
    },
  };
}

/** What is served before the first successful build: the images of themes that are incomplete. */
function imagesOnly({ rules }: View, { media }: Session): Served {
  return {
    rules,
    readFile: async () => undefined,
    hasMedia: (name) => media.has(name),
    themeOf: async () => undefined,
  };
}

/** The documents, with the additions of this server to their pages. @param forms - in the page of the list */
function shownDocuments(
  { preview }: Shown,
  { session, token }: Context,
  forms: Markup | undefined,
): Map<string, () => OutputFile> {
  const build = session.view?.build ?? 0;
  const problems = problemsOf(session, forms && token);
  const all = documents(preview.media, preview.site, (endpoint) => ({
    head: devHead(build),
    top: markup`<div class="dev">${pagesNav(preview.site, `${endpoint.path}?format=api`)}${problems === undefined ? '' : problemsBox(problems)}</div>\n`,
    ...(endpoint === LIST && forms !== undefined ? { forms } : {}),
  }));
  return new Map(all.map(({ path, make }) => [path, make]));
}

/** The origins whose pages may read the service during development: any port of this machine. */
const LOCAL_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

function devRules(rules: EdgeRules, context: Context, origin: string | null): EdgeRules {
  const { list, config } = rules.endpoints;
  const isLocal = origin !== null && LOCAL_ORIGIN.test(origin);
  return {
    ...rules,
    endpoints: { list: { ...list, cacheControl: 'no-cache' }, config },
    headers: { ...rules.headers, html: securityHeaders(context) },
    corsOrigins: isLocal ? [...rules.corsOrigins, origin] : rules.corsOrigins,
  };
}
