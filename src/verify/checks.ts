/** Every check by its permanent id, with the statement that is true when it passes. */
export const CHECKS = {
  'list/status': 'LIST responds with 200, at every declared hostname.',
  'list/document': 'LIST is a JSON array of complete theme records.',
  'list/build': 'LIST is the list of this build.',
  'list/base-url': 'This build was made for the URL that is verified.',
  'list/conditional': 'LIST responds with 304 to its own ETag.',
  'list/validator': 'LIST never responds with 304 to the ETag of another build or rendering.',
  'config/status': 'CONFIG responds with 200.',
  'config/anonymous': 'CONFIG serves the default theme to anonymous clients.',
  'config/as-user': 'CONFIG serves each user their theme.',
  'config/host-case': 'CONFIG ignores the case of a hostname.',
  'config/asked': 'CONFIG was requested with every identity rule.',
  'config/forged': 'CONFIG accepts no forged identity.',
  'config/proxies': 'The identity header of trusted proxies is accepted only from them.',
  'config/shared-cache': 'No shared cache serves a response of CONFIG to another client.',
  'config/validator': 'CONFIG never responds with 304 to the validator of another theme or build.',
  'method/head': 'HEAD responds like GET, without the body.',
  'method/options': 'OPTIONS responds with 200 and the metadata of the endpoint.',
  'method/post': 'POST on LIST gets 403.',
  'method/not-allowed': 'Unsupported methods get 405.',
  'rendering/format': '`?format=json` returns the document, `?format=api` the browsable page, and anything else 404.',
  'rendering/accept': 'A browser gets the browsable page, and a client that accepts neither, 406.',
  'page/document': 'The browsable page is unmodified.',
  'page/theme': 'The pages show the documents of this build; the page of CONFIG shows the theme of the user.',
  'style/document': 'CONFIG serves each user the stylesheet, icon and manifest of their theme.',
  'path/slash': 'A path without its trailing slash is redirected permanently, with its query.',
  'path/slash-relative': 'That redirect is relative.',
  'path/not-found': 'Any other path below LIST gets 404.',
  'path/private': 'No private file is public.',
  'compression/document': 'Every compressed document equals the uncompressed one.',
  'compression/cache': 'Compressed documents list Accept-Encoding in Vary.',
  'compression/etag': 'Compressed documents have an ETag of their own, or a weak one.',
  'media/status': 'Every image responds with 200.',
  'media/bytes': 'Every image has the bytes of this build.',
  'schema/document': 'The OpenAPI description, the JSON Schema and assets.json have the bytes of this build.',
  'deployment/record': 'deployment.json, if there is one, is the record of this build.',
  'deployment/manifest': 'manifest.json has the digest in deployment.json.',
  'deployment/retained': 'Images that deployment.json retains for cached pages are there.',
  'redirect/status': 'Old paths of images redirect to the images of this build.',
  'redirect/served': 'Old paths of images no longer lead to another service.',
  'headers/type': 'Every document and image has its media type, JSON without charset.',
  'headers/vary': 'Every response lists in Vary the request headers that it depends on, those of identity included.',
  'headers/allow': 'Every response of an endpoint lists its methods in Allow.',
  'headers/cache': 'Every response has the Cache-Control of the rules: CONFIG private, images immutable, errors never.',
  'headers/security': 'Every response has its security headers.',
  'headers/referrer': 'No other site learns the URL of a page from a link on it.',
  'headers/cookie': 'Responses that shared caches may store set no cookie.',
  'cors/origin': 'Pages of the allowed origins can read the documents, CONFIG with cookies.',
  'cors/preflight': 'Their preflight requests succeed.',
  'cors/foreign': 'Pages of other origins cannot read the documents.',
  'service/address': 'Every address of the host serves this build.',
  'service/limit': 'The service responds to every request, however many there are.',
} as const;

export type CheckId = keyof typeof CHECKS;

/** Checks whose faults are reported but tolerated, because a sound deployment may have them. */
export const TOLERATED_CHECKS: ReadonlySet<CheckId> = new Set<CheckId>([
  // People verify an origin behind its CDN, or a staging host with the build for the live host.
  'list/base-url',
  // Some hosts cannot derive an ETag from the content.
  'list/conditional',
  // Some credentials cannot be made here. The report says so, because passing does not vouch for their users.
  'config/asked',
  // Right if this machine is one of the trusted proxies.
  'config/proxies',
  // Only a cache can mix up compressed and uncompressed copies, and not every site has one.
  'compression/cache',
  'compression/etag',
  // A load balancer may set a cookie with every response. A cache in front of it must not store them.
  'headers/cookie',
  // Browsers have this policy by default.
  'headers/referrer',
  // Clients use another address, and this machine may have no route to this one.
  'service/address',
  // Some hosts insert scripts into every page.
  'page/document',
  // Another service may go on serving its images while requesters move.
  'redirect/served',
  // Clients also resolve absolute redirects (RFC 9110, §10.2.2).
  'path/slash-relative',
]);

