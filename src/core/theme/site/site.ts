import { z } from 'zod';
import { MAX_IMAGE_BYTES } from '../limits.ts';
import type { Location, Report } from '../../diagnostics/diagnostic.ts';
import { distinct, expects, pattern, type ValidFields, validateFields } from '../../source/validate.ts';
import type { SourceDocument } from '../../source/yaml.ts';
import { VALUE_LISTS, type ValueList } from '../fields/field-rows.ts';
import { FIELDS, fieldsWhere } from '../fields/fields.ts';
import { identitySchema } from './identity.ts';
import { isPublicUrl, PUBLIC_URL } from './public-url.ts';

/** The hosts that a build can write rules for. */
export const EDGE_HOSTS = [
  'nginx',
  'apache',
  'caddy',
  'cloudflare',
  'netlify',
  'vercel',
  'cloudfront',
  'fetch',
  'static',
] as const;
/** A host that a build can write rules for. */
export type EdgeHost = (typeof EDGE_HOSTS)[number];

/** The path of the endpoints, which follows `base_url`. */
const ENDPOINT = /\/api\/v2\/theme(?:\/config)?\/?$/;

const publicUrl = z
  .string()
  .superRefine((text, context) => {
    const params = isPublicUrl(text)
      ? ENDPOINT.test(text) && expects('the URL before `/api/v2/theme/`', text.replace(ENDPOINT, '')).params
      : expects(PUBLIC_URL, 'https://community.example.org').params;
    if (params !== false) context.addIssue({ code: 'custom', params });
  })
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

const hostName = pattern(
  /^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/,
  'a host name in lower case',
  'images.example.org',
);
const listValue = pattern(/^[A-Za-z0-9_-]{1,64}$/, 'a word made of A–Z, a–z, 0–9, `-` and `_`', 'INVERSE');
const origin = z
  .string()
  .refine(
    (text) => isPublicUrl(text) && new URL(text).origin === text,
    expects('an https origin without a path (http only for localhost)', 'https://app.example.org'),
  );

const MAX_LIST_AGE_SECONDS = 86_400;

/** A group of settings, all with defaults. */
const group = <S extends z.ZodRawShape>(description: string, shape: S) =>
  z
    .strictObject(shape)
    .prefault({} as z.input<z.ZodObject<S>>)
    .meta({ description });

/** A number within the limits of the tools and hosts. */
const limit = (min: number, max: number, initial: number, description: string) =>
  z.int().min(min).max(max).default(initial).meta({ description });

/** A list of accepted values for some fields. */
const valueList = (name: ValueList) =>
  distinct(z.array(listValue).min(1))
    .transform((values): string[] => [...new Set([...VALUE_LISTS[name], ...values])])
    .prefault([...VALUE_LISTS[name]])
    .meta({
      description: `Values that ${fieldsWhere({ values: name }).join(', ')} may have besides ${VALUE_LISTS[name].join(', ')}.`,
    });

/** The start of a path, or a URL if the pages of the app are at another origin. */
const appUrl = z
  .string()
  .refine(
    (text) => isPublicUrl(text) || /^\/(?![/\\])[\w\-.~%/?=&]*$/.test(text),
    expects('a path that begins with `/`, or an https URL', '/community/'),
  );

const webAppSchema = z.strictObject({
  short_name: z.string().min(1).max(30).optional().meta({
    description: 'The name below the icon on a home screen. If absent: the name of the theme.',
  }),
  start_url: appUrl
    .default('/')
    .meta({ description: 'The page that the app opens: a URL where pages and base_url have different origins.' }),
  scope: appUrl.optional().meta({ description: 'The pages of the app. If absent: all below start_url.' }),
  display: z
    .enum(['standalone', 'minimal-ui', 'fullscreen', 'browser'])
    .default('standalone')
    .meta({ description: 'How the app is shown.' }),
});

/** Matches words that begin the names of other custom properties. */
const RESERVED = /^(?:on|palette|logo|compact|site|light|dark|id|name|group|event|user)(?:-|$)/;
const isRoleName = (text: string): boolean =>
  /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(text) && text.length <= 30 && !RESERVED.test(text);
const ROLE_NAME = expects(
  'named in lower-case words joined by `-`, and not like another property of the stylesheet',
  'primary: 1',
);

const roles = z
  .record(z.string(), z.int().min(1).max(FIELDS.palette_preview.count))
  .superRefine((all, context) => {
    for (const name of Object.keys(all))
      if (!isRoleName(name)) context.addIssue({ code: 'custom', path: [name], params: ROLE_NAME.params });
  })
  .default({});

