import { z } from 'zod';
import type { Credential, IdentityRule, TokenKey } from '../../edge-runtime/rules.ts';
import { HOSTNAME } from './hostnames.ts';
import { distinct, expects, pattern } from '../../source/validate.ts';

const addresses = z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()]);
const address = z
  .string()
  .refine(
    (text) => addresses.safeParse(text).success,
    expects('an IP address, or a range such as 10.0.0.0/8', '10.0.0.0/8'),
  );
// RFC 6265 allows any token; these names are safe in the configuration of all hosts.
const cookieName = pattern(
  /^[A-Za-z0-9_.-]{1,64}$/,
  'a cookie name of at most 64 characters: A–Z, a–z, 0–9, `.`, `-` and `_`',
  'uid',
);
const headerName = pattern(
  /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
  'a header name that starts with a letter and has at most 64 characters: A–Z, a–z, 0–9 and `-`',
  'X-User',
);
const variableName = pattern(
  /^[A-Z][A-Z0-9_]{0,63}$/,
  'the name of an environment variable, made of A–Z, 0–9 and `_`',
  'TOKEN_SECRET',
);
const claimName = pattern(
  /^[A-Za-z0-9_.:/-]{1,128}$/,
  'the name of a claim, made of A–Z, a–z, 0–9, `_`, `.`, `:`, `/` and `-`',
  'sub',
);
const jwksUrl = pattern(
  /^https:\/\/[A-Za-z0-9.-]+(?::\d+)?\/[A-Za-z0-9/._~-]*$/,
  'an https URL with a path, made of A–Z, a–z, 0–9, `.`, `_`, `~`, `-` and `/`',
  'https://login.example.org/jwks.json',
);

const loginUrl = pattern(
  /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9/._~-]*)?$/,
  'an http or https URL, made of A–Z, a–z, 0–9, `.`, `_`, `~`, `-` and `/`',
  'https://login.example.org/whoami',
).refine((url) => URL.canParse(url), expects('a URL', 'https://login.example.org/whoami'));

const token = z
  .strictObject({
    cookie: cookieName.optional(),
    claim: claimName,
    algorithm: z.enum(['HS256', 'RS256', 'ES256']),
    secret_env: variableName.optional(),
    jwks_url: jwksUrl.optional(),
  })
  .refine(
    ({ algorithm, secret_env: env, jwks_url: url }) =>
      algorithm === 'HS256' ? env !== undefined && url === undefined : url !== undefined && env === undefined,
    expects(
      'a token with `secret_env` for HS256, or with `jwks_url` for RS256 and ES256',
      'jwt: {claim: sub, algorithm: HS256, secret_env: TOKEN_SECRET}',
    ),
  );

/** Maximum number of hostnames that a rule maps to themes; a mapping of groups may have millions. */
const MAX_HOSTNAMES = 1000;

/** The schema of a map from hostnames to themes. `declaredThemes` and `checkDeclared` check the names, with their locations. */
const hostThemes = z
  .record(z.string().meta({ pattern: HOSTNAME.source }), z.string(), {
    error: ({ input }) => (input === true ? 'Write it like `theme: {host: {sea.example.org: sea}}`.' : undefined),
  })
  .refine(
    (themes) => Object.keys(themes).length >= 1 && Object.keys(themes).length <= MAX_HOSTNAMES,
    expects(`a map of 1 to ${MAX_HOSTNAMES} hostnames to themes`, 'theme: {host: {sea.example.org: sea}}'),
  )
  .meta({ minProperties: 1, maxProperties: MAX_HOSTNAMES });
const hostGroups = z
  .boolean({
    error: ({ input }) =>
      typeof input === 'object' && input !== null
        ? 'A map belongs to a theme: write it like `theme: {host: {sea.example.org: sea}}`.'
        : 'Write `group: {host: true}`.',
  })
  .refine((value) => value, expects('`true`: the group is the hostname', 'group: {host: true}'))
  .meta({ const: true });
const hostUsers = z
  .unknown()
  .refine(
    (value) => value === undefined,
    expects('absent: a hostname identifies a community, not a user', 'group: {host: true}'),
  )
  .meta({ not: {} });

const PLACES = '`cookie`, `header`, `jwt`, `auth_request` or `host`';

const sourceWith = <H extends z.ZodType>(host: H, example: string, places = PLACES) =>
  z
    .strictObject({
      cookie: cookieName.optional(),
      header: headerName.optional(),
      trusted_proxies: distinct(z.array(address).min(1).max(64)).optional(),
      shared_secret: z.strictObject({ header: headerName, env: variableName }).optional(),
      jwt: token.optional(),
      auth_request: z.strictObject({ url: loginUrl, header: headerName }).optional(),
      host: host.optional(),
    })
    .refine(
      ({ host, cookie, header, jwt, auth_request: login }) =>
        [host, cookie, header, jwt, login].filter((source) => source !== undefined).length === 1,
      expects(`read from one place: ${places}`, example),
    )
    .refine(
      ({ header, trusted_proxies: proxies, shared_secret: secret }) =>
        header === undefined
          ? proxies === undefined && secret === undefined
          : (proxies === undefined) !== (secret === undefined),
      expects(
        'a header combined with `trusted_proxies` or `shared_secret`',
        'user: {header: X-User, trusted_proxies: [10.0.0.0/8]}',
      ),
    );

/** The schema of `identity` in site.yaml: an ordered list of `{user|group|theme: source}`. */
export const identitySchema = z
  .array(
    z
      .strictObject({
        user: sourceWith(hostUsers, 'user: {cookie: uid}', '`cookie`, `header`, `jwt` or `auth_request`').optional(),
        group: sourceWith(hostGroups, 'group: {cookie: community}').optional(),
        theme: sourceWith(hostThemes, 'theme: {cookie: theme}').optional(),
      })
      .refine(
        (rule) => Object.keys(rule).length === 1,
        expects('a rule for one of `user`, `group` and `theme`', '- user: {cookie: uid}'),
      )
      .transform((rule): IdentityRule => {
        const names = (['user', 'group', 'theme'] as const).find((name) => rule[name] !== undefined) ?? 'user';
        return { names, credential: credential(rule[names] ?? {}) };
      }),
  )
  .min(1)
  .max(8);

type Source = Omit<z.output<ReturnType<typeof sourceWith<z.ZodUnknown>>>, 'host'> & {
  host?: boolean | Readonly<Record<string, string>> | undefined;
};

function credential({
  host,
  cookie,
  header,
  trusted_proxies: proxies,
  shared_secret: secret,
  jwt,
  auth_request: login,
}: Source): Credential {
  if (typeof host === 'object') return { from: 'host', themes: host };
  if (host !== undefined) return { from: 'host' };
  if (cookie !== undefined) return { from: 'cookie', name: cookie };
  if (header !== undefined && secret !== undefined) return { from: 'header', name: header, secret };
  if (header !== undefined) return { from: 'header', name: header, proxies: proxies ?? [] };
  if (login !== undefined) return { from: 'auth_request', ...login };
  const { algorithm = 'HS256', secret_env: env = '', jwks_url: url = '', claim = '' } = jwt ?? {};
  const key: TokenKey = algorithm === 'HS256' ? { algorithm, env } : { algorithm, jwksUrl: url };
  return { from: 'jwt', cookie: jwt?.cookie, claim, key };
}
