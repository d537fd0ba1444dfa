import {
  ASSETS,
  cacheControl,
  CONFIG,
  CONTENT_TYPES,
  type Endpoint,
  LIST,
  renderingsOf,
  RECORDS,
  SCHEMAS,
  THEME,
  vary,
} from '../../core/document/endpoint.ts';
import type { EdgeEndpoint, RuntimeRules } from '../../core/edge-runtime/rules.ts';
import { credentialHeaders } from '../../core/theme/site/credential-headers.ts';
import type { Site } from '../../core/theme/site/site.ts';

/** Everything that a host needs to implement the contract. With the mapping, it is the input of every adapter. */
export interface EdgeRules extends RuntimeRules {
  baseUrl: string;
  /** Path of `base_url`, without trailing slash: `` or `/community`. */
  basePath: string;
  /** The URL of the published images, without trailing slash. */
  mediaUrl: string;
  /** Whether hosts that run code look keys up in shards. */
  keyed: boolean;
  /** The listen address and document root of a host that serves from disk. */
  origin: Site['origin'];
}

export function edgeRules(
  site: Site,
  themes: readonly { slug: string; id: number }[],
  pageStyleHash: string,
): EdgeRules {
  const basePath = new URL(site.base_url).pathname.replace(/\/$/, '');
  const control = cacheControl(site);
  const edgeEndpoint = (kind: EdgeEndpoint['kind'], endpoint: Endpoint): EdgeEndpoint => ({
    kind,
    path: basePath + endpoint.path,
    folder: endpoint.path,
    options: endpoint.options,
    methods: endpoint.methods,
    renderings: renderingsOf(endpoint, site),
    allow: endpoint.methods.join(', '),
    vary: vary(endpoint, site).join(', '),
    cacheControl: control[endpoint.cacheClass],
  });
  const publishedFile = (file: string) => ({ path: basePath + file, file });
  return {
    baseUrl: site.base_url,
    basePath,
    mediaUrl: site.media_url,
    endpoints: {
      list: edgeEndpoint('list', LIST),
      config: edgeEndpoint('config', CONFIG),
      theme: edgeEndpoint('theme', THEME),
    },
    schemas: site.schema ? Object.values(SCHEMAS).map(publishedFile) : [],
    records: [...Object.values(RECORDS), ...(site.derived ? [ASSETS] : [])].map(publishedFile),
    themes: themes.map(({ slug }) => slug),
    themeIds: themes.map(({ id }) => id),
    keyed: site.mapping.keyed,
    identity: site.identity,
    headers: headersOf(site, pageStyleHash),
    corsOrigins: site.cors.allowed_origins,
    corsHeaders: corsHeaders(site),
    contentTypes: CONTENT_TYPES,
    refusals: {
      post: detail(
        `Themes are edited in Git, not through this service${site.repository_url === undefined ? ': see the repository that this site is built from.' : `: ${site.repository_url}`}`,
      ),
      notFound: detail('Not found.'),
      notAcceptable: detail('Could not satisfy the request Accept header.'),
    },
    origin: site.origin,
  };
}

/**
 * Without it, a page of any other site could load a rendering with the visitor's cookies, and tell themes apart: by `getComputedStyle`
 * with the stylesheet, or by the size of the icon.
 */
const SAME_SITE = { 'Cross-Origin-Resource-Policy': 'same-site' };

/** Returns the response headers, by kind of response. */
function headersOf(site: Site, pageStyleHash: string): EdgeRules['headers'] {
  const control = cacheControl(site);
  const varyByOrigin = site.cors.allowed_origins.length > 0 && { Vary: 'Origin' };
  const imageSources = new Set([
    "'self'",
    new URL(site.media_url).origin,
    ...site.allowed_hosts.map((host) => `https://${host}`),
  ]);
  return {
    all: { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'same-origin' },
    endpoint: { 'X-Frame-Options': 'DENY' },
    html: {
      'Content-Security-Policy': `default-src 'none'; img-src ${[...imageSources].join(' ')}; style-src '${pageStyleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
    css: SAME_SITE,
    png: SAME_SITE,
    webmanifest: SAME_SITE,
    svg: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
    // Public files, sent without credentials: any page may read them by `fetch`, and draw them on a canvas.
    media: { 'Cache-Control': control.immutable, 'Access-Control-Allow-Origin': '*' },
    schema: { 'Cache-Control': control[LIST.cacheClass], ...varyByOrigin },
    record: { 'Cache-Control': 'no-cache', ...varyByOrigin },
    error: { 'Cache-Control': 'no-store' },
  };
}

/** Returns the identity headers that a page may send; only a proxy may add the others. */
function corsHeaders({ identity }: Site): string[] {
  const sent = identity.flatMap(({ credential }) =>
    credential.from === 'header' ? [credential.name] : credentialHeaders(credential),
  );
  return [...new Set(sent)].filter((name) => name !== 'Cookie');
}

/** Returns the body of an error, in the format of Django REST Framework. */
export function detail(text: string): string {
  return JSON.stringify({ detail: text });
}
