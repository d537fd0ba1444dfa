import { count, printable } from '../diagnostics/quote.ts';
import { CONFIG } from '../document/endpoint.ts';
import { prettyJson } from '../document/pretty-json.ts';
import { configRecord } from '../document/record.ts';
import { secretOf } from '../hosts/secrets.ts';
import { type Build, defaultTheme } from '../hosts/published-build.ts';
import { type HttpResponse, jsonOf, type Request, startOf, statusOf, textOf, urlOf } from '../http/exchange.ts';
import { headerOf, typeOf } from '../probe/headers.ts';
import { ENDPOINTS, type Kind, type Probe, requestOf, title } from '../probe/table.ts';
import { anonymousTheme, type Deployment, digestOf, isLoopback, type Requester, themeName, themeOf } from './build.ts';
import type { CheckId } from './checks.ts';
import { contractResults, type ContractResponse, contractResponse, headerText } from './contract.ts';
import { needsProxy, type UnverifiedRule } from './requesters.ts';
import { fault, verdict, passed, type Question, type Result } from './result.ts';

/** The responses to anonymous clients, by endpoint and rendering (`list json`), to compare other responses with. */
export type PlainResponses = ReadonlyMap<string, HttpResponse>;

/** Makes a question of a probe, with its method or one that the contract refuses. */
export async function questionOf(
  deployment: Deployment,
  probe: Probe,
  plain: PlainResponses,
  method: Request['method'] = probe.method,
): Promise<Question> {
  const request = { ...requestOf(probe, deployment.url), method };
  const requester = probe.requester as Requester | undefined;
  const expected = await contractResponse(deployment, request, requester?.theme);
  const id = idOf({ ...probe, headers: request.headers }, method, expected);
  const label = labelOf(probe, method);
  const endpoint = id === 'path/not-found' ? 'An error' : id === 'path/slash' ? 'A redirect' : title(probe.kind);
  const { isOdd, id: checkId } = requester ?? ({} as Partial<Requester>);
  return {
    id,
    request: isOdd === undefined ? request : { ...request, isOdd },
    judge: (response) => {
      // A host may refuse forged and odd requests.
      if (response.status !== 200 && (isOdd === true || checkId === 'config/forged')) return [];
      if (RENDERING_CHECKS.has(id) && isOtherType(expected, response))
        return [
          fault(id, `${label} gets another rendering.`, {
            expected: `${expected.status}, Content-Type: ${expected.headers['content-type']}`,
            found: `${response.status}, ${headerText(response, 'Content-Type')}`,
          }),
        ];
      const results = contractResults(deployment, id, label, { request, expected, endpoint }, response);
      const isFailed = results.some(({ ok, id: failed }) => failed === id && !ok);
      const isRouted = request.headers['Host'] !== undefined;
      // The report merges faults that differ only by URL, so that a fault of all themes is one.
      const url = `${urlOf(request)}${requester && !isRouted ? ` as a requester of ${themeName(deployment.build, requester.theme)}` : ''}`;
      if (isFailed)
        return results.map((result) => (result.ok ? result : { url, ...result, ...(isRouted && { hint: HOST_HINT }) }));
      return [...results, ...bodyResults(deployment, id, probe, method, expected, plain, response)];
    },
  };
}

/** The checks that fail with another media type; `headers/type` checks its parameters. */
const RENDERING_CHECKS = new Set<CheckId>(['rendering/format', 'rendering/accept', 'page/theme', 'style/document']);

/** Whether a response has another media type than expected, apart from parameters. */
function isOtherType({ status, headers }: ContractResponse, response: HttpResponse): boolean {
  const essence = (type: string | undefined): string | undefined => type?.split(';')[0];
  return status === 200 && response.status === 200 && essence(typeOf(response)) !== essence(headers['content-type']);
}

const HOST_HINT =
  'Add the hostname to the names of the server with the rules: another server of the same address may respond to it.';

/** Returns the name of a probe in messages, without its requester, so that alike faults are merged. */
function labelOf({ kind, what, method: usual, requester, returns }: Probe, method: Request['method']): string {
  if (requester !== undefined) return `${title(kind)}${returns === 'json' ? '' : ` (${String(returns)})`}`;
  return method === usual ? what : `${method} ${title(kind)}`;
}

