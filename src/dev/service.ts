import { documents, iconFiles } from '../document/documents.ts';
import { markup } from '../document/html.ts';
import { type OutputFile, partsOf } from '../document/output-file.ts';
import type { EdgeRules } from '../hosts/contract.ts';
import type { Served } from '../http/io/server.ts';
import { sha256Of } from '../disk/files.ts';
import { openApiTemplate, pageStyle, pageStyleHash } from '../compiler/runtime.ts';
import { schemaDocuments } from '../compiler/openapi/documents.ts';
import { devHead, pagesNav } from './pages/layout.ts';
import { problemsBox } from './pages/problems.ts';
import { isOwnOrigin } from './guard.ts';
import { problemsOf } from './gallery-content.ts';
import type { Context, RequestContext } from './request.ts';
import type { Shown, View } from './session.ts';

/**
 * The service as hosts serve it, except that the list is never cached and that pages on this machine may read it. Before the first
 * successful build, only the images.
 */
export function served({ rules }: View, context: RequestContext, origin: string | null): Served {
  const { session, token } = context;
  const { shown } = session;
  return {
    rules: devRules(rules, context, origin),
    readFile: async (path) => {
      if (shown === undefined) return undefined;
      // Some pages of other origins may read the response (CORS): they do not get the token.
      const own = { session, token: isOwnOrigin(origin, context.origin) ? token : '' };
      const icon = iconFiles(shown.media.themes, shown.site).find((file) => file.path === path.slice(1))?.icon;
      const body = icon === undefined ? undefined : await session.media.read(icon);
      if (body !== undefined) return { body, etag: `"${sha256Of(body).slice(0, 32)}"` };
      const file = shownDocuments(shown, own).get(path.slice(1))?.();
      return file && { body: atOrigin([...partsOf(file)].join(''), context), etag: `"${file.sha256.slice(0, 32)}"` };
    },
    readMedia: (name) => session.media.read(name),
    themeOf: async (kind, key) => {
      const users = await shown?.find([{ kind, key }]);
      return users?.find(({ isCaseIgnored }) => !isCaseIgnored)?.theme;
    },
  };
}

/** The documents, with the additions of this server to their pages. */
function shownDocuments(
  { media, site, rules }: Shown,
  { session, token }: Pick<Context, 'session' | 'token'>,
): Map<string, () => OutputFile> {
  const problems = problemsBox(problemsOf(session));
  const all = documents(media.themes, site, pageStyle(), (endpoint) => ({
    head: devHead({ build: session.build, token }),
    top: markup`<div class="bar">${pagesNav(`${endpoint.path}?format=api`)}</div>${problems}\n`,
  }));
  const schemas = schemaDocuments(media.themes, site, rules, openApiTemplate);
  return new Map([...all, ...schemas].flatMap(({ files }) => files.map(({ path, make }) => [path, make])));
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

/** A page with the URLs of the images where the browser reached the server. */
export function atOrigin(text: string, { url, origin }: RequestContext): string {
  return url === origin ? text : text.replaceAll(`${url}/`, `${origin}/`);
}

const STYLE_HASH = pageStyleHash();

/** Pages have no inline scripts. Those of the service have an inline style sheet, as when published. */
export function securityHeaders({ url }: Pick<Context, 'url'>): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Content-Security-Policy': `default-src 'none'; img-src 'self' blob: data: ${url} https:; style-src 'self' '${STYLE_HASH}'; script-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  };
}
