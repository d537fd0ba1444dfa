/** Every check by its permanent id: the assertion, and the label in the line of its group. */
export const CHECKS = {
  'list/status': { about: 'LIST responds with 200, at every declared hostname.', label: '200' },
  'list/document': { about: 'LIST is a JSON array of complete theme records.', label: 'complete records' },
  'list/build': { about: 'LIST is the list of this build.', label: 'this build' },
  'list/base-url': { about: 'This build was made for the URL that is verified.', label: 'base_url' },
  'list/conditional': { about: 'LIST responds with 304 to its own ETag.', label: '304 to its ETag' },
  'list/validator': {
    about: 'LIST never responds with 304 to the ETag of another build or rendering.',
    label: 'no other ETag',
  },
  'config/status': { about: 'CONFIG responds with 200.', label: '200' },
  'config/anonymous': { about: 'CONFIG serves the default theme to anonymous clients.', label: 'anonymous' },
  'config/as-user': { about: 'CONFIG serves each user their theme.', label: 'users' },
  'config/asked': { about: 'CONFIG was requested with every identity rule.', label: 'each identity rule' },
  'config/forged': { about: 'CONFIG accepts no forged identity.', label: 'no forged identity' },
  'config/proxies': {
    about: 'The identity header of trusted proxies is accepted only from them.',
    label: 'trusted proxies only',
  },
  'config/shared-cache': {
    about: 'No shared cache serves a response of CONFIG to another client.',
    label: 'not shared',
  },
  'config/validator': {
    about: 'CONFIG never responds with 304 to the validator of another theme or build.',
    label: 'no 304 across themes',
  },
  'method/head': { about: 'HEAD responds like GET, without the body.', label: 'HEAD' },
  'method/options': { about: 'OPTIONS responds with 200 and the metadata of the endpoint.', label: 'OPTIONS' },
  'method/post': { about: 'POST on LIST gets 403.', label: 'POST 403' },
  'method/not-allowed': { about: 'Unsupported methods get 405.', label: 'others 405' },
  'rendering/format': {
    about: '`?format=json` returns the document, `?format=api` the browsable page, and anything else 404.',
    label: '?format=',
  },
  'rendering/accept': { about: 'A browser gets the browsable page, and who accepts neither, 406.', label: 'Accept' },
  'page/document': { about: 'The browsable page is unmodified.', label: 'page unmodified' },
  'page/theme': {
    about: 'The pages show the documents of this build; that of CONFIG shows the theme of the user.',
    label: 'documents in pages',
  },
  'path/slash': { about: 'A path without its trailing slash is redirected with 301 and its query.', label: '301' },
  'path/slash-relative': { about: 'That redirect is relative.', label: 'relative' },
  'path/not-found': { about: 'Any other path below LIST gets 404.', label: '404' },
  'path/private': { about: 'No private file is public.', label: 'nothing private' },
  'compression/document': {
    about: 'Every compressed document equals the uncompressed one.',
    label: 'same as uncompressed',
  },
  'compression/cache': {
    about: 'Compressed documents list Accept-Encoding in Vary, and have an ETag of their own.',
    label: 'Vary and ETag',
  },
  'media/status': { about: 'Every image responds with 200.', label: '200' },
  'media/bytes': { about: 'Every image has the bytes of this build.', label: 'size and sha256' },
  'schema/document': {
    about: 'The OpenAPI description and the JSON Schema have the bytes of this build.',
    label: 'sha256',
  },
  'deployment/record': { about: 'deployment.json, once there is one, says what is live.', label: 'deployment.json' },
  'deployment/manifest': { about: 'manifest.json is the one that deployment.json names.', label: 'manifest.json' },
  'redirect/status': { about: 'Old paths of images redirect to the images of this build.', label: 'old paths' },
  'redirect/served': { about: 'Old paths of images no longer lead to another service.', label: 'not served' },
  'headers/type': {
    about: 'Every document and image has its media type, JSON without charset.',
    label: 'Content-Type',
  },
  'headers/vary': {
    about: 'Every response lists in Vary the request headers that it depends on, those of identity included.',
    label: 'Vary',
  },
  'headers/allow': { about: 'Every response of an endpoint lists its methods in Allow.', label: 'Allow' },
  'headers/cache': {
    about: 'Every response has the Cache-Control of the rules: CONFIG private, images for ever, errors never.',
    label: 'Cache-Control',
  },
  'headers/security': { about: 'Every response has its security headers.', label: 'security headers' },
  'cors/origin': {
    about: 'Pages of the allowed origins can read the documents, CONFIG with cookies.',
    label: 'allowed origins',
  },
  'cors/preflight': { about: 'Their preflight requests succeed.', label: 'preflight' },
  'cors/foreign': { about: 'Pages of other origins cannot read the documents.', label: 'other origins rejected' },
} as const satisfies Record<string, { about: string; label: string }>;

export type CheckId = keyof typeof CHECKS;

/** The checks that a sound deployment may miss: they are reported, but are no fault. */
export const OPTIONAL: ReadonlySet<CheckId> = new Set<CheckId>([
  // An origin is verified behind its CDN, or a staging host with the build of the live one.
  'list/base-url',
  // A content-based ETag is not to be had on every host.
  'list/conditional',
  // What only others than the verifier can ask with: it is said, for then a pass is not one of theirs.
  'config/asked',
  // Right where the verifier runs on one of them.
  'config/proxies',
  // A cache that heeds neither can mix up what it keeps; without one, nothing happens.
  'compression/cache',
  // Some hosts write into every page that they serve.
  'page/document',
  // Another service may go on serving its images while requesters move.
  'redirect/served',
  // RFC 9110, §10.2.2: a client resolves both alike.
  'path/slash-relative',
]);

/** The lines of the report, and the checks of each by the first part of their ids. */
export const GROUPS: readonly (readonly [title: string, areas: readonly string[]])[] = [
  ['list', ['list']],
  ['config', ['config']],
  ['methods', ['method']],
  ['renderings', ['rendering', 'page']],
  ['compression', ['compression']],
  ['paths', ['path']],
  ['images', ['media']],
  ['schemas', ['schema']],
  ['deployment', ['deployment']],
  ['redirects', ['redirect']],
  ['headers', ['headers']],
  ['CORS', ['cors']],
];

/** The checks that a host that runs no rules cannot pass. */
export const OF_RULES: ReadonlySet<CheckId> = new Set<CheckId>([
  'headers/vary',
  'headers/allow',
  'headers/cache',
  'headers/security',
  'rendering/accept',
  'rendering/format',
  'method/options',
  'method/post',
  'method/not-allowed',
  'path/slash',
  'path/not-found',
  'cors/origin',
  'cors/preflight',
]);