function idOf(
  { kind, path, headers, requester, returns }: Probe,
  method: string,
  { status }: ContractResponse,
): CheckId {
  const isEndpoint = path.split('?')[0] === ENDPOINTS[kind].path;
  if (headers['Origin'] !== undefined) return method === 'OPTIONS' ? 'cors/preflight' : 'cors/origin';
  if (method === 'HEAD') return 'method/head';
  if (method === 'OPTIONS') return 'method/options';
  if (status === 403) return 'method/post';
  if (status === 405) return 'method/not-allowed';
  if (status === 301) return 'path/slash';
  if (!isEndpoint) return 'path/not-found';
  if (requester !== undefined) {
    if (kind === 'list') return 'list/status';
    return returns === 'json' ? 'config/status' : returns === 'html' ? 'page/theme' : 'style/document';
  }
  return path.includes('?') && status !== 406 ? 'rendering/format' : 'rendering/accept';
}

/** Compares a body with the contract and this build. */
function bodyResults(
  deployment: Deployment,
  id: CheckId,
  probe: Probe,
  method: string,
  { status, file, text }: ContractResponse,
  plain: PlainResponses,
  response: HttpResponse,
): Result[] {
  const { build } = deployment;
  const { kind, returns, requester, what } = probe;
  const name = String(returns);
  const usual = plain.get(`${kind} ${name}`);
  if (id === 'method/head') return usual === undefined ? [] : headResults(what, usual, response);
  const json = jsonOf(response) as { name?: unknown; detail?: unknown } | undefined;
  const isText = (ok: boolean, expected: string): Result[] => [
    verdict(id, ok, `${labelOf(probe, method as 'GET')} has another response than in the contract.`, {
      expected,
      found: `${statusOf(response)} ${startOf(response)}`,
    }),
  ];
  if (id === 'method/options') return isText(json?.name === ENDPOINTS[kind].name, `200 with ${file}`);
  if (status === 403 || status === 405) return isText(typeof json?.detail === 'string', `${status} ${text}`);
  if (status !== 200 || id.startsWith('cors/')) return [];
  if (requester !== undefined && kind === 'config')
    return name === 'json'
      ? themeResults(deployment, requester as Requester, response)
      : [renderingResult(build, requester as Requester, name, response)];
  const isOf = name === 'html' || usual === undefined || response.sha256 === usual.sha256;
  const same = verdict(id, isOf, `${what} is not the usual document.`, {
    expected: 'the same document as for anyone',
    found: `another document: ${startOf(response)}`,
  });
  return name === 'html' ? pageResults(build, kind, response) : [same];
}

/** Compares the headers of HEAD and GET; HEAD may omit Content-Length (RFC 9110, §9.3.2). */
function headResults(what: string, get: HttpResponse, response: HttpResponse): Result[] {
  const length = headerOf(response, 'Content-Length') === undefined ? {} : { 'content-length': String(get.bytes) };
  const { 'content-length': _, ...headers } = get.headers;
  return ['Content-Type', 'ETag', 'Content-Length'].map((name) => {
    const [expected, found] = [headerText({ headers: { ...headers, ...length } }, name), headerText(response, name)];
    return verdict('method/head', expected === found, `${what} differs from GET.`, { expected, found });
  });
}

/** Checks that CONFIG returns the document of the requester's theme. */
function themeResults({ build, url }: Deployment, requester: Requester, response: HttpResponse): Result[] {
  const { name, theme, rule, id: checkId, isOdd, hint } = requester;
  const id = checkId ?? (name === 'anonymous' ? 'config/anonymous' : 'config/as-user');
  const served = themeOf(build, response);
  const isOfProxy = rule !== undefined && needsProxy(rule) && theme !== anonymousTheme(build);
  const header = rule?.credential.from === 'header' ? rule.credential.name : '';
  // Ignoring the header from this machine is right; whether the real proxy is trusted cannot be tested from here.
  if (isOfProxy && served === anonymousTheme(build)) {
    const who = `${rule.names}s by the header ${header}`;
    const remedy = 'Verify from one of the machines in `trusted_proxies`.';
    return [unverifiedResult(build, { who, why: 'only trusted proxies may send it', remedy })];
  }
  if (served === undefined && (isOdd === true || checkId === 'config/forged')) return [];
  if (served === theme) {
    const label = passed(id, checkId === undefined ? `${name} → ${themeName(build, theme)}` : undefined);
    if (!isOfProxy) return [label];
    const proxy = verdict('config/proxies', isLoopback(url), `The header ${header} is accepted from this machine.`, {
      expected: 'accepted only from trusted proxies',
      found: 'accepted',
    });
    return [label, proxy];
  }
  return [
    fault(id, `CONFIG serves the wrong theme to ${name === 'anonymous' ? 'anonymous clients' : printable(name)}.`, {
      expected: themeName(build, theme),
      found: served === undefined ? `no document of this build: ${startOf(response)}` : themeName(build, served),
      hint:
        checkId === 'config/host-case'
          ? undefined
          : `${hint ?? themeHint(build, requester, served)} See ${build.rulesAt}.`,
    }),
  ];
}

