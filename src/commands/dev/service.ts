import { documents, iconFiles } from '../../core/document/documents.ts';
import { markup } from '../../core/document/page/html.ts';
import { type OutputFile, partsOf } from '../../core/document/files/output-file.ts';
import type { EdgeRules } from '../../hosts/contract/contract.ts';
import type { Served } from '../../system/http/io/server.ts';
import { sha256Of } from '../../system/disk/files.ts';
import { pageStyle, pageStyleHash } from '../../compiler/runtime.ts';
import { schemaDocuments } from '../../compiler/openapi/openapi.ts';
import { devHead, pagesNav } from './pages/layout.ts';
import { problemsBox } from './pages/problems.ts';
import { isOwnOrigin } from './guard.ts';
import { problemsOf } from './gallery-content.ts';
import type { Context, RequestContext } from './request.ts';
import type { GoodBuild, View } from './session/session.ts';

/**
 * Returns the service as on a host, except that the list is never cached and pages on this machine may read it. Before the first
 * successful build, it has only images.
 */
export function devService({ rules }: View, context: RequestContext, origin: string | null): Served {
  const { session, token } = context;
  const { goodBuild } = session;
  return {
    rules: devRules(rules, context, origin),
    readFile: async (path) => {
      if (goodBuild === undefined) return undefined;
      // Pages of allowed origins may read the response (CORS), but must not get the token.
      const pageContext = { session, token: isOwnOrigin(origin, context.origin) ? token : '' };
      const icon = iconFiles(goodBuild.published, goodBuild.site).find((file) => file.path === path.slice(1))?.icon;
      const body = icon === undefined ? undefined : await session.image(icon);
      if (body !== undefined) return { body, etag: `"${sha256Of(body).slice(0, 32)}"` };
      const file = devDocuments(goodBuild, pageContext).get(path.slice(1))?.();
      return file && { body: atOrigin([...partsOf(file)].join(''), context), etag: `"${file.sha256.slice(0, 32)}"` };
    },
    readMedia: (name) => session.image(name),
    themeOf: async (kind, key) => {
      const users = await goodBuild?.find([{ kind, key }]);
      return users?.find(({ isCaseIgnored }) => !isCaseIgnored)?.theme;
    },
  };
}

/** Returns the documents, with the additions of this server in their pages. */
function devDocuments(
  { published, site, rules }: GoodBuild,
  { session, token }: Pick<Context, 'session' | 'token'>,
): Map<string, () => OutputFile> {
  const problems = problemsBox(problemsOf(session));
  const all = documents(published, site, pageStyle(), (endpoint) => ({
    head: devHead({ build: session.build, token }),
    top: markup`<div class="bar">${pagesNav(`${endpoint.path}?format=api`)}</div>${problems}\n`,
  }));
  const schemas = schemaDocuments(published, site, rules);
  return new Map([...all, ...schemas].flatMap(({ files }) => files.map(({ path, make }) => [path, make])));
}

/** Pages of these origins may read the service during development: any port of this machine. */
const LOCAL_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

function devRules(rules: EdgeRules, context: Context, origin: string | null): EdgeRules {
  const { list, config, theme } = rules.endpoints;
  const isLocal = origin !== null && LOCAL_ORIGIN.test(origin);
  return {
    ...rules,
    endpoints: { list: { ...list, cacheControl: 'no-cache' }, config, theme: { ...theme, cacheControl: 'no-cache' } },
    headers: { ...rules.headers, html: securityHeaders(context) },
    corsOrigins: isLocal ? [...rules.corsOrigins, origin] : rules.corsOrigins,
  };
}

/** Replaces the origin of image URLs with the origin from the view of the browser. */
export function atOrigin(text: string, { url, origin }: RequestContext): string {
  return url === origin ? text : text.replaceAll(`${url}/`, `${origin}/`);
}

const STYLE_HASH = pageStyleHash();

/** Returns the headers of pages. Pages of the service have an inline style sheet, as on a host; none has inline scripts. */
export function securityHeaders({ url }: Pick<Context, 'url'>): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Content-Security-Policy': `default-src 'none'; img-src 'self' blob: data: ${url} https:; style-src 'self' '${STYLE_HASH}'; script-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  };
}
