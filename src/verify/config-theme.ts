import { printable } from '../diagnostics/quote.ts';
import { CONFIG } from '../document/endpoint.ts';
import { secretOf } from '../hosts/secrets.ts';
import { type Deployment, themeName } from './build.ts';
import { type Build, defaultTheme } from '../hosts/published-build.ts';
import type { CheckId } from './checks.ts';
import { type HttpResponse, type Request, requestTo, startOf, WHOLE } from '../http/exchange.ts';
import { fault, type Result, judged, passed } from './result.ts';
import { anonymousTheme, isLoopback } from './hostnames.ts';
import { needsProxy, type Requester, type Unasked } from './requesters.ts';

/** A requester to whom CONFIG responded. */
export interface Responded {
  requester: Requester;
  response: HttpResponse;
}

/** GET CONFIG, as a program asks. */
export function configRequest(
  { url }: Deployment,
  { headers }: Pick<Requester, 'headers'>,
  more: Request['headers'] = {},
): Request {
  return requestTo(url, CONFIG.path, { headers: { Accept: 'application/json', ...headers, ...more }, ...WHOLE });
}

/** The theme of this build whose document a response holds, byte for byte. */
export function themeOf(build: Build, { sha256 }: HttpResponse): string | undefined {
  return build.rules.themes.find((slug) => publishedHash(build, `${slug}.json`) === sha256);
}

/** The SHA-256 of a published file of CONFIG. */
export function publishedHash({ files }: Build, name: string): string | undefined {
  return files.get(CONFIG.path.slice(1) + name)?.sha256;
}

/** The requesters who got the document of their theme. */
export function rightRequesters(build: Build, responded: readonly Responded[]): Requester[] {
  return responded.flatMap(({ requester, response }) =>
    themeOf(build, response) === requester.theme ? [requester] : [],
  );
}

/** Whether the document is that of the requester's theme. */
export function themeResults(build: Build, requester: Requester, request: Request, response: HttpResponse): Result[] {
  const id: CheckId = requester.name === 'anonymous' ? 'config/anonymous' : 'config/as-user';
  const { name, theme, rule } = requester;
  const served = themeOf(build, response);
  const isOfProxy = rule !== undefined && needsProxy(rule);
  const isTelling = theme !== anonymousTheme(build);
  if (isOfProxy && isTelling && served === anonymousTheme(build)) return [proxyAlone(build, requester)];
  if (served === theme) {
    return [
      passed(id, `${name} → ${themeName(build, theme)}`),
      ...(isOfProxy && isTelling ? [believedHere(build, requester, request)] : []),
    ];
  }
  const who = id === 'config/anonymous' ? 'anonymous clients' : printable(name);
  return [
    fault(id, `CONFIG serves the wrong theme to ${who}.`, {
      expected: themeName(build, theme),
      found: served === undefined ? `no document of this build: ${startOf(response)}` : themeName(build, served),
      hint: themeHint(build, requester, served),
    }),
  ];
}

function headerOf({ rule }: Requester): string {
  return rule?.credential.from === 'header' ? rule.credential.name : '';
}

/** A host that does not believe the header of a trusted proxy from here does as it should; whether it believes the proxy stays open. */
function proxyAlone({ rulesAt }: Build, requester: Requester): Result {
  return unaskedResult(rulesAt, {
    who: `${requester.rule?.names ?? 'user'}s by the header ${headerOf(requester)}`,
    why: 'only trusted proxies may send it',
    remedy: 'Verify from one of the machines in `trusted_proxies`.',
  });
}

/** That a rule was not verified, which is said: a pass is not one of its users. */
export function unaskedResult(rulesAt: string, { who, why, remedy }: Unasked): Result {
  return fault('config/asked', `CONFIG was not requested for ${who}.`, {
    expected: 'a request with each identity rule',
    found: `not requested: ${why}`,
    hint: `${remedy} Until then their theme is unverified: see ${rulesAt}.`,
  });
}

function believedHere({ rulesAt }: Build, requester: Requester, { origin }: Request): Result {
  const message = `The header ${headerOf(requester)} is accepted from this machine.`;
  return judged('config/proxies', isLoopback(origin), message, {
    expected: 'accepted only from trusted proxies',
    found: 'accepted',
    hint: `Ignore this only if this machine is among \`trusted_proxies\`; otherwise any client can impersonate any user: see ${rulesAt}.`,
  });
}

/** What most probably went wrong, the likeliest first. */
function themeHint(build: Build, { name, rule, theme }: Requester, served: string | undefined): string {
  const { rulesAt } = build;
  if (served === undefined) return 'Upload phase 2 of manifest.json: the documents of CONFIG are from another build.';
  if (name === 'anonymous')
    return `Anonymous clients must get the ${build.here === undefined ? 'default theme' : `theme of ${build.here.name}`}; a shared cache may have stored the response to a user: exclude ${CONFIG.path} there. See ${rulesAt}.`;
  if (rule?.credential.from === 'host')
    return `The host does not get the hostname of the request, or its rules or mapping are from another build. A proxy in front must pass Host on. See ${rulesAt}.`;
  if (served !== defaultTheme(build))
    return `That is the theme of another user: a shared cache serves it to everyone, or the mapping is from another build. See ${rulesAt}.`;
  const env = rule && secretOf(rule.credential);
  if (env !== undefined && theme !== served)
    return `${env} is missing from its environment, or differs from the value here, so that it treats every client as anonymous. Set it there, restart the host and verify again; if the result stays the same, the mapping is missing. See ${rulesAt}.`;
  return `The host's mapping is missing, from another build, or not loaded. See ${rulesAt}.`;
}
