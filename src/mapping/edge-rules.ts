import { cacheControl, CONFIG, CONTENT_TYPES, type Endpoint, LIST, vary } from '../document/endpoint.ts';
import { credentialHeaders, type IdentityRule } from '../theme/identity.ts';
import type { Site } from '../theme/site.ts';

/** One endpoint as a host must answer it. */
export interface EdgeEndpoint {
  kind: 'list' | 'config';
  /** Path of the request, with the path of `base_url`. */
  path: string;
  /** Folder of its files below the published root. */
  folder: string;
  methods: readonly string[];
  allow: string;
  vary: string;
  cacheControl: string;
}

/** Everything that a host must know to answer as the contract says; with the assignments, all that an adapter writes its files from. */
export interface EdgeRules {
  baseUrl: string;
  /** Path of `base_url`, without trailing slash: `` or `/community`. */
  basePath: string;
  /** Where the media are published, without trailing slash. */
  mediaUrl: string;
  endpoints: { list: EdgeEndpoint; config: EdgeEndpoint };
  /** Slugs, in the order of the theme ids; and those ids, which shards hold instead. */
  themes: readonly string[];
  themeIds: readonly number[];
  /** Whether hosts that run code look keys up in shards. */
  keyed: boolean;
  /** First hit wins; without a hit the default theme is served. */
  identity: readonly IdentityRule[];
  /** Headers of every answer, and those that a rendering adds. */
  headers: { all: Headers; endpoint: Headers; html: Headers; svg: Headers; media: Headers; error: Headers };
  corsOrigins: readonly string[];
  /** Request headers beyond the safelisted ones that identity reads, for preflights; empty if there are none. */
  corsHeaders: readonly string[];
  /** Media type of each rendering as it is sent. */
  contentTypes: { json: string; html: string };
  /** Bodies of the answers that no file holds. */
  refusals: { post: string; notFound: string; notAcceptable: string };
  /** Where a host that serves from disk listens and finds the published files. */
  origin: Site['origin'];
}

type Headers = Readonly<Record<string, string>>;

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
    methods: endpoint.methods,
    allow: endpoint.methods.join(', '),
    vary: vary(endpoint, site).join(', '),
    cacheControl: control[endpoint.cacheClass],
  });
  const pictures = new Set([
    "'self'",
    new URL(site.media_url).origin,
    ...site.allowed_hosts.map((host) => `https://${host}`),
  ]);
  return {
    baseUrl: site.base_url,
    basePath,
    mediaUrl: site.media_url,
    endpoints: { list: edgeEndpoint('list', LIST), config: edgeEndpoint('config', CONFIG) },
    themes: themes.map(({ slug }) => slug),
    themeIds: themes.map(({ id }) => id),
    keyed: site.mapping.keyed,
    identity: site.identity,
    headers: {
      all: { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'same-origin' },
      endpoint: { 'X-Frame-Options': 'DENY' },
      html: {
        'Content-Security-Policy': `default-src 'none'; img-src ${[...pictures].join(' ')}; style-src '${pageStyleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      },
      svg: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
      media: { 'Cache-Control': control.immutable },
      error: { 'Cache-Control': 'no-store' },
    },
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

/** The identity headers that a page could send itself; those that only a proxy may add are none of its business. */
function corsHeaders({ identity }: Site): string[] {
  const sent = identity.flatMap(({ credential }) =>
    credential.from === 'header' ? [credential.name] : credentialHeaders(credential),
  );
  return [...new Set(sent)].filter((name) => name !== 'Cookie');
}

/** The body of an error, as Django REST Framework writes it. */
export function detail(text: string): string {
  return JSON.stringify({ detail: text });
}
