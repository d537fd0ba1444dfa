import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIST, SCHEMAS } from '../../core/document/endpoint.ts';
import { answer, headerOf, send } from '../../system/http/io/server.ts';
import { galleryPage } from './pages/gallery-page.ts';
import { DEV_PATHS, MADE_LOGOS, notFoundPage, themePath } from './pages/layout.ts';
import { themePage } from './pages/theme-page.ts';
import { teamPage, teamPagePolicy } from '../../core/document/preview/team-page.ts';
import { screenStyle } from '../../core/document/stylesheet.ts';
import { PREVIEW_FILE } from '../../core/theme/themes-folder.ts';
import { communityStyle } from '../../compiler/runtime.ts';
import { actionAt } from './edits/actions.ts';
import { isOwnHost } from './guard.ts';
import { comparedContent, galleryContent, viewAs } from './gallery-content.ts';
import { proposeContent } from './propose.ts';
import { pictureOfVersion } from './edits/make-images.ts';
import { newThemeAt } from './new-theme-preview.ts';
import type { Context, RequestContext } from './request.ts';
import { themeEditor } from './edits/theme-editor.ts';
import { atOrigin, devService, securityHeaders } from './service.ts';

const CONTENT_TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
} as const;

type Page =
  | { kind: keyof typeof CONTENT_TYPES; text: string }
  /** Untrusted content, with a policy that forbids scripts. */
  | { kind: 'sandboxed'; type: string; body: string | Buffer; policy: string };

/** Responds to a request, with a page of the development server or as a host does. */
export async function route(request: IncomingMessage, response: ServerResponse, started: Context): Promise<void> {
  const { method = 'GET', url: target = '/' } = request;
  const { session, events, port, url } = started;
  const { host } = request.headers;
  // The browser may use another name, or a mapped port.
  const context = { ...started, origin: `http://${host}` };
  const page = (status: number, content: Page): void => sendPage(response, method, status, content, context);
  const refuse = (status: number, detail: string): void =>
    page(status, { kind: 'json', text: JSON.stringify({ detail }) });
  if (!isOwnHost(host, port, started.host)) return refuse(403, `This server accepts requests for ${url} only.`);
  if (!target.startsWith('/')) return send(response, method, 400, {}, '');
  const { pathname, searchParams, search } = new URL(url + target);
  if (method === 'POST') {
    const reply = await actionAt(pathname, request, context);
    if (reply !== undefined)
      return send(response, method, reply.status, { ...securityHeaders(context), ...reply.headers }, reply.body);
  }
  if (method === 'GET' && pathname === DEV_PATHS.events) return events.open(response, session.message);
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead) {
    const content = await pageAt(pathname, searchParams, context);
    if (content !== undefined) return page(200, content);
    if (!pathname.endsWith('/') && (await pageAt(`${pathname}/`, searchParams, context)) !== undefined)
      return send(response, method, 301, { Location: `${pathname}/${search}`, 'Cache-Control': 'no-store' }, '');
    if (!isOfService(pathname))
      return page(404, { kind: 'html', text: notFoundPage(pathname, galleryContent(context)) });
  }
  const { goodBuild, view } = session;
  const current = goodBuild ?? (pathname.startsWith('/media/') ? view : undefined);
  if (current !== undefined)
    return answer(request, response, devService(current, context, headerOf(request, 'Origin')));
  return refuse(503, `There is no successful build yet: see ${url}/.`);
}

/** Whether a path belongs to the service, its schemas or its images. */
function isOfService(pathname: string): boolean {
  const isSchema = Object.values(SCHEMAS).some((path) => path === pathname);
  return isSchema || pathname.startsWith(LIST.path.replace(/\/$/, '')) || pathname.startsWith('/media/');
}

async function pageAt(pathname: string, query: URLSearchParams, context: RequestContext): Promise<Page | undefined> {
  if (pathname === DEV_PATHS.style) return { kind: 'css', text: await devStyle() };
  const script = SCRIPTS.find((name) => pathname === DEV_PATHS.scripts + name);
  if (script !== undefined) return { kind: 'js', text: await readFile(new URL(script, BROWSER_SCRIPTS), 'utf8') };
  if (pathname === '/') {
    const content = await comparedContent(context);
    const viewed = await viewAs(context, query.get('as')?.trim() ?? '');
    return { kind: 'html', text: galleryPage(content, query, viewed) };
  }
  if (pathname === DEV_PATHS.propose) return { kind: 'html', text: await proposeContent(context) };
  if (!pathname.startsWith('/themes/')) return undefined;
  return newThemeAt(pathname, query, galleryContent(context)) ?? (await themeAt(pathname, query, context));
}

/** Combines the style sheets of published pages and the mock community with `dev.css`. */
async function devStyle(): Promise<string> {
  return communityStyle() + (await readFile(new URL('dev.css', import.meta.url), 'utf8'));
}

/** The compiled modules of the browser. */
const BROWSER_SCRIPTS = new URL('../../../lib/commands/dev/browser/', import.meta.url);
const SCRIPTS = ['page.js', 'stage.js', 'studio.js'];

/** Returns the page of a theme, its style sheet, its preview, or a version of its logo. */
async function themeAt(pathname: string, query: URLSearchParams, context: RequestContext): Promise<Page | undefined> {
  const { session } = context;
  // A page may be open from before a restart.
  if (session.view === undefined) await session.idle();
  const slug = session.view?.themes.find((theme) => pathname.startsWith(themePath(theme.slug)))?.slug;
  if (slug === undefined) return undefined;
  const path = pathname.slice(themePath(slug).length);
  if (path.startsWith(MADE_LOGOS)) {
    const bytes = await pictureOfVersion(path.slice(MADE_LOGOS.length), slug, session);
    return bytes && { kind: 'sandboxed', type: 'image/png', body: bytes, policy: "default-src 'none'" };
  }
  const content = await comparedContent(context);
  const theme = content.themes.find((candidate) => candidate.slug === slug);
  if (theme === undefined) return undefined;
  if (path === 'theme.css') return { kind: 'css', text: screenStyle(theme, session.site) };
  const preview = session.view?.linked.walk.preview?.text;
  if (path === PREVIEW_FILE && preview !== undefined) {
    const page = teamPage(preview, theme, session.site, query.get('mode') === 'dark' ? 'dark' : 'light');
    const images = ["'self'", ...session.site.allowed_hosts.map((host) => `https://${host}`)];
    return {
      kind: 'sandboxed',
      type: CONTENT_TYPES.html,
      body: atOrigin(page, context),
      policy: teamPagePolicy(images),
    };
  }
  if (path !== '') return undefined;
  const editor = await themeEditor(theme, content, session, query.get('user')?.trim());
  return { kind: 'html', text: themePage(theme, content, editor, query) };
}

function sendPage(response: ServerResponse, method: string, status: number, page: Page, context: RequestContext): void {
  const headers = { 'Cache-Control': 'no-store', ...securityHeaders(context) };
  if (page.kind === 'sandboxed') {
    const policy = { 'Content-Type': page.type, 'Content-Security-Policy': page.policy };
    return send(response, method, status, { ...headers, ...policy }, page.body);
  }
  const text = page.kind === 'html' ? atOrigin(page.text, context) : page.text;
  send(response, method, status, { ...headers, 'Content-Type': CONTENT_TYPES[page.kind] }, text);
}
