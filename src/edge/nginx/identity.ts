import type { IdentityRule } from '../../theme/site.ts';
import { literal, matching } from './text.ts';

type CookieSource = Extract<IdentityRule['user'], { cookie: string }>;
type HeaderSource = Extract<IdentityRule['user'], { header: string }>;

/** The maps from a request to the names of the files below config/ that it is answered with. */
export function identityMaps(identity: readonly IdentityRule[]): string {
  return `# Each rule looks its user up; the one after it stands in where it knows nobody, and the default theme after the last.
${identity.map(({ user }, index) => ruleMaps(user, index + 1, identity.length)).join('\n')}
# Names of the files below config/. They come from users.map alone: nothing that a request says becomes part of a path.
map $themecast_theme_1 $themecast_config_json {
    default $themecast_theme_1;
    ""      index;
}
map $themecast_theme_1 $themecast_config_html {
    default $themecast_theme_1;
    ""      browse;
}`;
}

function ruleMaps(user: IdentityRule['user'], rule: number, last: number): string {
  return `${'cookie' in user ? cookieMap(user, rule) : headerMap(user, rule)}
map $themecast_user_${rule} $themecast_theme_${rule} {
    default ${rule === last ? '""' : `$themecast_theme_${rule + 1}`};
    include themecast/users.map;
}
`;
}

/** No user key holds white space, so a value that does is nobody's, and the expression leaves it out. */
function cookieMap({ cookie }: CookieSource, rule: number): string {
  return `# Rule ${rule}: the user key is the first cookie \`${cookie}\`, as it is written. ($cookie_… would not mind the case of the name.)
map $http_cookie $themecast_user_${rule} {
    default "";
    "~(?:^|;)\\s*${matching(cookie)}\\s*=\\s*(?:(?<themecast_cookie_${rule}>[^;\\s]*+)\\s*+(?:;|$))?" $themecast_cookie_${rule};
}`;
}

function headerMap({ header, trusted_proxies }: HeaderSource, rule: number): string {
  return `# Rule ${rule}: the user key is the header ${header}, believed only when the connection comes from one of these addresses.
# $realip_remote_addr is the address of the connection itself, whatever the realip module makes of $remote_addr.
geo $realip_remote_addr $themecast_trusted_${rule} {
    default 0;
${[...new Set(trusted_proxies)].map((address) => `    ${literal(address)} 1;`).join('\n')}
}
map $themecast_trusted_${rule} $themecast_user_${rule} {
    default "";
    1       $http_${header.toLowerCase().replaceAll('-', '_')};
}`;
}
