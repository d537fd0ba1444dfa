/** A check: the statement that is true when it passes, and what a fault means for clients, with the remedy. */
interface Check {
  about: string;
  hint?: string;
  /** Its faults are reported but tolerated, because a sound deployment may have them. */
  isTolerated?: true;
  /** It fails on a host without rewrite rules. */
  needsRules?: true;
}

/** Every check by its permanent id. The last three are those of `--old`. */
const ALL = {
  'list/document': {
    about: 'LIST is the list of this build, the same for everyone at every declared hostname.',
    hint: 'LIST must be the same for everyone, at every declared hostname.',
  },
  // People verify an origin behind its CDN, or a staging host with the build for the live host.
  'list/base-url': { about: 'This build was made for the URL that is verified.', isTolerated: true },
  'config/theme': {
    about: 'CONFIG serves each requester their theme, and the default theme to anonymous clients.',
    hint: 'CONFIG must serve a file of api/v2/theme/config/, chosen by user; no shared cache may store it.',
  },
  // Some credentials cannot be made here. The report says so, because passing does not vouch for their users.
  'config/asked': { about: 'CONFIG was requested with every identity rule.', isTolerated: true },
  'config/forged': { about: 'CONFIG accepts no forged identity.' },
  // Some hosts cannot derive an ETag from the content.
  'conditional/own': {
    about: 'LIST responds with 304 to its own ETag.',
    hint: 'Clients download the list again although it is unchanged.',
    isTolerated: true,
  },
  'conditional/foreign': {
    about: 'No endpoint responds with 304 to the validator of another rendering, theme or build.',
    hint: 'With 304, clients keep an old document, after a login the old theme, or a page in place of the JSON. Derive the ETag from the content, or send neither ETag nor Last-Modified on CONFIG.',
  },
  'rendering/document': {
    about:
      'Each Accept and `format` gets its rendering, of this build and of the theme of the user; others 404 or 406.',
    hint: 'The host must choose renderings by `format` and Accept, from all of dist/; caches in front must not store those of CONFIG, and be purged of older ones.',
    needsRules: true,
  },
  'method/head': { about: 'HEAD responds like GET, without the body.', hint: 'HEAD must have the headers of GET.' },
  'method/options': {
    about: 'OPTIONS responds with 200 and the metadata of the endpoint.',
    hint: 'Many hosts and CDNs handle OPTIONS themselves: forward it.',
    needsRules: true,
  },
  'method/refused': {
    about: 'POST on LIST gets 403, and unsupported methods get 405.',
    hint: 'A client would assume that its change succeeded, or not know why it did not.',
    needsRules: true,
  },
  'path/not-found': {
    about: 'Any other path below LIST gets 404.',
    hint: 'The files of dist/ must be served only through the two endpoints.',
    needsRules: true,
  },
  'path/private': {
    about: 'No private file is public.',
    hint: 'Upload only dist/ and make it the public root; keep edge/ and themes/ outside of it. Assume that anything that was public has been read.',
  },
  'redirect/status': {
    about: 'A path without its trailing slash and the old path of an image redirect permanently.',
    hint: 'Load the rules of this build. Behind a CDN a host knows neither its public name nor its port, so Location must contain only the path and the query; a proxy in front must pass old paths on.',
    needsRules: true,
  },
  // Another service may go on serving its images while requesters move.
  'redirect/served': {
    about: 'Old paths of images no longer lead to another service.',
    hint: 'Right until that service is switched off; then pass old paths on to the host.',
    isTolerated: true,
  },
  'compression/document': {
    about: 'Every compressed document equals the uncompressed one.',
    hint: 'A compressed copy of another build is next to the file (`.gz`, `.br`), and browsers get it: delete it, or compress again after each build; nginx serves it because of `gzip_static`.',
  },
  // Only a cache can mix up compressed and uncompressed copies, and not every site has one.
  'compression/cache': {
    about: 'Compressed documents list Accept-Encoding in Vary.',
    hint: 'A cache may serve it to a client that cannot decode it; in nginx, set `gzip_vary on`.',
    isTolerated: true,
  },
  'media/image': {
    about: 'Every image has the bytes of this build.',
    hint: 'The upload is incomplete, the host responds to missing files with a page and 200, or a proxy or CDN converts or compresses images: upload dist/media again, before all other files, or disable that. Images are public files.',
  },
  'schema/document': {
    about: 'The OpenAPI description, the JSON Schema and assets.json have the bytes of this build.',
    hint: 'Upload schema/ and assets.json with the documents, and load the rules of this build. `schema: false` and `derived: false` in site.yaml turn them off.',
  },
  'deployment/record': {
    about: 'deployment.json, if there is one, is of this build, as are manifest.json and the images that it retains.',
    hint: 'The next deployment would compare with the wrong files. Deploy again with `themecast deploy`.',
  },
  // The same documents may come from two commits.
  'deployment/commit': { about: 'deployment.json names the commit of this build.', isTolerated: true },
  'headers/type': {
    about: 'Every document and image has its media type, JSON without charset.',
    hint: 'With nosniff, clients reject a resource with another type.',
  },
  'headers/vary': {
    about: 'Every response lists in Vary the request headers that it depends on, those of identity included.',
    hint: 'A cache would serve a page to programs, or the theme of one user to another.',
    needsRules: true,
  },
  'headers/allow': {
    about: 'Every response of an endpoint lists its methods in Allow.',
    hint: 'Clients read the supported methods from Allow.',
    needsRules: true,
  },
  'headers/cache': {
    about: 'Every response has the Cache-Control of the rules: CONFIG private, images immutable, errors never.',
    hint: 'Caches would keep outdated documents, or show the theme of one user to another.',
    needsRules: true,
  },
  'headers/security': {
    about: 'Every response has its security headers.',
    hint: 'Without it, browsers may run or frame forbidden content, even in errors.',
    needsRules: true,
  },
  'headers/effect': { about: 'No header that is added in front breaks clients.' },
  'cors/allowed': {
    about: 'Pages of the allowed origins can read every document, CONFIG with cookies, and their preflights succeed.',
    hint: '`cors: allowed_origins` in site.yaml lists the origin; the rules of the host must allow it, also for preflights with identity headers. A CDN must forward the Origin header.',
    needsRules: true,
  },
  'cors/foreign': {
    about: 'Pages of other origins cannot read the documents.',
    hint: 'Only the origins in site.yaml may read the documents: with Access-Control-Allow-Credentials, any website could read CONFIG as its visitors. The host or a CDN adds the header by itself.',
  },
  'service/limit': {
    about: 'The service responds to every request, however many there are.',
    hint: 'Let the machine that verifies through, or verify more slowly, such as `--rate 5`.',
  },
  'themes/same': { about: 'Both services list the same themes, with the same values and images.' },
  'responses/same': { about: 'Both services respond alike, apart from what clients cannot notice.' },
  'users/same': { about: 'Both services give each user of the sample the same theme.' },
} as const satisfies Readonly<Record<string, Check>>;

export type CheckId = keyof typeof ALL;
export const CHECKS: Readonly<Record<CheckId, Check>> = ALL;
export const CHECK_IDS = Object.keys(ALL) as readonly CheckId[];
