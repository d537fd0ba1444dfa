import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_STYLE_HASH } from '../document/browsable-page.ts';
import { documents } from '../document/documents.ts';
import { LIST } from '../document/endpoint.ts';
import { type Markup, markup } from '../document/html.ts';
import { type OutputFile, partsOf } from '../document/output-file.ts';
import type { GalleryContent } from '../pages/content.ts';
import { DEV_SCRIPT } from '../pages/dev-script.ts';
import { galleryPage } from '../pages/gallery-page.ts';
import { GALLERY_STYLE } from '../pages/gallery-style.ts';
import type { GitLinks } from '../pages/git-links.ts';
import { DEV_PATHS, devHead, pagesNav, themePath, themeStylePath } from '../pages/layout.ts';
import { problemsBox } from '../pages/problems.ts';
import { themePage } from '../pages/theme-page.ts';
import { themeStyle } from '../pages/theme-style.ts';
import { answer, headerOf, send, type Served } from '../io/http/server.ts';
import type { EdgeRules } from '../hosts/contract.ts';
import { detail } from '../hosts/error-responses.ts';
import type { Events, Message } from './events.ts';
import { galleryContent, problemsText, viewAs } from './pages.ts';
import { respondToPost, isOwnOrigin, listForms, type PostContext } from './post.ts';
import type { Session, Shown } from './session.ts';

/** What responses are made from. */
export interface Context {
  session: Session;
  events: Events;
  links: GitLinks | undefined;
  token: string;
  /** Of this server, without a path. */
  url: string;
  port: number;
}

const CONTENT_TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
} as const;
type Kind = keyof typeof CONTENT_TYPES;

/** Responds to a request: with a page of the development server, or else as hosts do. */
export async function route(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { method = 'GET', url: target = '/' } = request;
  const { session, events, url, port } = context;
  // DNS rebinding: another site may point its own name at this address, but that name is in this header.
  if (!isOwnHost(request.headers.host, port))
    return sendText(response, method, 403, 'json', detail(`This server accepts requests for ${url} only.`), context);
  if (!target.startsWith('/')) return send(response, method, 400, {}, '');
  const { pathname, searchParams } = new URL(url + target);
  if (method === 'GET' || method === 'HEAD') {
    if (pathname === DEV_PATHS.events && method === 'GET') return events.open(response, message(session));
    if (pathname === DEV_PATHS.events) return send(response, method, 200, { 'Content-Type': 'text/event-stream' }, '');
    const page = await pageAt(pathname, searchParams, context);
    if (page !== undefined) return sendText(response, method, 200, page.kind, page.text, context);
  }
  if (method === 'POST' && pathname === LIST.path) return post(request, response, context);
  const { shown } = session;
  if (shown === undefined)
    return sendText(response, method, 503, 'json', detail(`There is no successful build yet: see ${url}/.`), context);
  return answer(request, response, served(shown, context, headerOf(request, 'Origin')));
}

/** Whether a Host header names this server; browsers omit port 80. */
export function isOwnHost(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some((name) => host === new URL(`http://${name}:${port}`).host);
}

/** Creates a theme: see `respondToPost`. */
async function post(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { session, links, token, url } = context;
  const pages: PostContext['pages'] = {
    theme: (slug) =>
      (session.site && themeAt(themePath(slug), galleryContent(session, session.site, links))?.text) ?? '',
    list: (forms) => listPage(session, context, forms),
  };
  const { status, headers, body } = await respondToPost(request, { session, origin: url, token, pages });
  send(response, 'POST', status, { ...securityHeaders(context), ...headers }, body);
}

function listPage({ shown }: Session, context: Context, forms: Markup): string {
  const file = shown && shownDocuments(shown, context, forms).get(`${LIST.path.slice(1)}browse.html`)?.();
  return file === undefined ? '' : [...partsOf(file)].join('');
}

/** The current message to open pages; undefined before the first build. */
export function message(session: Session): Message | undefined {
  const text = problemsText(session);
  if (text !== undefined) return { type: 'problems', text };
  return session.shown && { type: 'built', build: session.shown.build };
}

async function pageAt(
  pathname: string,
  query: URLSearchParams,
  { session, links, url }: Context,
): Promise<{ kind: Kind; text: string } | undefined> {
  if (pathname === DEV_PATHS.style) return { kind: 'css', text: GALLERY_STYLE };
  if (pathname === DEV_PATHS.script) return { kind: 'js', text: DEV_SCRIPT };
  // Before the first build, and if the themes cannot be read at all, the page shows that.
  const { site = { base_url: url } } = session;
  if (!(pathname === '/' || pathname === DEV_PATHS.viewAs || pathname.startsWith('/themes/'))) return undefined;
  if (pathname === DEV_PATHS.viewAs) return { kind: 'html', text: await viewAs(session, site, links, query) };
  const content = galleryContent(session, site, links);
  if (pathname === '/') return { kind: 'html', text: galleryPage(content, query.get('q') ?? '') };
  return themeAt(pathname, content);
}

/** The page of a theme, or its style sheet. */
function themeAt(pathname: string, content: GalleryContent): { kind: Kind; text: string } | undefined {
  const theme = content.themes.find(({ slug }) => pathname.startsWith(themePath(slug)));
  if (theme === undefined) return undefined;
  if (pathname === themePath(theme.slug)) return { kind: 'html', text: themePage(theme, content) };
  return pathname === themeStylePath(theme.slug) ? { kind: 'css', text: themeStyle(theme.record) } : undefined;
}

function sendText(
  response: ServerResponse,
  method: string,
  status: number,
  kind: Kind,
  text: string,
  context: Context,
): void {
  const headers = { 'Content-Type': CONTENT_TYPES[kind], 'Cache-Control': 'no-store', ...securityHeaders(context) };
  send(response, method, status, headers, text);
}

/** Pages have no inline scripts. Those of the service have an inline style sheet, as when published. */
function securityHeaders({ url }: Context): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Content-Security-Policy': `default-src 'none'; img-src 'self' ${url} https:; style-src 'self' '${PAGE_STYLE_HASH}'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  };
}

/** The service as hosts serve it, except that the list is never cached and that pages on this machine may read it. */
function served(shown: Shown, context: Context, origin: string | null): Served {
  const { preview } = shown;
  const { session } = context;
  // The forms contain the token, and some pages of other origins may read the response (CORS).
  const isOwn = isOwnOrigin(origin, context.url);
  const files = shownDocuments(shown, context, isOwn ? listForms(context) : undefined);
  return {
    rules: devRules(preview.rules, context, origin),
    readFile: async (path) => {
      const file = files.get(path.slice(1))?.();
      return file && { body: [...partsOf(file)].join(''), etag: `"${file.sha256.slice(0, 32)}"` };
    },
    hasMedia: (name) => session.media.has(name),
    themeOf: async (kind, key) => {
      const found = await preview.find([{ kind, key }]);
      return found.find(({ isCaseIgnored }) => !isCaseIgnored)?.theme;
    },
  };
}

/** The documents, with the additions of this server to their pages. @param forms - in the page of the list */
function shownDocuments(
  { preview, build }: Shown,
  { session }: Context,
  forms: Markup | undefined,
): Map<string, () => OutputFile> {
  const problems = problemsText(session);
  const all = documents(preview.media, preview.site, (endpoint) => ({
    head: devHead(build),
    top: markup`<div class="dev">${pagesNav(preview.site, `${endpoint.path}?format=api`)}${problems === undefined ? '' : problemsBox(problems, build)}</div>\n`,
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
