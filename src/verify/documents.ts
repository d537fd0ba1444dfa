import { CONTENT_TYPES } from '../document/endpoint.ts';
import { prettyJson } from '../document/pretty-json.ts';
import { configRecord } from '../document/record.ts';
import { detail } from '../hosts/contract.ts';
import type { Build } from '../hosts/published-build.ts';
import { type HttpResponse, jsonOf, requestTo, shortHash, startOf, statusOf, textOf } from '../http/exchange.ts';
import { count } from '../diagnostics/quote.ts';
import { headerOf } from '../probe/headers.ts';
import { ENDPOINTS, type Headers, type Kind, type Probe, requestOf, title } from '../probe/table.ts';
import type { Exchange } from './ask.ts';
import { anonymousTheme, type Deployment, digestOf, type Plain, themeName, themeOf } from './build.ts';
import { endpointResults, headerResults, headerText, isType } from './headers.ts';
import { judged, type Result } from './result.ts';

/** What a row of the table must get by the contract and from this build; nothing if they say nothing about it. */
export function exchangesOf(deployment: Deployment, probe: Probe, plain: Plain): Exchange[] {
  const { returns, kind, method, path } = probe;
  if (returns === undefined) return [];
  if (method === 'HEAD') return headExchange(deployment, probe, plain.get(`${kind} ${returns}`));
  if (returns === 'options') return [optionsExchange(deployment, probe)];
  if (returns === 301) return [slashExchange(deployment, probe)];
  if (returns === 404 && path.split('?')[0] !== ENDPOINTS[kind].path) return [notFoundExchange(deployment, path)];
  return [negotiatedExchange(deployment, probe, plain)];
}

/** The type and the headers of a rendering, as far as the contract has them. */
export function headersOfRendering({ rules }: Build, kind: Kind, name: string): Headers {
  const more = (rules.headers as Readonly<Record<string, Headers | undefined>>)[name === 'json' ? '' : name];
  return { 'Cache-Control': rules.endpoints[kind].cacheControl, ...more };
}

export function contentTypeOf({ rules }: Build, name: string): string {
  const type = (rules.contentTypes as Readonly<Record<string, string | undefined>>)[name];
  return type ?? rules.endpoints.config.renderings.find((rendering) => rendering.name === name)?.mediaType ?? '';
}

const SAME_HEADERS = ['Content-Type', 'Cache-Control', 'Vary', 'Allow', 'ETag', 'Content-Length'];

/** RFC 9110, §9.3.2: the header fields that GET would have; it may leave out Content-Length. */
function headExchange({ url, build }: Deployment, probe: Probe, get: HttpResponse | undefined): Exchange[] {
  if (get === undefined) return [];
  const id = 'method/head';
  const message = `HEAD ${title(probe.kind)} differs from GET.`;
  const hint = `See ${build.rulesAt}.`;
  const also = (response: HttpResponse): Result[] => {
    const length = headerOf(response, 'Content-Length') === undefined ? undefined : String(get.bytes);
    const wanted = { headers: { ...get.headers, 'content-length': length } as Headers };
    return SAME_HEADERS.map((name) => {
      const [expected, found] = [headerText(wanted, name), headerText(response, name)];
      return judged(id, expected === found, message, { expected, found, hint });
    });
  };
  return [{ id, request: requestOf(probe, url), is: get.status, message, hint, also }];
}

export function optionsExchange({ url, build }: Deployment, probe: Probe): Exchange {
  const { name, path } = ENDPOINTS[probe.kind];
  return {
    id: 'method/options',
    request: requestOf(probe, url),
    is: (response) => response.status === 200 && (jsonOf(response) as { name?: unknown } | undefined)?.name === name,
    expected: `200 with ${path.slice(1)}options.json`,
    message: `OPTIONS ${title(probe.kind)} does not describe the endpoint.`,
    hint: `Many hosts and CDNs handle OPTIONS themselves: forward it on ${path}; see ${build.rulesAt}.`,
    also: (response) => endpointResults(build, probe.kind, response),
  };
}

