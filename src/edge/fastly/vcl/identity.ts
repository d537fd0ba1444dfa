import type { EdgeRules } from '../../../mapping/edge-rules.ts';
import type { Credential, IdentityRule } from '../../../theme/identity.ts';
import { block, matching } from '../../varnish/text.ts';
import { tableName } from './tables.ts';
import { literal } from './text.ts';

/** A dictionary of the administrator, with a secret under the name that site.yaml gives its variable. */
export const SECRETS_DICTIONARY = 'themecast_secrets';

/** Shortest secret, in characters: what is shorter, or not there, is none. */
const SECRET_LENGTH = 32;

/** Sets the theme of the requester. */
export function identify({ identity }: EdgeRules): string[] {
  return block('sub themecast_identify', [
    'declare local var.key STRING;',
    'declare local var.theme STRING;',
    'set var.theme = "";',
    ...identity.flatMap((rule, index) => identityRule(rule, index + 1)),
    '',
    'set req.http.X-Themecast-Theme = var.theme;',
  ]);
}

/** Looks the key of a rule up, unless a rule before it has found the theme. */
function identityRule({ names, credential }: IdentityRule, rule: number): string[] {
  return [
    '',
    `# Rule ${rule}: the ${names} is ${described(credential)}.`,
    ...block('if (var.theme == "")', [
      'set var.key = "";',
      ...credentialLines(credential),
      `set var.theme = table.lookup(${tableName(names)}, var.key, "");`,
    ]),
  ];
}

function described(credential: Credential): string {
  return credential.from === 'cookie'
    ? `the first cookie \`${credential.name}\`, as it is written`
    : `the header ${bySecret(credential).name}, believed only with the secret in ${bySecret(credential).secret.header}`;
}

function credentialLines(credential: Credential): string[] {
  if (credential.from === 'cookie') return cookieLines(credential.name);
  const { name, secret } = bySecret(credential);
  const kept = `table.lookup(${SECRETS_DICTIONARY}, ${literal(secret.env)}, "")`;
  return [
    "# As one value each: of a header that came twice, req.http.… is the first alone, and that one may be the requester's.",
    `std.collect(req.http.${secret.header}, ",");`,
    `std.collect(req.http.${name}, ",");`,
    ...block(
      `if (req.http.${name} && std.strlen(${kept}) >= ${SECRET_LENGTH} && digest.secure_is_equal(req.http.${secret.header}, ${kept}))`,
      [`set var.key = req.http.${name};`],
    ),
  ];
}

/** The first cookie of the name with its value as it stands (`req.http.Cookie:name` would take off quotes). */
function cookieLines(cookie: string): string[] {
  const first = `(?:^|;)\\s*${matching(cookie)}\\s*=\\s*([^;]*?)\\s*(?:;|$)`;
  return [
    'std.collect(req.http.Cookie, ";");',
    ...block(`if (req.http.Cookie ~ ${literal(first)})`, ['set var.key = re.group.1;']),
  ];
}

type BySecret = Extract<Credential, { secret: object }>;

function bySecret(credential: Credential): BySecret {
  if ('secret' in credential) return credential;
  throw new Error('Bug: this variant is not written for tokens.');
}
