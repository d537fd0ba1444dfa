import { count, printable } from '../diagnostics/quote.ts';
import { CONFIG } from '../document/endpoint.ts';
import { secretOf } from '../hosts/secrets.ts';
import { type Build, defaultTheme } from '../hosts/published-build.ts';
import { type HttpResponse, startOf } from '../http/exchange.ts';
import { type Probe, requestOf } from '../probe/table.ts';
import type { Exchange } from './ask.ts';
import { anonymousTheme, type Deployment, isLoopback, type Requester, themeName, themeOf } from './build.ts';
import { contentTypeOf, headersOfRendering } from './documents.ts';
import { endpointResults } from './headers.ts';
import { needsProxy, type Plan, type Unasked } from './requesters.ts';
import { fault, type Result, judged, passed } from './result.ts';

const ROUTED =
  'Add the hostname to the names of the server with the rules: another server of the same address may respond to it. ';

/** The JSON of CONFIG as one requester. */
export function configExchange(
  deployment: Deployment,
  probe: Probe,
  requester: Requester,
  onResponse: (response: HttpResponse) => void,
): Exchange {
  const { build, url } = deployment;
  const headers = { 'Content-Type': contentTypeOf(build, 'json'), ...headersOfRendering(build, 'config', 'json') };
  return {
    id: 'config/status',
    request: requestOf(probe, url),
    is: 200,
    message: 'CONFIG does not respond with 200.',
    hint: `${requester.headers['Host'] === undefined ? '' : ROUTED}CONFIG must serve a file of ${CONFIG.path.slice(1)}, chosen by user: see ${build.rulesAt}.`,
    also: (response) => {
      onResponse(response);
      return [...themeResults(deployment, requester, response), ...endpointResults(build, 'config', response, headers)];
    },
  };
}

/** Whether the document is that of the requester's theme. */
function themeResults({ build, url }: Deployment, requester: Requester, response: HttpResponse): Result[] {
  const { name, theme, rule } = requester;
  const id = name === 'anonymous' ? 'config/anonymous' : 'config/as-user';
  const served = themeOf(build, response);
  const isOfProxy = rule !== undefined && needsProxy(rule) && theme !== anonymousTheme(build);
  const header = rule?.credential.from === 'header' ? rule.credential.name : '';
  // A host that ignores the header of a trusted proxy from here is right; whether it trusts the proxy cannot be tested from here.
  if (isOfProxy && served === anonymousTheme(build)) {
    const who = `${rule.names}s by the header ${header}`;
    const remedy = 'Verify from one of the machines in `trusted_proxies`.';
    return [unaskedResult(build.rulesAt, { who, why: 'only trusted proxies may send it', remedy })];
  }
  if (served === theme) {
    const label = passed(id, `${name} → ${themeName(build, theme)}`);
    if (!isOfProxy) return [label];
    const believed = judged('config/proxies', isLoopback(url), `The header ${header} is accepted from this machine.`, {
      expected: 'accepted only from trusted proxies',
      found: 'accepted',
      hint: `Ignore this only if this machine is among \`trusted_proxies\`; otherwise any client can impersonate any user: see ${build.rulesAt}.`,
    });
    return [label, believed];
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

/** Who was asked as, and who could not be. */
export function planResults({ rules, rulesAt }: Build, { unasked, themes }: Plan): Result[] {
  const of = `${themes.toLocaleString('en')} of ${count(rules.themes.length, 'theme')}`;
  return [
    passed('config/asked', `sampled: a key for each of ${of}, with every rule`),
    ...unasked.map((problem) => unaskedResult(rulesAt, problem)),
  ];
}

/** That a rule was not verified, which is said: a pass is not one of its users. */
function unaskedResult(rulesAt: string, { who, why, remedy }: Unasked): Result {
  return fault('config/asked', `CONFIG was not requested for ${who}.`, {
    expected: 'a request with each identity rule',
    found: `not requested: ${why}`,
    hint: `${remedy} Until then their theme is unverified: see ${rulesAt}.`,
  });
}