/** The methods that themecast refuses, with their statuses; without a body. */
export function refusedExchanges({ url, build }: Deployment, kind: Kind): Exchange[] {
  return (['POST', 'PUT'] as const).map((method) => {
    const status = method === 'POST' && kind === 'list' ? 403 : 405;
    const body = status === 403 ? build.rules.refusals.post : detail(`Method "${method}" not allowed.`);
    return {
      id: status === 403 ? 'method/post' : 'method/not-allowed',
      request: requestTo(url, ENDPOINTS[kind].path, { method, headers: { 'Content-Length': '0' } }),
      is: (response) => {
        const { detail: reason } = { detail: undefined, ...(jsonOf(response) as object | undefined) };
        return response.status === status && typeof reason === 'string';
      },
      expected: `${status} ${body}`,
      found: (response) => `${statusOf(response)} ${startOf(response)}`,
      message: `${method} ${title(kind)} is not rejected with a reason.`,
      hint: `A client would assume that its change succeeded, or not know why it did not: see ${build.rulesAt}.`,
      also: (response) => endpointResults(build, kind, response, build.rules.headers.error),
    };
  });
}

/** A rendering that an anonymous client asks for in some way: the same as in the usual way. */
function negotiatedExchange({ build, url }: Deployment, probe: Probe, plain: Plain): Exchange {
  const { kind, returns, what, path } = probe;
  const name = String(returns);
  const isError = typeof returns === 'number';
  const type = isError ? CONTENT_TYPES.json : contentTypeOf(build, name);
  const [status, usual] = [isError ? returns : 200, isError ? undefined : plain.get(`${kind} ${name}`)];
  const hasType = (response: HttpResponse): boolean =>
    isType(response, type) ||
    (name === 'json' && headerOf(response, 'Content-Type') === usual?.headers['content-type']);
  // Something on the way may write into each page.
  const isUsual = ({ sha256 }: HttpResponse): boolean =>
    usual === undefined || name === 'html' || sha256 === usual.sha256;
  return {
    id: path.includes('?') && returns !== 406 ? 'rendering/format' : 'rendering/accept',
    request: requestOf(probe, url),
    is: (response) => response.status === status && (isError || (hasType(response) && isUsual(response))),
    expected: isError ? String(status) : `${status}, Content-Type: ${type}`,
    found: (response) => {
      if (response.status !== status || isError) return statusOf(response);
      return `${status}, ${headerText(response, 'Content-Type')}${isUsual(response) ? '' : ', another document'}`;
    },
    message: `${title(kind)} returns an unexpected response to ${what.slice(kind.length + 1)}.`,
    hint: `The rules of the host choose the rendering by \`format\` and Accept: see ${build.rulesAt}.`,
    also: (response) => {
      if (isError) return endpointResults(build, kind, response, build.rules.headers.error);
      const page = name === 'html' ? pageResults(build, kind, response) : [];
      return [...endpointResults(build, kind, response, headersOfRendering(build, kind, name)), ...page];
    },
  };
}

function slashExchange({ url, build }: Deployment, probe: Probe): Exchange {
  const [path = '', query] = probe.path.split('?');
  const wanted = `${new URL(url).pathname.replace(/\/$/, '')}${path}/${query === undefined ? '' : `?${query}`}`;
  const details = {
    expected: `301 to ${wanted}`,
    hint: `Without 301, clients that omit the slash get an error, or a redirect that they may not cache. Behind a CDN a host knows neither its public name nor its port, so Location must contain only the path and the query: see ${build.rulesAt}.`,
  };
  const locationOf = (response: HttpResponse): string => headerOf(response, 'Location') ?? '';
  return {
    id: 'path/slash',
    request: requestOf(probe, url),
    is: (response) =>
      [301, 308].includes(response.status) && leadsTo(locationOf(response), url, [new URL(wanted, url).href]),
    message: 'A path without its trailing slash is not redirected to it.',
    ...details,
    also: (response) => [
      judged(
        'path/slash-relative',
        locationOf(response).startsWith('/'),
        'The redirect to the trailing slash is absolute.',
        { ...details, found: statusOf(response) },
      ),
      ...headerResults(build, 'A redirect', response),
    ],
  };
}

