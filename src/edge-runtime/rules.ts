/** One endpoint as a host must answer it. */
export interface EdgeEndpoint {
  kind: 'list' | 'config';
  /** Path of the request, with the path of `base_url`. */
  path: string;
  /** Folder of its files below the published root. */
  folder: string;
  methods: readonly string[];
  allow: string;
  vary: string;
  cacheControl: string;
}

/** What the handler must know to answer as the contract says. */
export interface RuntimeRules {
  endpoints: { list: EdgeEndpoint; config: EdgeEndpoint };
  /** Slugs, in the order of the theme ids; and those ids, which shards hold instead. */
  themes: readonly string[];
  themeIds: readonly number[];
  /** First match wins; without a match the default theme is served. */
  identity: readonly IdentityRule[];
  /** Headers of every response, and those that a rendering adds. */
  headers: { all: Headers; endpoint: Headers; html: Headers; svg: Headers; media: Headers; error: Headers };
  corsOrigins: readonly string[];
  /** Request headers beyond the safelisted ones that identity reads, for preflights; empty if there are none. */
  corsHeaders: readonly string[];
  /** Media type of each rendering as it is sent. */
  contentTypes: { json: string; html: string };
  /** Bodies of the error responses, which no file holds. */
  refusals: { post: string; notFound: string; notAcceptable: string };
}

type Headers = Readonly<Record<string, string>>;

/** How a request says who asks. */
export type Credential =
  | { from: 'cookie'; name: string }
  /** A header is believed only if a trusted proxy sent it: known by its address, or by a secret that it adds. */
  | { from: 'header'; name: string; proxies: readonly string[] }
  | { from: 'header'; name: string; secret: { header: string; env: string } }
  /** A claim of a JSON Web Token (RFC 7519) in a cookie, or without one in `Authorization: Bearer`. */
  | { from: 'jwt'; cookie: string | undefined; claim: string; key: TokenKey }
  /** A header with which a login service answers the host, which asks it with the credentials of the request. */
  | { from: 'auth_request'; url: string; header: string };

/** What a token is verified with; the algorithm is pinned (RFC 8725, §3.1). `env` names the variable with the secret. */
export type TokenKey = { algorithm: 'HS256'; env: string } | { algorithm: 'RS256' | 'ES256'; jwksUrl: string };

/** One way to learn who asks. `user` and `group` are looked up in the mapping; `theme` is a slug itself. */
export interface IdentityRule {
  names: 'user' | 'group' | 'theme';
  credential: Credential;
}

/** The value of `pointer`, the one stored name that never changes. */
export interface Pointer {
  version: 1;
  /** Id of the build: the same for the same keys, themes and secret. */
  build: string;
  /** Which secret the digests were made with; tells nothing about it. */
  key_id: string;
  shards: number;
  theme_bytes: number;
}
