import { printable } from '../diagnostics/quote.ts';
import { forgeriesOf } from '../hosts/credentials.ts';
import { type Deployment, type LiveList, themeName } from './build.ts';
import { type Build, defaultTheme } from '../hosts/published-build.ts';
import type { CheckId } from './checks.ts';
import { configRequest, type Responded, rightRequesters, themeOf } from './config-theme.ts';
import { type Request, statusOf } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { anonymousTheme, themeByRule } from './hostnames.ts';
import { hostnameRequesters } from './requesters.ts';
import { judged } from './result.ts';
import { holderOf, keysOf, withholding } from './requesters.ts';

type Headers = Request['headers'];

/** What a request claims, and the theme that it must get. */
interface Claim {
  id: CheckId;
  what: string;
  headers: Headers;
  theme: string;
  hint: string;
  /** Whether another server may respond, or the host reject the request. */
  isOdd?: boolean;
}

/** CONFIG with what shows how the host tells users apart: forged credentials, a cookie among others, two rules at once, odd hostnames. */
export function claimExchanges(deployment: Deployment, live: LiveList, responded: readonly Responded[]): Exchange[] {
  const { build } = deployment;
  if (!live.isCurrent) return [];
  const right = rightRequesters(build, responded);
  const byRule = build.rules.identity.flatMap(
    (rule) => right.find((requester) => requester.rule === rule && requester.theme !== anonymousTheme(build)) ?? [],
  );
  const cookies = byRule.flatMap(({ name, theme, headers }): Claim[] =>
    headers['Cookie'] === undefined
      ? []
      : [
          {
            id: 'config/as-user',
            what: `${printable(name)}, whose cookie is between others`,
            headers: { ...headers, Cookie: `themecast-verify=1; ${headers['Cookie']}; themecast-verify-2=2` },
            theme,
            hint: 'The host must find the cookie at any place of the header.',
          },
        ],
  );
  const pairs = byRule.flatMap((first, index) =>
    byRule.slice(index + 1).flatMap(({ rule: later }): Claim[] => {
      const second = later && holderOf(deployment, live, later, (theme) => theme !== first.theme);
      const headers = second && together(first.headers, second.headers);
      if (second === undefined || headers === undefined) return [];
      const what = `${printable(first.name)}, who is also ${printable(second.name)} by a later rule`;
      const hint = 'The host must ask the identity rules in their order, as rules.json has them.';
      return [{ id: 'config/as-user', what, headers, theme: first.theme, hint, isOdd: 'Host' in headers }];
    }),
  );
  const isRouted = hostnameRequesters(build).every(({ name }) => right.some(({ headers }) => headers['Host'] === name));
  const hostnames = isRouted ? hostnameClaims(build) : [];
  return [...forgeries(deployment), ...cookies, ...pairs, ...hostnames].map((claim) =>
    claimExchange(deployment, live, claim),
  );
}

/** Requests that claim to be of a user, or of a group, without what vouches for it: the default theme is right for each. */
function forgeries(deployment: Deployment): Claim[] {
  const { build } = deployment;
  const theme = anonymousTheme(build);
  const hint = 'Any client can impersonate any user: the host does not use the identity rules.';
  if (withholding(deployment) !== undefined) return [];
  return build.rules.identity.flatMap((rule) => {
    const [, key] = [...keysOf(build, rule)].find(([slug]) => themeByRule(build, rule, slug) !== theme) ?? [];
    return (key === undefined ? [] : forgeriesOf(rule.credential, key)).map(({ what, headers }): Claim => ({
      id: 'config/forged',
      what,
      headers,
      theme,
      hint,
    }));
  });
}

/** Both credentials in one request, the later one in front; undefined if a request cannot have both. */
function together(first: Headers, second: Headers): Headers | undefined {
  const { Cookie: cookie, ...headers } = first;
  const { Cookie: other, ...others } = second;
  const isSameCookie = cookie !== undefined && cookie.split('=')[0] === other?.split('=')[0];
  const isSameHeader = Object.entries(headers).some(([name, value]) => name in others && others[name] !== value);
  if (isSameCookie || isSameHeader) return undefined;
  const cookies = [other, cookie].filter((value) => value !== undefined).join('; ');
  return { ...headers, ...others, ...(cookies !== '' && { Cookie: cookies }) };
}

/** Other spellings of a declared hostname; hostnames that are not declared or not those of the request. */
function hostnameClaims(build: Build): Claim[] {
  const declared = build.hostnames.find(
    (one) => one.theme !== defaultTheme(build) && one.theme !== anonymousTheme(build),
  );
  if (declared === undefined) return [];
  const { name, theme } = declared;
  const claim = (id: CheckId, what: string, headers: Headers, wanted: string, hint: string): Claim => ({
    id,
    what,
    headers,
    theme: wanted,
    hint,
    isOdd: true,
  });
  const exact = 'The host must read the hostname of Host alone, and compare all of it.';
  const spelling = 'The host must ignore case, the port and a dot at the end of Host.';
  // A rule may read it from trusted proxies, of which this machine may be one.
  const isRead = build.rules.identity.some(
    ({ credential }) => credential.from === 'header' && /^(?:x-forwarded-host|forwarded)$/i.test(credential.name),
  );
  const forwarded = { 'X-Forwarded-Host': name, Forwarded: `host=${name}` };
  return [
    claim('config/forged', 'an undeclared hostname', { Host: 'themecast-verify.invalid' }, defaultTheme(build), exact),
    ...(isRead ? [] : [claim('config/forged', `${name} in X-Forwarded-Host`, forwarded, anonymousTheme(build), exact)]),
    ...[name.toUpperCase(), `${name}:8443`, `${name}.`].map((Host) =>
      claim('config/as-user', `the hostname ${Host}`, { Host }, theme, spelling),
    ),
  ];
}

function claimExchange(
  deployment: Deployment,
  live: LiveList,
  { id, what, headers, theme, hint, isOdd = false }: Claim,
): Exchange {
  const { build } = deployment;
  const request = { ...configRequest(deployment, { headers }), isOdd };
  const mayReject = isOdd || id === 'config/forged';
  return {
    id,
    request,
    judge: (response) => {
      const found = themeOf(build, live, response);
      return [
        judged(id, found === theme || (found === undefined && mayReject), `CONFIG serves the wrong theme to ${what}.`, {
          expected: themeName(build, theme),
          found: found === undefined ? `${statusOf(response)}, no theme of this build` : themeName(build, found),
          hint: `${hint} See ${build.rulesAt}.`,
        }),
      ];
    },
  };
}
