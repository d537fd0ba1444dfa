import { z } from 'zod';
import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { distinct, expects, pattern, type Validated, validateFields } from '../source/validate.ts';
import type { SourceDocument } from '../source/yaml.ts';
import { identitySchema } from './identity.ts';

/** The hosts that rewrite rules can be written for. */
export const EDGE_HOSTS = [
  'nginx',
  'apache',
  'haproxy',
  'caddy',
  'varnish',
  'cloudflare',
  'cloudflare-static',
  'netlify',
  'vercel',
  'cloudfront',
  'fastly',
  'static',
] as const;
/** A host that rewrite rules can be written for. */
export type EdgeHost = (typeof EDGE_HOSTS)[number];

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An absolute URL that documents may be built on: https (http only on this machine), nothing after the path. */
export function isPublicUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) &&
    url.username + url.password === '' &&
    /^[A-Za-z0-9.:[\]/_~-]+$/.test(text) &&
    !/\/\.{1,2}(?:\/|$)/.test(text) &&
    !url.pathname.includes('//')
  );
}

/** What {@link isPublicUrl} asks for, in words. */
export const PUBLIC_URL = 'an https URL without user name, query or fragment (http only for localhost)';

const publicUrl = z
  .string()
  .refine(isPublicUrl, expects(PUBLIC_URL, 'https://community.example.org'))
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

const hostName = pattern(
  /^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/,
  'a host name in lower case',
  'images.example.org',
);
const listValue = pattern(/^[A-Za-z0-9_-]{1,64}$/, 'a word of A–Z, a–z, 0–9, - and _', 'INVERSE');
const origin = z
  .string()
  .refine(
    (text) => isPublicUrl(text) && new URL(text).origin === text,
    expects('an origin, without a path', 'https://app.example.org'),
  );

/** What a site may set, with what holds otherwise; within bounds that the tools and the hosts can take. */
const limit = (least: number, most: number, otherwise: number, description: string) =>
  z.int().min(least).max(most).default(otherwise).meta({ description });
const limits = z.strictObject({
  // Cloudflare serves no larger file.
  picture_bytes: limit(1024, 104_857_600, 26_214_400, 'Greatest size of a picture file, in bytes.'),
  picture_pixels: limit(10_000, 100_000_000, 40_000_000, 'Greatest width × height of a picture, in pixels.'),
  avif_pixels: limit(
    10_000,
    40_000_000,
    16_000_000,
    'Greatest width × height of an AVIF, which takes six times the memory to decode.',
  ),
  decode_seconds: limit(1, 120, 10, 'Processor time that one picture may take to decode, in seconds.'),
  // A process that has nothing to decode takes about 80 MB.
  decode_bytes: limit(
    256_000_000,
    8_000_000_000,
    1_000_000_000,
    'Memory that one picture may take to decode, in bytes.',
  ),
  post_body_bytes: limit(1024, 1_073_741_824, 33_554_432, 'Greatest body of a POST to `themecast dev`, in bytes.'),
});

