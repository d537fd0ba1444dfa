import { describe, expect, it } from 'vitest';
import { edgeRules } from '../../../src/hosts/contract.ts';
import { type Site, SITE_DEFAULTS } from '../../../src/theme/site.ts';

const THEMES = [
  { slug: 'harbor', id: 1 },
  { slug: 'meadow', id: 70_000 },
];

const rules = (site: Partial<Site> = {}) =>
  edgeRules(
    { ...SITE_DEFAULTS, base_url: 'https://a.example', media_url: 'https://a.example/media', ...site },
    THEMES,
    'sha256-STYLE',
  );

describe('edgeRules', () => {
  it('hold the whole contract of a site that says nothing but its URL', () => {
    expect(rules()).toEqual({
      baseUrl: 'https://a.example',
      basePath: '',
      mediaUrl: 'https://a.example/media',
      endpoints: {
        list: {
          kind: 'list',
          path: '/api/v2/theme/',
          folder: '/api/v2/theme/',
          methods: ['GET', 'POST', 'HEAD', 'OPTIONS'],
          renderings: [
            { name: 'json', format: 'json', mediaType: 'application/json', file: 'index.json' },
            { name: 'html', format: 'api', mediaType: 'text/html', file: 'browse.html' },
          ],
          allow: 'GET, POST, HEAD, OPTIONS',
          vary: 'Accept',
          cacheControl: 'public, max-age=60',
        },
        config: {
          kind: 'config',
          path: '/api/v2/theme/config/',
          folder: '/api/v2/theme/config/',
          methods: ['GET', 'HEAD', 'OPTIONS'],
          renderings: [
            { name: 'json', format: 'json', mediaType: 'application/json', file: 'index.json' },
            { name: 'html', format: 'api', mediaType: 'text/html', file: 'browse.html' },
            { name: 'css', format: 'css', mediaType: 'text/css', file: 'index.css' },
          ],
          allow: 'GET, HEAD, OPTIONS',
          vary: 'Accept, Cookie',
          cacheControl: 'private, no-cache',
        },
      },
      schemas: [
        { path: '/schema/openapi.json', file: '/schema/openapi.json' },
        { path: '/schema/theme.schema.json', file: '/schema/theme.schema.json' },
      ],
      records: [
        { path: '/api/v2/theme/deployment.json', file: '/api/v2/theme/deployment.json' },
        { path: '/api/v2/theme/manifest.json', file: '/api/v2/theme/manifest.json' },
      ],
      themes: ['harbor', 'meadow'],
      themeIds: [1, 70_000],
      keyed: false,
      identity: SITE_DEFAULTS.identity,
      headers: {
        all: { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'same-origin' },
        endpoint: { 'X-Frame-Options': 'DENY' },
        html: {
          'Content-Security-Policy':
            "default-src 'none'; img-src 'self' https://a.example; style-src 'sha256-STYLE'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        },
        css: { 'Cross-Origin-Resource-Policy': 'same-site' },
        svg: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
        media: { 'Cache-Control': 'public, max-age=31536000, immutable' },
        schema: { 'Cache-Control': 'public, max-age=60' },
        record: { 'Cache-Control': 'no-cache' },
        error: { 'Cache-Control': 'no-store' },
      },
      corsOrigins: [],
      corsHeaders: [],
      contentTypes: { json: 'application/json', html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8' },
      refusals: {
        post: '{"detail":"Themes are edited in Git, not through this service: see the repository that this site is built from."}',
        notFound: '{"detail":"Not found."}',
        notAcceptable: '{"detail":"Could not satisfy the request Accept header."}',
      },
      origin: { listen: '80', document_root: '/srv/themecast/dist' },
    });
  });

  it('put the path of the site before that of requests, and not before that of files', () => {
    const { basePath, endpoints, schemas } = rules({ base_url: 'https://a.example/x/y' });
    expect([basePath, endpoints.list.path, endpoints.list.folder]).toEqual([
      '/x/y',
      '/x/y/api/v2/theme/',
      '/api/v2/theme/',
    ]);
    expect(schemas[0]).toEqual({ path: '/x/y/schema/openapi.json', file: '/schema/openapi.json' });
  });

  it('let pages show pictures from where the site says they are, each host once', () => {
    const { headers } = rules({
      media_url: 'https://cdn.example/media',
      allowed_hosts: ['cdn.example', 'img.example'],
    });
    expect(headers.html['Content-Security-Policy']).toContain(
      "; img-src 'self' https://cdn.example https://img.example; style-src",
    );
  });

  it('name the repository to whoever posts, if the site does', () => {
    expect(rules({ repository_url: 'https://git.example/themes' }).refusals.post).toBe(
      '{"detail":"Themes are edited in Git, not through this service: https://git.example/themes"}',
    );
  });

  it('let pages send the headers that identity reads, but no cookie and no secret of a proxy', () => {
    const key = { algorithm: 'HS256', env: 'KEY' } as const;
    const { corsHeaders, corsOrigins, keyed, endpoints } = rules({
      cors: { allowed_origins: ['https://b.example'] },
      mapping: { keyed: true, shards: 256 },
      identity: [
        { names: 'user', credential: { from: 'jwt', cookie: undefined, claim: 'sub', key } },
        { names: 'group', credential: { from: 'jwt', cookie: undefined, claim: 'group', key } },
        { names: 'user', credential: { from: 'header', name: 'X-User', secret: { header: 'X-Secret', env: 'S' } } },
        { names: 'user', credential: { from: 'cookie', name: 'uid' } },
      ],
    });
    expect(corsHeaders).toEqual(['Authorization', 'X-User']);
    expect([corsOrigins, keyed]).toEqual([['https://b.example'], true]);
    expect(endpoints.config.vary).toBe('Accept, Authorization, X-User, X-Secret, Cookie, Origin');
    expect(endpoints.list.vary).toBe('Accept, Origin');
  });
});
