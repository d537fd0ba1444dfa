/** A check: what a fault means for clients, and the remedy. */
interface Check {
  hint?: string;
  /** Its faults are reported but tolerated, because a sound deployment may have them. */
  isTolerated?: true;
  /** It fails on a host without rewrite rules. */
  needsRules?: true;
}

/** Every check by its permanent id. The last three are those of `--old`. */
const ALL = {
  'list/document': {
    hint: 'LIST must be the same for everyone, at every declared hostname.',
  },
  // People verify an origin behind its CDN, or a staging host with the build for the live host.
  'list/base-url': { isTolerated: true },
  'config/theme': {
    hint: 'CONFIG must serve a file of api/v2/theme/config/, chosen by user; no shared cache may store it.',
  },
  // Some credentials cannot be made here. The report says so, because passing does not vouch for their users.
  'config/asked': { isTolerated: true },
  'config/forged': {},
  // Some hosts cannot derive an ETag from the content.
  'conditional/own': {
    hint: 'Clients download the list again although it is unchanged.',
    isTolerated: true,
  },
  'conditional/foreign': {
    hint: 'With 304, clients keep an old document, after a login the old theme, or a page in place of the JSON. Derive the ETag from the content, or send neither ETag nor Last-Modified on CONFIG.',
  },
  'rendering/document': {
    hint: 'The host must choose renderings by `format` and Accept, from all of dist/; caches in front must not store those of CONFIG, and be purged of older ones.',
    needsRules: true,
  },
  'method/head': { hint: 'HEAD must have the headers of GET.' },
  'method/options': {
    hint: 'Many hosts and CDNs handle OPTIONS themselves: forward it.',
    needsRules: true,
  },
  'method/refused': {
    hint: 'A client would assume that its change succeeded, or not know why it did not.',
    needsRules: true,
  },
  'path/not-found': {
    hint: 'The files of dist/ must be served only through the two endpoints.',
    needsRules: true,
  },
  'path/private': {
    hint: 'Upload only dist/ and make it the public root; keep edge/ and themes/ outside of it. Assume that anything that was public has been read.',
  },
  'redirect/status': {
    hint: 'Load the rules of this build. Behind a CDN a host knows neither its public name nor its port, so Location must contain only the path and the query; a proxy in front must pass old paths on.',
    needsRules: true,
  },
  // Another service may go on serving its images while requesters move.
  'redirect/served': {
    hint: 'Right until that service is switched off; then pass old paths on to the host.',
    isTolerated: true,
  },
  'compression/document': {
    hint: 'A compressed copy of another build is next to the file (`.gz`, `.br`), and browsers get it: delete it, or compress again after each build; nginx serves it because of `gzip_static`.',
  },
  // Only a cache can mix up compressed and uncompressed copies, and not every site has one.
  'compression/cache': {
    hint: 'A cache may serve it to a client that cannot decode it; in nginx, set `gzip_vary on`.',
    isTolerated: true,
  },
  'media/image': {
    hint: 'The upload is incomplete, the host responds to missing files with a page and 200, or a proxy or CDN converts or compresses images: upload dist/media again, before all other files, or disable that. Images are public files.',
  },
  'schema/document': {
    hint: 'Upload schema/ and assets.json with the documents, and load the rules of this build. `schema: false` and `derived: false` in site.yaml turn them off.',
  },
  'deployment/record': {
    hint: 'The next deployment would compare with the wrong files. Deploy again with `themecast deploy`.',
  },
  // The same documents may come from two commits.
  'deployment/commit': { isTolerated: true },
  'headers/type': {
    hint: 'With nosniff, clients reject a resource with another type.',
  },
  'headers/vary': {
    hint: 'A cache would serve a page to programs, or the theme of one user to another.',
    needsRules: true,
  },
  'headers/allow': {
    hint: 'Clients read the supported methods from Allow.',
    needsRules: true,
  },
  'headers/cache': {
    hint: 'Caches would keep outdated documents, or show the theme of one user to another.',
    needsRules: true,
  },
  'headers/security': {
    hint: 'Without it, browsers may run or frame forbidden content, even in errors.',
    needsRules: true,
  },
  'headers/effect': {},
  'cors/allowed': {
    hint: '`cors: allowed_origins` in site.yaml lists the origin; the rules of the host must allow it, also for preflights with identity headers. A CDN must forward the Origin header.',
    needsRules: true,
  },
  'cors/foreign': {
    hint: 'Only the origins in site.yaml may read the documents: with Access-Control-Allow-Credentials, any website could read CONFIG as its visitors. The host or a CDN adds the header by itself.',
  },
  'service/limit': {
    hint: 'Let the machine that verifies through, or verify more slowly, such as `--rate 5`.',
  },
  'themes/same': {},
  'responses/same': {},
  'users/same': {},
} as const satisfies Readonly<Record<string, Check>>;

export type CheckId = keyof typeof ALL;
export const CHECKS: Readonly<Record<CheckId, Check>> = ALL;
export const CHECK_IDS = Object.keys(ALL) as readonly CheckId[];
