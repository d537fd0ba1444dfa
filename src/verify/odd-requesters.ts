import { compact } from '../diagnostics/compact.ts';
import { printable } from '../diagnostics/quote.ts';
import { forgeriesOf } from '../hosts/credentials.ts';
import { type Build, defaultTheme } from '../hosts/published-build.ts';
import type { Headers } from '../probe/table.ts';
import { anonymousTheme, type Deployment, type Requester, themeByRule } from './build.ts';
import { requesterWith, hostnameRequesters, keysOf, withholdingReason } from './requesters.ts';

/**
 * Returns requesters that show how the host tells users apart: forged credentials, several cookies, two rules at once, odd hostnames.
 * @param right - the requesters who got their theme
 */
export function oddRequesters(deployment: Deployment, right: readonly Requester[]): Requester[] {
  const { build } = deployment;
  const byRule = build.rules.identity.flatMap(
    (rule) => right.find((requester) => requester.rule === rule && requester.theme !== anonymousTheme(build)) ?? [],
  );
  const cookies = byRule.flatMap(({ name, theme, headers: { Cookie: cookie, ...headers } }): Requester[] => {
    if (cookie === undefined) return [];
    const severalCookies = { ...headers, Cookie: `themecast-verify=1; ${cookie}; themecast-verify-2=2` };
    const hint = 'The host must find the cookie at any place of the header.';
    const label = `${printable(name)}, whose cookie is between others`;
    return [{ id: 'config/as-user', name: label, headers: severalCookies, theme, hint }];
  });
  const pairs = byRule.flatMap((first, index) =>
    byRule.slice(index + 1).flatMap(({ rule: later }): Requester[] => {
      const second = later && requesterWith(deployment, later, (theme) => theme !== first.theme);
      const headers = second && combinedHeaders(first.headers, second.headers);
      if (second === undefined || headers === undefined) return [];
      const name = `${printable(first.name)}, who is also ${printable(second.name)} by a later rule`;
      const hint = 'The host must apply the identity rules in the order of rules.json.';
      return [{ id: 'config/as-user', name, headers, theme: first.theme, hint, isOdd: 'Host' in headers }];
    }),
  );
  const isRouted = hostnameRequesters(build).every(({ name }) => right.some(({ headers }) => headers['Host'] === name));
  const hostnames = isRouted ? oddHostnames(build) : [];
  return [...forgeries(deployment), ...cookies, ...pairs, ...hostnames];
}

/** Returns requesters with forged credentials of a user or group: the right theme for each is the anonymous one. */
function forgeries(deployment: Deployment): Requester[] {
  const { build } = deployment;
  const theme = anonymousTheme(build);
  const hint = 'Any client can impersonate any user: the host does not use the identity rules.';
  if (withholdingReason(deployment) !== undefined) return [];
  return build.rules.identity.flatMap((rule) => {
    const [, key] = [...keysOf(build, rule)].find(([slug]) => themeByRule(build, rule, slug) !== theme) ?? [];
    const forged = key === undefined ? [] : forgeriesOf(rule.credential, key);
    return forged.map(({ what: name, headers }): Requester => ({ id: 'config/forged', name, headers, theme, hint }));
  });
}

/** Combines two credentials in one request, the later rule's first; undefined if a request cannot have both. */
function combinedHeaders(first: Headers, second: Headers): Headers | undefined {
  const { Cookie: cookie, ...headers } = first;
  const { Cookie: laterCookie, ...laterHeaders } = second;
  const isSameCookie = cookie !== undefined && cookie.split('=')[0] === laterCookie?.split('=')[0];
  const isSameHeader = Object.entries(headers).some(([name, value]) => (laterHeaders[name] ?? value) !== value);
  if (isSameCookie || isSameHeader) return undefined;
  const cookies = compact([laterCookie, cookie]).join('; ');
  return { ...headers, ...laterHeaders, ...(cookies !== '' && { Cookie: cookies }) };
}

/** Returns requesters with other spellings of a declared hostname, an undeclared one, and one in another header. */
function oddHostnames(build: Build): Requester[] {
  const declared = build.hostnames.find(
    ({ theme }) => theme !== defaultTheme(build) && theme !== anonymousTheme(build),
  );
  if (declared === undefined) return [];
  const { name, theme } = declared;
  const hint = 'The host must read the hostname of Host alone, and compare all of it.';
  const forged = { id: 'config/forged', hint, isOdd: true } as const;
  const spelling = 'The host must ignore the port and a dot at the end of Host.';
  const undeclared = { Host: 'themecast-verify.invalid' };
  // A rule may read this header from trusted proxies, and this machine may be one.
  const isRead = build.rules.identity.some(
    ({ credential }) => credential.from === 'header' && /^(?:x-forwarded-host|forwarded)$/i.test(credential.name),
  );
  const forwarded = { 'X-Forwarded-Host': name, Forwarded: `host=${name}` };
  const inForwarded = { name: `${name} in X-Forwarded-Host`, headers: forwarded, theme: anonymousTheme(build) };
  return compact([
    { ...forged, name: 'an undeclared hostname', headers: undeclared, theme: defaultTheme(build) },
    !isRead && { ...forged, ...inForwarded },
    { id: 'config/host-case', name: name.toUpperCase(), headers: { Host: name.toUpperCase() }, theme, isOdd: true },
    ...[`${name}:8443`, `${name}.`].map((Host): Requester => {
      const label = `the hostname ${Host}`;
      return { id: 'config/as-user', name: label, headers: { Host }, theme, hint: spelling, isOdd: true };
    }),
  ]);
}
