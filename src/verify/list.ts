import { count, printable } from '../diagnostics/quote.ts';
import type { ThemeRecord } from '../document/record.ts';
import { LIST, LIST_FILE } from '../document/endpoint.ts';
import { FIELDS } from '../theme/fields.ts';
import { type Deployment, type LiveList, title } from './build.ts';
import type { Build } from '../hosts/published-build.ts';
import {
  type HttpResponse,
  jsonOf,
  type NoResponse,
  type Request,
  requestTo,
  shortHash,
  statusOf,
  textOf,
  urlOf,
  WHOLE,
} from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { fault, type Result, judged, passed } from './result.ts';
import { cacheNamed, endpointResults, shown } from './headers.ts';
import { difference, otherBase } from './list-difference.ts';
import { ENDPOINTS, type Gets, kindsOf } from './methods.ts';

/** GET LIST as a program sends it. */
export function listRequest({ url }: Deployment, headers: Request['headers'] = {}): Request {
  return requestTo(url, LIST.path, { headers: { Accept: 'application/json', ...headers }, ...WHOLE });
}

/** Whether a response to {@link listRequest} equals the list of the build. */
export function isListOf({ files }: Build, outcome: HttpResponse | NoResponse): boolean {
  return !('noResponse' in outcome) && outcome.status === 200 && outcome.sha256 === files.get(LIST_FILE)?.sha256;
}

/** The themes of a response; undefined if it is not a list of complete theme records. */
export function liveList(build: Build, response: HttpResponse): LiveList | undefined {
  const value = response.status === 200 ? jsonOf(response) : undefined;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return undefined;
  return { records: value, isCurrent: isListOf(build, response) };
}

function isRecord(value: unknown): value is ThemeRecord {
  const isObject = typeof value === 'object' && value !== null;
  if (!isObject || !Object.keys(FIELDS).every((field) => field in value)) return false;
  const { id, name } = value as Record<string, unknown>;
  return Number.isInteger(id) && typeof name === 'string';
}

/** Checks the first response. */
export function listResults(
  deployment: Deployment,
  request: Request,
  response: HttpResponse,
  live: LiveList | undefined,
): Result[] {
  const { build } = deployment;
  const status = judged('list/status', response.status === 200, 'LIST does not respond with 200.', {
    expected: '200',
    found: statusOf(response),
    hint: statusHint(deployment, urlOf(request), response),
  });
  if (!status.ok) return [status];
  const document = documentResult(build, response, live);
  if (live === undefined) return [status, document];
  const { endpoints, contentTypes } = build.rules;
  const headers = { 'Content-Type': contentTypes.json, 'Cache-Control': endpoints.list.cacheControl };
  return [
    status,
    document,
    buildResult(build, response, live),
    baseUrlResult(deployment, live),
    ...endpointResults(build, 'list', response, headers),
  ];
}

function documentResult({ list, rulesAt }: Build, response: HttpResponse, live: LiveList | undefined): Result {
  if (live !== undefined) return passed('list/document', count(live.records.length, 'complete record'));
  const text = textOf(response).trimStart();
  const start = printable(text.slice(0, 60).replaceAll(/\s+/g, ' '));
  const what = text.startsWith('<') ? 'an HTML page' : jsonOf(response) === undefined ? 'not JSON' : 'other JSON';
  return fault('list/document', 'LIST is not a list of themes.', {
    expected: `a JSON array of ${count(list.length, 'record')} with ${Object.keys(FIELDS).length} fields`,
    found: `${what}: ${start}`,
    hint: text.startsWith('<')
      ? `This is a page of the server or a directory listing: LIST must serve ${LIST_FILE}; see ${rulesAt}.`
      : `LIST must serve ${LIST_FILE} of this build. Check the URL, and see ${rulesAt}.`,
  });
}

function buildResult(build: Build, response: HttpResponse, live: LiveList): Result {
  const base = otherBase(build.list, live.records);
  const sha = shortHash(build.files.get(LIST_FILE)?.sha256 ?? '');
  if (live.isCurrent) return passed('list/build', `this build (sha256 ${sha})`);
  return fault('list/build', 'LIST does not match this build: it is stale, or another build is deployed.', {
    expected: `${count(build.list.length, 'theme')}, sha256 ${sha}`,
    found: `${count(live.records.length, 'theme')}, sha256 ${shortHash(response.sha256)}${difference(build, live, base)}`,
    hint: staleHint(build, response, base),
  });
}