/** Checks that fail on a host without rewrite rules. */
export const CHECKS_OF_RULES: ReadonlySet<CheckId> = new Set<CheckId>([
  'headers/vary',
  'headers/allow',
  'headers/cache',
  'headers/security',
  'rendering/accept',
  'rendering/format',
  'page/theme',
  'style/document',
  'method/options',
  'method/post',
  'method/not-allowed',
  'path/slash',
  'path/not-found',
  'cors/origin',
  'cors/preflight',
]);

/** The consequence of a fault for clients, and the remedy. */
export const HINTS: Readonly<Partial<Record<CheckId, string>>> = {
  'list/status': 'LIST must be the same for everyone, at every declared hostname.',
  'config/status': 'CONFIG must serve a file of api/v2/theme/config/, chosen by user.',
  'config/host-case': 'DNS ignores case (RFC 4343), and so must the host. Caddy cannot: name it with `--host caddy`.',
  'config/proxies':
    'Ignore this only if this machine is among `trusted_proxies`; otherwise any client can impersonate any user.',
  'config/shared-cache': 'A shared cache in front stores CONFIG: exclude it there.',
  'config/validator':
    'After a login the old theme would stay. Derive the ETag from the content, or send neither ETag nor Last-Modified on CONFIG.',
  'list/conditional': 'Clients download the list again although it is unchanged.',
  'list/validator': 'With 304, clients keep an old document, or a page in place of the JSON.',
  'method/head': 'HEAD must have the headers of GET.',
  'method/options': 'Many hosts and CDNs handle OPTIONS themselves: forward it.',
  'method/post': 'A client would assume that its change succeeded, or not know why it did not.',
  'method/not-allowed': 'A client would assume that its change succeeded, or not know why it did not.',
  'rendering/format': 'The rules of the host choose the rendering by `format` and Accept.',
  'rendering/accept': 'The rules of the host choose the rendering by `format` and Accept.',
  'page/document':
    'A proxy or CDN modifies pages (analytics, e-mail protection), or the upload of dist/ is incomplete.',
  'page/theme': 'The host must choose pages as it does JSON, from all of dist/; purge the caches in front.',
  'style/document':
    'The host must choose stylesheets, icons and manifests as it does JSON, from all of dist/; caches in front must not store them.',
  'path/slash':
    'Without 301, clients that omit the slash get an error, or a redirect that they may not cache. Behind a CDN a host knows neither its public name nor its port, so Location must contain only the path and the query.',
  'path/slash-relative': 'Behind a CDN a host knows neither its public name nor its port.',
  'path/not-found': 'The files of dist/ must be served only through the two endpoints.',
  'path/private':
    'Upload only dist/ and make it the public root; keep edge/ and themes/ outside of it. Assume that anything that was public has been read.',
  'compression/document':
    'A compressed copy of another build is next to the file (`.gz`, `.br`), and browsers get it: delete it, or compress again after each build; nginx serves it because of `gzip_static`.',
  'compression/cache': 'A cache may serve it to a client that cannot decode it; in nginx, set `gzip_vary on`.',
  'compression/etag': 'A cache may combine parts of both (RFC 9110, section 8.8.3.3).',
  'media/status': 'Upload dist/media before all other files. Images are public files.',
  'media/bytes':
    'The upload is incomplete, the host responds to missing files with a page and 200, or a proxy or CDN converts or compresses images: upload dist/media again, or disable that.',
  'schema/document':
    'Upload schema/ and assets.json with the documents, and load the rules of this build. `schema: false` and `derived: false` in site.yaml turn them off.',
  'deployment/record': 'The next deployment would compare with the wrong files. Deploy again with `themecast deploy`.',
  'deployment/manifest': 'The next deployment cannot tell what is live. Deploy again with `themecast deploy`.',
  'deployment/retained': 'Cached documents still refer to it: deploy again.',
  'redirect/status': 'Load the rules of this build. A proxy in front must pass old paths on to the host.',
  'redirect/served': 'Right until that service is switched off; then pass old paths on to the host.',
  'headers/type': 'With nosniff, clients reject a resource with another type.',
  'headers/vary': 'A cache would serve a page to programs, or the theme of one user to another.',
  'headers/allow': 'Clients read the supported methods from Allow.',
  'headers/cache': 'Caches would keep outdated documents, or show the theme of one user to another.',
  'headers/security': 'Without it, browsers may run or frame forbidden content, even in errors.',
  'headers/referrer': 'Browsers send the origin of the page to other sites.',
  'headers/cookie': 'Right if a load balancer sets it, and no cache in front of that stores it with LIST.',
  'cors/origin':
    '`cors: allowed_origins` in site.yaml lists the origin; the rules of the host must allow it. A CDN must forward the Origin header.',
  'cors/preflight': 'Requests with identity headers fail in browsers.',
  'cors/foreign':
    'Only the origins in site.yaml may read the documents: with Access-Control-Allow-Credentials, any website could read CONFIG as its visitors. The host or a CDN adds the header by itself.',
  'service/address':
    'Clients lose time until they try the next address: remove this one from DNS, or let a server respond there.',
  'service/limit': 'Let the machine that verifies through, or verify more slowly, such as `--rate 5`.',
};
