import type { Rendering } from '../edge-runtime/rules.ts';
import { credentialHeaders } from '../theme/site/credential-headers.ts';
import type { Site } from '../theme/site/site.ts';
import type { CacheClass } from './files/output-file.ts';

/** An endpoint of the interface (§4). */
export interface Endpoint {
  /** The name of the view, in its metadata and on its page. */
  name: string;
  description: string;
  /** The path below `base_url`, and the folder below `dist/`. */
  path: string;
  /** The allowed methods, in the order of the `Allow` header. */
  methods: readonly string[];
  cacheClass: CacheClass;
  /** The document of OPTIONS below `dist/`. */
  options: string;
}

export const LIST: Endpoint = {
  name: 'Theme List',
  description: 'All themes, ascending by id.',
  path: '/api/v2/theme/',
  methods: ['GET', 'POST', 'HEAD', 'OPTIONS'],
  cacheClass: 'list',
  options: '/api/v2/theme/options.json',
};

export const CONFIG: Endpoint = {
  name: 'Config',
  description: 'The theme of the requesting user; the default theme for everyone else.',
  path: '/api/v2/theme/config/',
  methods: ['GET', 'HEAD', 'OPTIONS'],
  cacheClass: 'config',
  options: '/api/v2/theme/config/options.json',
};

/** One theme, for whoever knows its id: before a log-in, in mails and previews. `*` in the path is a placeholder for the id. */
export const THEME: Endpoint = {
  name: 'Theme Instance',
  description: 'One theme, by its id.',
  path: '/api/v2/theme/*/',
  methods: ['GET', 'HEAD', 'OPTIONS'],
  cacheClass: 'list',
  options: '/api/v2/theme/theme-options.json',
};

/** By the kind that hosts know. */
export const ENDPOINTS = { list: LIST, config: CONFIG, theme: THEME } as const;

/** The path of the list document below `dist/`. */
export const LIST_FILE = `${LIST.path.slice(1)}index.json`;

/** The schemas of the responses, unless `site.yaml` turns them off: paths below `base_url` and below `dist/`. */
export const SCHEMAS = { openapi: '/schema/openapi.json', jsonSchema: '/schema/theme.schema.json' } as const;

/** Logos, icons and colours of every theme, for apps and mails: the path below `base_url` and below `dist/`. */
export const ASSETS = `${LIST.path}assets.json`;

/** The deployment record and the manifest of the live deployment, which a deployment writes: paths below `base_url` and `dist/`. */
export const RECORDS = { deployment: `${LIST.path}deployment.json`, manifest: `${LIST.path}manifest.json` } as const;

/** All renderings; the first wins a tie in content negotiation, as in Django REST Framework. */
const RENDERINGS: readonly Rendering[] = [
  { name: 'json', format: 'json', mediaType: 'application/json', file: 'index.json' },
  { name: 'html', format: 'api', mediaType: 'text/html', file: 'browse.html' },
  { name: 'css', format: 'css', mediaType: 'text/css', file: 'index.css' },
  { name: 'png', format: 'icon', mediaType: 'image/png', isExplicit: true, file: 'index.png' },
  {
    name: 'webmanifest',
    format: 'webmanifest',
    mediaType: 'application/manifest+json',
    isExplicit: true,
    file: 'index.webmanifest',
  },
];

/** Returns the renderings of an endpoint. LIST has only the two of the interface; a theme by its id is never chosen by Accept. */
export function renderingsOf(
  endpoint: Endpoint,
  { stylesheet, derived, web_app: webApp }: Pick<Site, 'stylesheet' | 'derived' | 'web_app'>,
): readonly Rendering[] {
  const isOn: Readonly<Record<Rendering['name'], boolean>> = {
    json: true,
    html: true,
    css: stylesheet,
    png: derived,
    webmanifest: derived && webApp !== undefined,
  };
  const renderings = RENDERINGS.filter(({ name }, index) => isOn[name] && (index < 2 || endpoint !== LIST));
  if (endpoint !== THEME) return renderings;
  const [json, css] = ['json', 'css'].map((wanted) => renderings.filter(({ name }) => name === wanted));
  return [...(json ?? []), ...(css ?? []).map((rendering) => ({ ...rendering, isExplicit: true as const }))];
}

/** `Content-Type` of each rendering. */
export const CONTENT_TYPES = {
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
} as const;

/** Returns the request headers that the response depends on. */
export function vary(endpoint: Endpoint, site: Pick<Site, 'identity' | 'cors'>): string[] {
  const identity = endpoint === CONFIG ? site.identity.flatMap(({ credential }) => credentialHeaders(credential)) : [];
  const cors = site.cors.allowed_origins.length > 0 ? ['Origin'] : [];
  return [...new Set(['Accept', ...identity, ...cors])];
}

/** Returns `Cache-Control` of each cache class. CONFIG is private even for anonymous visitors: a shared cache must never store it. */
export function cacheControl(site: Site): Record<CacheClass, string> {
  return {
    immutable: 'public, max-age=31536000, immutable',
    list: `public, max-age=${site.cache.list_max_age}`,
    config: 'private, no-cache',
  };
}

/** Returns the body of the response to OPTIONS: the metadata of Django REST Framework. */
export function optionsDocument(endpoint: Endpoint, renderings: readonly Rendering[]) {
  return {
    name: endpoint.name,
    description: endpoint.description,
    renders: renderings.flatMap(({ mediaType, isExplicit }) => (isExplicit === true ? [] : [mediaType])),
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  };
}