/** What may be written in `site.yaml`. */
export const siteSchema = z
  .strictObject({
    base_url: publicUrl.meta({
      description:
        'Where the service is published: the URL before /api/v2/theme/. --base-url and THEMECAST_BASE_URL override it.',
    }),
    media_url: publicUrl.meta({
      description: 'Where the folder dist/media/ is published. Default: base_url + `/media`.',
    }),
    repository_url: publicUrl.meta({
      description: 'Where the themes are edited; named in the answer to POST. Default: not named.',
    }),
    cache: z
      .strictObject({ list_max_age: z.int().min(0).max(86_400).default(60) })
      .meta({ description: 'list_max_age: seconds for which the list may be cached. Default: `{list_max_age: 60}`.' }),
    cors: z.strictObject({ allowed_origins: distinct(z.array(origin).max(50)).default([]) }).meta({
      description: 'allowed_origins: the origins whose pages may read the documents with fetch. Default: none.',
    }),
    identity: identitySchema.meta({
      description: 'How a request says who asks: an ordered list, first hit wins. Default: `[{user: {cookie: uid}}]`.',
    }),
    mapping: z
      .strictObject({
        keyed: z.boolean().default(false),
        shards: z
          .int()
          .refine(
            (count) => count >= 256 && count <= 65_536 && Number.isInteger(Math.log2(count)),
            expects('a power of two from 256 to 65536', '4096'),
          )
          .default(4096),
      })
      .meta({
        description:
          'keyed: whether hosts that run code look users up by keyed digests (THEMECAST_KEY_SECRET), as takes large mappings; shards: how many parts those are kept in. Default: `{keyed: false, shards: 4096}`.',
      }),
    edge: distinct(z.array(z.enum(EDGE_HOSTS))).meta({
      description: 'The hosts that rewrite rules are written for. Default: `[nginx]`.',
    }),
    origin: z
      .strictObject({
        listen: pattern(
          /^(?:(?:[0-9.]+|\[[0-9A-Fa-f:]+\]):)?\d{1,5}$/,
          'a port, or address:port',
          '127.0.0.1:8080',
        ).default('80'),
        document_root: pattern(
          /^\/[A-Za-z0-9/._-]*$/,
          'an absolute path of A–Z, a–z, 0–9, `.`, `_`, `-` and `/`',
          '/srv/themecast/dist',
        ).default('/srv/themecast/dist'),
      })
      .meta({
        description:
          'For hosts that serve dist/ from disk. listen: the port, or address:port; document_root: where dist/ lies there. Default: `{listen: "80", document_root: /srv/themecast/dist}`.',
      }),
    allowed_hosts: distinct(z.array(hostName).max(50)).meta({
      description: 'Hosts that https picture URLs may name. Default: none.',
    }),
    logo_types: distinct(z.array(listValue).min(1)).meta({
      description: 'The values that the four logo type fields accept. Default: `[NORMAL, INVERSE]`.',
    }),
    logo_alignments: distinct(z.array(listValue).min(1)).meta({
      description: 'The values that logo_alignment accepts. Default: `[left, center, right]`.',
    }),
    limits: limits.meta({
      description:
        'picture_bytes, picture_pixels and avif_pixels: the largest picture that is accepted, in bytes and in width × height; decode_seconds and decode_bytes: the processor time and the memory that one may take to decode; post_body_bytes: the largest body of a POST to `themecast dev`. Default: `{picture_bytes: 26214400, picture_pixels: 40000000, avif_pixels: 16000000, decode_seconds: 10, decode_bytes: 1000000000, post_body_bytes: 33554432}`.',
    }),
  })
  .partial();

type SiteFields = z.output<typeof siteSchema>;

/** The settings of a site, complete. */
export type Site = { [K in Exclude<keyof SiteFields, 'repository_url'>]-?: SiteFields[K] & {} } & Pick<
  SiteFields,
  'repository_url'
>;

/**
 * The site's settings with their defaults.
 * @param document - nothing if there is no site.yaml, or it could not be read
 * @param missing - where site.yaml should be, if there is none
 * @param baseUrl - overrides `base_url`; already checked with {@link isPublicUrl}
 */
export function validateSite(
  document: SourceDocument | undefined,
  missing: Location | undefined,
  baseUrl: string | undefined,
  report: Report,
): Site {
  const nothing: Validated<typeof siteSchema.shape> = { values: {}, claimed: new Set() };
  const { values, claimed } = document === undefined ? nothing : validateFields(siteSchema.shape, document, report);
  const place = document?.keyAt([]) ?? missing;
  if (values.base_url === undefined && baseUrl === undefined && !claimed.has('base_url') && place !== undefined) {
    report('field/missing', place, {
      fields: ['base_url'],
      action: 'Write in site.yaml where the service is published, like `base_url: https://community.example.org`.',
    });
  }
  const base = baseUrl?.replace(/\/+$/, '') ?? values.base_url ?? 'https://base-url.invalid';
  return { ...SITE_DEFAULTS, media_url: `${base}/media`, ...values, base_url: base };
}

/** What holds for a setting that site.yaml does not have. */
export const SITE_DEFAULTS = {
  cache: { list_max_age: 60 },
  cors: { allowed_origins: [] },
  identity: [{ names: 'user', credential: { from: 'cookie', name: 'uid' } }],
  mapping: { keyed: false, shards: 4096 },
  edge: ['nginx'],
  origin: { listen: '80', document_root: '/srv/themecast/dist' },
  allowed_hosts: [],
  logo_types: ['NORMAL', 'INVERSE'],
  logo_alignments: ['left', 'center', 'right'],
  limits: limits.parse({}),
} satisfies Partial<Site>;
