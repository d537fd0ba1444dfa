/** A rendering of an endpoint. */
export interface Rendering {
  /** Also the extension of its files. */
  name: 'json' | 'html' | 'css' | 'png' | 'webmanifest';
  /** The value of the query parameter `format` that selects it. */
  format: string;
  mediaType: string;
  /** Set if only `format` selects it, never `Accept`: otherwise a request for `image/*` would get an icon. */
  isExplicit?: true;
  /** Its file for the default theme, in the folder of the endpoint. */
  file: string;
}

/** An endpoint as a host must serve it. */
export interface EdgeEndpoint {
  kind: 'list' | 'config' | 'theme';
  /** Path of the request, with the path of `base_url`; in that of a theme, `*` is a placeholder for its id. */
  path: string;
  /** The folder of its files below the published root, with the same placeholder. */
  folder: string;
  /** The document of OPTIONS below the published root. */
  options: string;
  methods: readonly string[];
  /** The renderings; the first wins a tie in content negotiation. That of a theme ignores `Accept`. */
  renderings: readonly Rendering[];
  allow: string;
  vary: string;
  cacheControl: string;
}

/** Everything that the handler needs to implement the contract. */
export interface RuntimeRules {
  /** The path of `base_url`, without trailing slash. */
  basePath: string;
  endpoints: { list: EdgeEndpoint; config: EdgeEndpoint; theme: EdgeEndpoint };
  schemas: readonly PublishedFile[];
  /** Files that caches revalidate each time: the deployment record, and assets.json. */
  records: readonly PublishedFile[];
  /** Slugs in the order of the theme ids, and the ids; shards contain ids instead of slugs. */
  themes: readonly string[];
  themeIds: readonly number[];
  /** The first match wins; without a match the default theme is served. */
  identity: readonly IdentityRule[];
  /** Headers by response: `all` are on every response, the others add to them. */
  headers: {
    all: Headers;
    endpoint: Headers;
    html: Headers;
    css: Headers;
    png: Headers;
    webmanifest: Headers;
    svg: Headers;
    media: Headers;
    schema: Headers;
    record: Headers;
    error: Headers;
  };
  corsOrigins: readonly string[];
  /** Request headers that identity rules read and that are not CORS-safelisted, for preflight responses. */
  corsHeaders: readonly string[];
  /** Targets of old paths of images: paths, or URLs if another host publishes the images. Absent if there are none. */
  redirects?: Readonly<Record<string, string>>;
  /** `Content-Type` of each rendering. */
  contentTypes: Readonly<Record<Rendering['name'], string>>;
  /** Bodies of error responses, which are not files. */
  refusals: { post: string; notFound: string; notAcceptable: string };
}

/** A published file: the path of the request, and its path below the published root. */
interface PublishedFile {
  path: string;
  file: string;
}

type Headers = Readonly<Record<string, string>>;

/** The place of the user's identity in a request. */
export type Credential =
  | { from: 'cookie'; name: string }
  /** A header is trusted only if it comes from a trusted proxy, identified by its address or by a secret that it adds. */
  | { from: 'header'; name: string; proxies: readonly string[] }
  | { from: 'header'; name: string; secret: { header: string; env: string } }
  /** A claim of a JSON Web Token (RFC 7519) in a cookie, or without a cookie name in `Authorization: Bearer`. */
  | { from: 'jwt'; cookie: string | undefined; claim: string; key: TokenKey }
  /** The hostname of the request: the key of a group, or with a map the slug of a theme. */
  | { from: 'host'; themes?: Readonly<Record<string, string>> }
  /** A header in the response of a login service, to which the host forwards the credentials of the request. */
  | { from: 'auth_request'; url: string; header: string };

/** The key that verifies a token. The algorithm is pinned (RFC 8725, §3.1); `env` is the environment variable with the secret. */
export type TokenKey = { algorithm: 'HS256'; env: string } | { algorithm: 'RS256' | 'ES256'; jwksUrl: string };

/** A way to identify the user. Keys of users and groups are looked up in the mapping; a `theme` key is a slug itself. */
export interface IdentityRule {
  names: 'user' | 'group' | 'theme';
  credential: Credential;
}

/** The value `pointer`, the only stored value that is ever overwritten. */
export interface Pointer {
  version: 1;
  /** Id of the build: the same keys, themes and secret have the same id. */
  build: string;
  /** Identifies the secret of the digests, without revealing it. */
  key_id: string;
  shards: number;
  theme_bytes: number;
}

/** The part of a `Request` that the handler reads. */
export interface EdgeRequest {
  method: string;
  url: string;
  headers: { get(name: string): string | null };
}