/** A cache may store the list of the previous build for a while: report that and for how long. */
function staleHint({ rules }: Build, response: HttpResponse, base: string | undefined): string {
  if (base !== undefined)
    return 'The same themes were built with another `--base-url` or `media_url`: build with the values of the deployment and verify again. `themecast serve` uses its own address: to verify it, build with that as `--base-url`.';
  const cache = cacheNamed(response);
  const stored = `This response came through a cache (${cache}), which may store it: ${rules.endpoints.list.cacheControl}.`;
  return `${cache === '' ? '' : `${stored} `}Upload phase 2 of manifest.json, or build the deployed commit. \`--wait 120\` waits for the deployment.`;
}

function baseUrlResult({ url, build }: Deployment, { isCurrent }: LiveList): Result {
  const details = {
    expected: `base_url ${url}`,
    found: `base_url ${build.rules.baseUrl}`,
    hint: `Ignore this for an origin behind its public name; otherwise build with \`--base-url ${url}\`.`,
    url,
  };
  const message = 'This build is for another URL: its documents link to images there.';
  return judged('list/base-url', !isCurrent || build.rules.baseUrl === url, message, details);
}

function statusHint({ url, build }: Deployment, list: string, { status, headers }: HttpResponse): string {
  const { location } = headers;
  if (location !== undefined) return redirectHint(list, location);
  if (status === 401 || status === 403) return 'A login or a firewall protects the service; LIST must be public.';
  const at = new URL(url).origin + build.rules.basePath;
  if (status === 404 && at !== url) return `This build is served below ${at}: verify that URL.`;
  return `LIST must serve ${LIST_FILE}: upload all of dist/ and load the rules. See ${build.rulesAt}.`;
}

function redirectHint(list: string, location: string): string {
  const target = URL.canParse(location, list) ? new URL(location, list).href : location;
  if (target === list)
    return 'A redirect to itself: a proxy in front probably requests this server by http, and the server redirects to https. Let the proxy use https (on Cloudflare, the SSL mode "Full (strict)"), or the server believe its X-Forwarded-Proto.';
  if (`${target}/` === list)
    return 'A rule of the server removes the slash at the end, and the path without it redirects back: except the paths of the service from that rule.';
  return `Redirects are not followed: verify the target URL.`;
}

/** Sends the ETag of LIST back: 304 saves every client the download (RFC 9110, §13.1.2). */
export function conditionalExchange(deployment: Deployment, list: HttpResponse): Exchange[] {
  const etag = list.headers['etag'];
  if (etag === undefined) return [];
  const request = listRequest(deployment, { 'If-None-Match': etag });
  const judge = (response: HttpResponse): Result[] => [
    judged('list/conditional', response.status === 304, 'LIST does not respond with 304 to its own ETag.', {
      expected: '304',
      found: statusOf(response),
      hint: 'Clients download the list again although it is unchanged.',
    }),
  ];
  return [{ id: 'list/conditional', request, judge }];
}

/** An ETag that no response has had must get 200: clients that get 304 never see another build (RFC 9110, §13.1.2). */
export function unknownTagExchanges({ url, build }: Deployment, gets: Gets): Exchange[] {
  return kindsOf(gets).map((kind) => {
    const headers = { Accept: 'application/json', 'If-None-Match': '"themecast-verify"' };
    const request = requestTo(url, ENDPOINTS[kind].path, { headers });
    const id = `${kind}/validator` as const;
    const judge = (response: HttpResponse): Result[] => [
      judged(id, response.status === 200, `${title(kind)} does not respond with 200 to an unknown ETag.`, {
        expected: '200',
        found: statusOf(response),
        hint: `With 304, clients keep an old document for ever: see ${build.rulesAt}.`,
      }),
    ];
    return { id, request, judge };
  });
}

/** Two renderings must not share a strong ETag: a client with one would get 304 for the other (RFC 9110, §8.8.3). */
export function listValidator(
  { url, build }: Deployment,
  list: HttpResponse,
  page: HttpResponse | undefined,
): Result[] {
  const { etag } = list.headers;
  if (etag === undefined || page === undefined) return [];
  return [
    judged('list/validator', page.headers['etag'] !== etag, 'The JSON of LIST and its page have the same ETag.', {
      expected: 'different ETags',
      found: shown(page, 'ETag'),
      hint: `A browser that cached the page would get 304 for the JSON: see ${build.rulesAt}.`,
      url: url + LIST.path,
    }),
  ];
}