/** The schema of `site.yaml`: every setting with its default and its description. */
export const siteSchema = z.strictObject({
  base_url: publicUrl.optional().meta({
    description:
      'Where the service is published: the URL before /api/v2/theme/. Required, unless --base-url or THEMECAST_BASE_URL gives it; they override it.',
  }),
  media_url: publicUrl.optional().meta({
    description: 'Where the folder dist/media/ is published. If absent: /media below base_url.',
  }),
  repository_url: publicUrl.optional().meta({
    description: 'Where the themes are edited: named in the response to POST and on the browsable pages.',
  }),
  cache: group('Caching of the documents.', {
    list_max_age: limit(0, MAX_LIST_AGE_SECONDS, 60, 'Seconds for which the list may be cached.'),
  }),
  cors: group('Access from the pages of other origins.', {
    allowed_origins: distinct(z.array(origin).max(50))
      .default([])
      .meta({ description: 'The origins whose pages may read the documents with fetch().' }),
  }),
  schema: z.boolean().default(true).meta({
    description:
      'Whether schema/openapi.json and schema/theme.schema.json, which describe the responses, are published.',
  }),
  stylesheet: z.boolean().default(true).meta({
    description: 'Whether the config endpoint has the theme as a stylesheet, too.',
  }),
  derived: z.boolean().default(true).meta({
    description:
      'Whether icons and bitmaps of logos are made: for `?format=icon`, assets.json, the ratios in the stylesheet, and `web_app`.',
  }),
  web_app: webAppSchema.optional().meta({
    description: 'The web app manifest of every theme, `?format=webmanifest`. If absent, there is none.',
  }),
  roles: roles.meta({
    description:
      'Names for colours of the palettes, by number: `primary: 1` gives `--theme-primary` and `--theme-on-primary`.',
  }),
  identity: identitySchema.prefault([{ user: { cookie: 'uid' } }]).meta({
    description: 'How a request identifies its user: an ordered list, of which the first match wins.',
  }),
  mapping: group('How hosts look users up.', {
    keyed: z.boolean().default(false).meta({
      description:
        'Whether hosts that run code (CloudFront apart) look users up by keyed digest (needed for large mappings). The key is THEMECAST_KEY_SECRET.',
    }),
  }),
  edge: distinct(z.array(z.enum(EDGE_HOSTS)))
    .default(['nginx'])
    .meta({ description: 'The hosts to write rewrite rules for.' }),
  origin: group('For hosts that serve dist/ from disk.', {
    listen: pattern(/^(?:(?:[0-9.]+|\[[0-9A-Fa-f:]+\]):)?\d{1,5}$/, 'a port, or address:port', '127.0.0.1:8080')
      .default('80')
      .meta({ description: 'The port to listen on, with IPv4 and IPv6, or address:port.' }),
    document_root: pattern(
      /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)+\/?$/,
      'an absolute path below `/`, made of A–Z, a–z, 0–9, `.`, `_`, `-` and `/`, without `.`, `..` and empty steps',
      '/srv/themecast/dist',
    )
      .default('/srv/themecast/dist')
      .meta({ description: 'Absolute path of dist/ on the server.' }),
  }),
  allowed_hosts: distinct(z.array(hostName).max(50))
    .default([])
    .meta({ description: 'The hosts that https image URLs may name.' }),
  logo_types: valueList('logo_types'),
  logo_alignments: valueList('logo_alignments'),
  limits: group('Limits on what is read.', {
    picture_bytes: limit(1024, MAX_IMAGE_BYTES, 26_214_400, 'Maximum size of an image file, in bytes.'),
  }),
});

type SiteFields = z.output<typeof siteSchema>;

/** All settings of a site. */
export type Site = Omit<SiteFields, 'base_url' | 'media_url'> & { base_url: string; media_url: string };

/** The settings of an empty site.yaml. */
export const SITE_DEFAULTS: Omit<SiteFields, 'base_url' | 'media_url'> = siteSchema.parse({});

/**
 * Returns the settings of a site, with defaults.
 * @param document - undefined if there is no site.yaml, or it could not be read
 * @param missing - the expected location of site.yaml, if there is none
 * @param baseUrl - overrides `base_url`; already checked with {@link isPublicUrl}
 */
export function validateSite(
  document: SourceDocument | undefined,
  missing: Location | undefined,
  baseUrl: string | undefined,
  report: Report,
): Site {
  const nothing: ValidFields<typeof siteSchema.shape> = { values: {}, invalid: new Set() };
  const { values, invalid } = document === undefined ? nothing : validateFields(siteSchema.shape, document, report);
  if (values.base_url === undefined && baseUrl === undefined && !invalid.has('base_url')) {
    if (missing !== undefined) report('theme/site-missing', missing, {});
    else if (document !== undefined)
      report('field/missing', document.keyAt([]), {
        fields: ['base_url'],
        action:
          'Add the URL where the service is published to site.yaml, like `base_url: https://community.example.org`.',
      });
  }
  const base = baseUrl?.replace(/\/+$/, '') ?? values.base_url ?? 'https://base-url.invalid';
  return { ...SITE_DEFAULTS, media_url: `${base}/media`, ...values, base_url: base };
}
