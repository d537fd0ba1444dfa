/** One rendering of an endpoint. */
export interface Rendering {
  /** The extension of its files. */
  name: 'json' | 'html' | 'css' | 'png' | 'webmanifest';
  /** The value of the query parameter `format` that asks for it. */
  format: string;
  mediaType: string;
  /** Whether `format` alone asks for it, whatever `Accept` says: else `image/*` would begin to get an icon. */
  isExplicit?: true;
  /** Its file where no theme is named, in the folder of the endpoint. */
  file: string;
}

/** One endpoint as a host must serve it. */
export interface EdgeEndpoint {
  kind: 'list' | 'config';
  /** Path of the request, with the path of `base_url`. */
  path: string;
  /** Folder of its files below the published root. */
  folder: string;
  methods: readonly string[];
  /** In the order in which ties of content negotiation go. */
  renderings: readonly Rendering[];
  allow: string;
  vary: string;
  cacheControl: string;
}

/** Everything that the handler needs to implement the contract. */
export interface RuntimeRules {
  /** The path of `base_url`, without trailing slash. */
  basePath: string;
  endpoints: { list: EdgeEndpoint; config: EdgeEndpoint };
  /** The published schemas. */
  schemas: readonly PublishedFile[];
  /** Files that are revalidated each time: the record of the deployment, and assets.json. */
  records: readonly PublishedFile[];
  /** Slugs in the order of the theme ids, and those ids, which shards contain instead of slugs. */
  themes: readonly string[];
  themeIds: readonly number[];
  /** The first match wins; without a match the default theme is served. */
  identity: readonly IdentityRule[];
  /** Headers of every response, and those that a rendering adds. */
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
  /** Request headers that identity reads and that are not CORS-safelisted, for preflight responses. */
  corsHeaders: readonly string[];
  /** What old paths of images lead to: paths, or URLs if images are published on another host. Absent if there are none. */
  redirects?: Readonly<Record<string, string>>;
  /** Media type of each rendering as it is sent. */
  contentTypes: Readonly<Record<Rendering['name'], string>>;
  /** Bodies of the error responses, which no file contains. */
  refusals: { post: string; notFound: string; notAcceptable: string };
}

/** A file under a name of its own: the path of the request, and that below the published root. */
interface PublishedFile {
  path: string;
  file: string;
}

type Headers = Readonly<Record<string, string>>;

/** Where a request carries the identity of the user. */
export type Credential =
  | { from: 'cookie'; name: string }
  /** A header is trusted only if it comes from a trusted proxy, identified by its address or by a secret that it adds. */
  | { from: 'header'; name: string; proxies: readonly string[] }
  | { from: 'header'; name: string; secret: { header: string; env: string } }
  /** A claim of a JSON Web Token (RFC 7519) in a cookie, or without a cookie name in `Authorization: Bearer`. */
  | { from: 'jwt'; cookie: string | undefined; claim: string; key: TokenKey }
  /** The hostname of the request: a key of a group, or with a map the slug of a theme. */
  | { from: 'host'; themes?: Readonly<Record<string, string>> }
  /** A header in the response of a login service, to which the host forwards the credentials of the request. */
  | { from: 'auth_request'; url: string; header: string };

/** The key that verifies a token; the algorithm is pinned (RFC 8725, §3.1). `env` names the variable with the secret. */
export type TokenKey = { algorithm: 'HS256'; env: string } | { algorithm: 'RS256' | 'ES256'; jwksUrl: string };

/** One way to identify the user. `user` and `group` keys are looked up in the mapping; a `theme` key is a slug itself. */
export interface IdentityRule {
  names: 'user' | 'group' | 'theme';
  credential: Credential;
}

/** The value stored as `pointer`, the only name that is overwritten. */
export interface Pointer {
  version: 1;
  /** Id of the build, equal for equal keys, themes and secret. */
  build: string;
  /** Identifies the secret of the digests, without revealing anything about it. */
  key_id: string;
  shards: number;
  theme_bytes: number;
}

/** The part of a `Request` that the handler reads; the `Request` of every platform satisfies it. */
export interface EdgeRequest {
  method: string;
  url: string;
  headers: { get(name: string): string | null };
}