/** Returns the likeliest cause, and its remedy. */
function themeHint(build: Build, { name, rule, theme }: Requester, served: string | undefined): string {
  if (served === undefined) return 'Upload all of dist/ again: the documents of CONFIG are from another build.';
  if (name === 'anonymous')
    return `Anonymous clients must get the ${build.here === undefined ? 'default theme' : `theme of ${build.here.name}`}; a shared cache may have stored the response to a user: exclude ${CONFIG.path} there.`;
  if (rule?.credential.from === 'host')
    return 'The host does not get the hostname of the request, or its rules or mapping are from another build. A proxy in front must pass Host on.';
  if (served !== defaultTheme(build))
    return 'That is the theme of another user: a shared cache serves it to everyone, or the mapping is from another build.';
  const env = rule && secretOf(rule.credential);
  if (env !== undefined && theme !== served)
    return `${env} is missing from its environment, or differs from the value here, so that it treats every client as anonymous. Set it there, restart the host and verify again; if the result stays the same, the mapping is missing.`;
  return `The host's mapping is missing, from another build, or not loaded.`;
}

/** Reports an unverified identity rule, because passing does not vouch for its users. */
export function unverifiedResult({ rulesAt }: Build, { who, why, remedy }: UnverifiedRule): Result {
  return fault('config/asked', `CONFIG was not requested for ${who}.`, {
    expected: 'a request with each identity rule',
    found: `not requested: ${why}`,
    hint: `${remedy} Until then their theme is unverified: see ${rulesAt}.`,
  });
}

/** Checks that another rendering shows the requester's theme; their JSON is right already. */
function renderingResult(build: Build, { theme }: Requester, name: string, response: HttpResponse): Result {
  const isPage = name === 'html';
  const isFresh = isPage && !isStalePage(build, 'config', theme, response);
  // Themes may share an icon.
  const isOfTheme = digestOf(build, 'config', name, theme) === response.sha256;
  const served = isOfTheme || isFresh ? theme : themeOf(build, response, name);
  const { renderings } = build.rules.endpoints.config;
  const { format = name } = renderings.find((rendering) => rendering.name === name) ?? {};
  const unknown = isPage ? 'a page of another theme or build' : `no ${format} of this build: ${startOf(response)}`;
  return verdict(
    isPage ? 'page/theme' : 'style/document',
    served === theme,
    `The ${isPage ? 'page' : format} of CONFIG is not of the theme of its JSON.`,
    { expected: themeName(build, theme), found: served === undefined ? unknown : themeName(build, served) },
  );
}

/** Checks that an anonymous client gets the page of this build, and whether a proxy modified it. */
function pageResults(build: Build, kind: Kind, response: HttpResponse): Result[] {
  const name = kind === 'list' ? 'browse.html' : `${anonymousTheme(build)}.html`;
  const file = build.files.get(ENDPOINTS[kind].path.slice(1) + name);
  const isSame = response.sha256 === file?.sha256;
  const isStale = !isSame && isStalePage(build, kind, anonymousTheme(build), response);
  const details = {
    expected: `${file?.path}, ${count(file?.bytes ?? 0, 'byte')}`,
    found: `another page, ${count(response.bytes, 'byte')}`,
  };
  return isStale
    ? [fault('page/theme', `The page of ${title(kind)} does not show the document of this build.`, details)]
    : [passed('page/theme'), verdict('page/document', isSame, 'The browsable page is modified.', details)];
}

/** Whether a page shows another document. Only its text is compared, because a proxy may modify pages. */
function isStalePage(build: Build, kind: Kind, theme: string, response: HttpResponse): boolean {
  const record = build.list[build.rules.themes.indexOf(theme)];
  const document = kind === 'list' ? build.list : record && configRecord(record);
  const text = [...prettyJson(document)].map((token) => token.text).join('');
  const isPage = typeOf(response)?.startsWith('text/html') === true;
  return isPage && response.end === 'complete' && !lettersOf(textOf(response)).includes(lettersOf(text));
}

/** Returns the letters and digits of a page, without its tags and entities. */
function lettersOf(html: string): string {
  return html.replaceAll(/<[^<>]*>|&[^&;]{1,8};|[^\p{L}\p{N}]/gu, '');
}