export function leadsTo(location: string, from: string, targets: readonly string[]): boolean {
  return URL.canParse(location, from) && targets.includes(new URL(location, from).href);
}

export function notFoundExchange({ url, build }: Deployment, path: string): Exchange {
  return {
    id: 'path/not-found',
    request: requestTo(url, path, { headers: { Accept: 'application/json' } }),
    is: 404,
    message: 'A path below LIST exists that must not.',
    hint: `The files of dist/ must be served only through the two endpoints: see ${build.rulesAt}.`,
    also: (response) => headerResults(build, 'An error', response, build.rules.headers.error),
  };
}

/** Whether a page of an anonymous client is that of this build; if something on the way has written into it, whether its text is. */
function pageResults(build: Build, kind: Kind, response: HttpResponse): Result[] {
  const file = build.files.get(`${ENDPOINTS[kind].path.slice(1)}browse.html`);
  if (file === undefined) return [];
  const isSame = response.sha256 === file.sha256;
  const isStale = !isSame && isStalePage(build, kind, anonymousTheme(build), response);
  const details = {
    expected: `${file.path}, ${count(file.bytes, 'byte')}`,
    found: `another page, ${count(response.bytes, 'byte')}`,
  };
  const shows = judged('page/theme', !isStale, `The page of ${title(kind)} does not show the document of this build.`, {
    ...details,
    hint: 'Upload phase 2 of manifest.json again, and purge the caches in front.',
  });
  if (isStale) return [shows];
  const hint =
    'A proxy or CDN modifies pages (analytics, e-mail protection), or the upload of phase 2 of manifest.json is incomplete.';
  return [shows, judged('page/document', isSame, 'The browsable page is modified.', { ...details, hint })];
}

/** The page, or another rendering than JSON, as one requester whose JSON is right: it must be of the same theme and build. */
export function renderingExchange(deployment: Deployment, probe: Probe, theme: string): Exchange {
  const { url, build } = deployment;
  const { kind, returns } = probe;
  const name = String(returns);
  const isPage = name === 'html';
  const themeIn = (response: HttpResponse): string | undefined =>
    themeOf(build, response, name) ?? (isPage && !isStalePage(build, 'config', theme, response) ? theme : undefined);
  return {
    id: isPage ? 'page/theme' : 'style/document',
    request: requestOf(probe, url),
    is: (response) => response.status === 200 && themeIn(response) === theme,
    expected: `${themeName(build, theme)}, sha256 ${shortHash(digestOf(build, kind, name, theme) ?? '')}`,
    found: (response) => {
      if (response.status !== 200) return statusOf(response);
      const served = themeIn(response);
      if (served !== undefined) return themeName(build, served);
      return isPage ? 'a page of another theme or build' : `no ${name} of this build: ${startOf(response)}`;
    },
    message: `The ${isPage ? 'page' : name} of CONFIG shows a different theme from its JSON.`,
    hint: `The host must choose both by user, from phase 2 of manifest.json, and caches in front must store neither: see ${build.rulesAt}.`,
    also: (response) => {
      const type = isPage ? {} : { 'Content-Type': contentTypeOf(build, name) };
      return endpointResults(build, kind, response, { ...headersOfRendering(build, kind, name), ...type });
    },
  };
}

/** Whether a page does not show the document of this build. Something on the way may write into pages, so the text of it counts. */
function isStalePage(build: Build, kind: Kind, theme: string, response: HttpResponse): boolean {
  const isPage = response.status === 200 && headerOf(response, 'Content-Type')?.startsWith('text/html') === true;
  const record = build.list[build.rules.themes.indexOf(theme)];
  const document = kind === 'list' ? build.list : record && configRecord(record);
  const text = [...prettyJson(document)].map((token) => token.text).join('');
  return isPage && response.end === 'complete' && !lettersOf(textOf(response)).includes(lettersOf(text));
}

/** The letters and digits of a page, without its tags and entities. */
function lettersOf(html: string): string {
  return html.replaceAll(/<[^<>]*>|&[^&;]{1,8};|[^\p{L}\p{N}]/gu, '');
}
