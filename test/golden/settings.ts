/** A site that is built for a golden file: the base fixture with these settings. */
export interface Setting {
  /** Settings of site.yaml besides `base_url` and `edge`. */
  site?: Readonly<Record<string, unknown>>;
  /** Valid fixtures that are copied over the base, in order. */
  fixtures?: readonly string[];
  /** Further files, by path relative to the themes folder. */
  files?: Readonly<Record<string, string>>;
  /** Overrides `base_url`, as `--base-url` does. */
  baseUrl?: string;
}

export const KEY_SECRET = 'key-secret-0123456789-abcdefghijklmnop';

/** Users and groups in several files; some keys have characters that configurations must quote. */
const USERS = {
  'users.csv': 'user,theme\nann,meadow\n"o=hara+kim",meadow\nuser@example.org,meadow\nbob,harbor\n4711,meadow\n',
  'users/groups.csv': 'group,theme\nstaff,meadow\n',
  'users/more.csv': 'user,theme\na.b-c_d,meadow\n',
  'users/others.csv': 'user,theme\nx~y/z:1,meadow\n007,meadow\ncid,meadow\n|y,meadow\n=dan,meadow\n',
  'users/teams.csv': 'group,theme\ntom,meadow\n',
};
/** Keys that every host supports. */
const PLAIN_USERS = { 'users.csv': 'user,theme\nann,meadow\nu-1001,meadow\nbob,harbor\n' };
const GROUPS = { 'users/groups.csv': 'group,theme\nstaff,meadow\nteam-7,meadow\n' };

const USER_COOKIE = { user: { cookie: 'uid' } };
const PROXY_SECRET = { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' };
const HS256 = { claim: 'sub', algorithm: 'HS256', secret_env: 'TOKEN_SECRET' };
const JWKS = 'https://login.example.org/jwks.json';

/** One identity rule, for users that every host supports. */
const identifiedBy = (...identity: readonly object[]): Setting => ({ site: { identity }, files: PLAIN_USERS });

export const SETTINGS: Readonly<Record<string, Setting>> = {
  defaults: {},
  users: { site: { identity: [USER_COOKIE, { group: { cookie: 'team' } }] }, files: USERS },
  'users-plain': { files: PLAIN_USERS },
  'users-case': { files: { 'users.csv': 'user,theme\nann,meadow\nAnn,harbor\nANN,meadow\n' } },
  'users-default-theme': {
    site: { identity: [USER_COOKIE, { group: { cookie: 'team' } }] },
    files: { 'users.csv': 'user,theme\nbob,harbor\n', ...GROUPS },
  },
  'identity-theme-cookie': identifiedBy({ theme: { cookie: 'theme' } }, USER_COOKIE),
  'identity-theme-alone': { site: { identity: [{ theme: { cookie: 'theme' } }] } },
  'identity-group-cookie': { site: { identity: [{ group: { cookie: 'team' } }] }, files: GROUPS },
  'identity-host': {
    site: {
      identity: [
        { theme: { host: { 'sea.example.org': 'meadow', 'xn--frst-6qa.example.org': 'harbor' } } },
        { group: { host: true } },
      ],
    },
    files: { 'users/groups.csv': 'group,theme\nforest.example.org,meadow\n' },
  },
  'identity-header-proxies': identifiedBy({
    user: { header: 'X-User', trusted_proxies: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'] },
  }),
  'identity-header-secret': identifiedBy({ user: { header: 'X-User', shared_secret: PROXY_SECRET } }),
  'identity-jwt-hs256': identifiedBy({ user: { jwt: HS256 } }),
  'identity-jwt-hs256-cookie': identifiedBy({ user: { jwt: { cookie: 'session', ...HS256 } } }),
  'identity-jwt-rs256': identifiedBy({ user: { jwt: { claim: 'sub', algorithm: 'RS256', jwks_url: JWKS } } }),
  'identity-jwt-es256': identifiedBy({
    user: { jwt: { cookie: 'session', claim: 'https://example.org/uid', algorithm: 'ES256', jwks_url: JWKS } },
  }),
  'identity-auth-request': {
    site: {
      identity: [
        { user: { auth_request: { url: 'http://127.0.0.1:9000/whoami', header: 'X-User' } } },
        { group: { auth_request: { url: 'http://127.0.0.1:9000/whoami', header: 'X-Group' } } },
      ],
    },
    files: { ...PLAIN_USERS, ...GROUPS },
  },
  'identity-chain': {
    site: {
      identity: [
        { theme: { cookie: 'theme' } },
        { user: { jwt: HS256 } },
        USER_COOKIE,
        { group: { header: 'X-Group', shared_secret: PROXY_SECRET } },
      ],
    },
    files: { ...PLAIN_USERS, ...GROUPS },
  },
  keyed: { site: { mapping: { keyed: true } }, files: PLAIN_USERS },
  'keyed-jwt-groups': {
    site: {
      mapping: { keyed: true },
      identity: [{ user: { jwt: HS256 } }, { group: { header: 'X-Group', shared_secret: PROXY_SECRET } }],
    },
    files: { ...PLAIN_USERS, ...GROUPS },
  },
  cors: { site: { cors: { allowed_origins: ['https://app.example.org', 'http://localhost:5173'] } } },
  'cors-users': {
    site: {
      cors: { allowed_origins: ['https://app.example.org'] },
      identity: [{ theme: { cookie: 't' } }, USER_COOKIE],
    },
    files: PLAIN_USERS,
  },
  'media-url': { site: { media_url: 'https://cdn.example.org/themes' } },
  'base-url-path': { site: { base_url: 'https://www.example.org/community/v1' } },
  'base-url-path-users': {
    site: {
      base_url: 'https://www.example.org/community',
      media_url: 'https://cdn.example.org/m',
      cors: { allowed_origins: ['https://app.example.org'] },
    },
    files: PLAIN_USERS,
  },
  'base-url-overridden': { baseUrl: 'http://127.0.0.1:8080' },
  extends: { fixtures: ['extends'] },
  'value-lists': {
    fixtures: ['own-lists'],
    site: { logo_types: ['NORMAL', 'INVERSE', 'MONO'], logo_alignments: ['left', 'right', 'start'] },
  },
  'picture-urls': { fixtures: ['picture-urls'], site: { allowed_hosts: ['images.example.org'] } },
  colours: { fixtures: ['colours'] },
  'yaml-forms': { fixtures: ['yaml-forms'] },
  'favicon-ico': { fixtures: ['favicon-ico'] },
  'svg-banner': { fixtures: ['one-file-many-fields'] },
  'cache-off': { site: { cache: { list_max_age: 0 } } },
  origin: {
    site: { origin: { listen: '127.0.0.1:8081', document_root: '/var/www/themes' } },
    files: PLAIN_USERS,
  },
  'repository-url': { site: { repository_url: 'https://git.example.org/brand/themes' } },
  limits: { site: { limits: { picture_bytes: 65_536 } } },
};
