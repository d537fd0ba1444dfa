import { count, printable } from '../diagnostics/quote.ts';
import { LIST, LIST_FILE } from '../document/endpoint.ts';
import type { ThemeRecord } from '../document/record.ts';
import type { Build } from '../hosts/published-build.ts';
import {
  type HttpResponse,
  jsonOf,
  type Outcome,
  type Request,
  requestTo,
  shortHash,
  statusOf,
  textOf,
  urlOf,
  WHOLE,
} from '../http/exchange.ts';
import { FIELDS } from '../theme/fields.ts';
import type { Exchange } from './ask.ts';
import type { Deployment } from './build.ts';
import type { Responded } from './config-theme.ts';
import { cacheNamed, endpointResults } from './headers.ts';
import { difference, otherBase } from './list-difference.ts';
import { fault, judged, passed, type Result } from './result.ts';

/** GET LIST as a program sends it. */
export function listRequest({ url }: Deployment, headers: Request['headers'] = {}): Request {
  return requestTo(url, LIST.path, { headers: { Accept: 'application/json', ...headers }, ...WHOLE });
}

/** Whether a response to {@link listRequest} equals the list of the build. */
export function isListOf({ files }: Build, outcome: Outcome | undefined): outcome is HttpResponse {
  const isResponse = outcome !== undefined && !('noResponse' in outcome);
  return isResponse && outcome.status === 200 && outcome.sha256 === files.get(LIST_FILE)?.sha256;
}

/** The first request: LIST is there, and the list of this build. */
export function listExchange(deployment: Deployment): Exchange {
  const request = listRequest(deployment);
  return {
    id: 'list/status',
    request,
    is: 200,
    message: 'LIST does not respond with 200.',
    hint: (response) => statusHint(deployment, urlOf(request), response),
    also: (response) => listResults(deployment, response),
  };
}

/** LIST at each declared hostname where CONFIG responds. */
export function hostnameExchanges(
  deployment: Deployment,
  list: HttpResponse,
  responded: readonly Responded[],
): Exchange[] {
  const names = responded.flatMap(({ requester: { headers } }) => headers['Host'] ?? []);
  return names.map((Host) => ({
    id: 'list/status',
    request: listRequest(deployment, { Host }),
    is: (response) => response.status === 200 && response.sha256 === list.sha256,
    expected: '200 with the same list',
    found: (response) => (response.status === 200 ? 'another document' : statusOf(response)),
    message: 'LIST is missing, or another one, at another hostname.',
    hint: `Every declared hostname must lead to the same service: see ${deployment.build.rulesAt}.`,
  }));
}

function listResults({ url, build }: Deployment, response: HttpResponse): Result[] {
  const { endpoints, contentTypes, baseUrl } = build.rules;
  const records = jsonOf(response);
  if (!isList(records)) return [notListFault(build, response, records)];
  const document = passed('list/document', count(records.length, 'complete record'));
  const sha = shortHash(build.files.get(LIST_FILE)?.sha256 ?? '');
  if (!isListOf(build, response)) return [document, staleFault(build, response, records, sha)];
  const message = 'This build is for another URL: its documents link to images there.';
  const headers = { 'Content-Type': contentTypes.json, 'Cache-Control': endpoints.list.cacheControl };
  return [
    document,
    passed('list/build', `this build (sha256 ${sha})`),
    judged('list/base-url', baseUrl === url, message, {
      expected: `base_url ${url}`,
      found: `base_url ${baseUrl}`,
      hint: `Ignore this for an origin behind its public name; otherwise build with \`--base-url ${url}\`.`,
      url,
    }),
    ...endpointResults(build, 'list', response, headers),
  ];
}

/** Whether a document is a list of complete theme records. */
function isList(value: unknown): value is ThemeRecord[] {
  const isRecord = (record: unknown): boolean => {
    const isObject = typeof record === 'object' && record !== null;
    if (!isObject || !Object.keys(FIELDS).every((field) => field in record)) return false;
    const { id, name } = record as Record<string, unknown>;
    return Number.isInteger(id) && typeof name === 'string';
  };
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function notListFault({ list, rulesAt }: Build, response: HttpResponse, json: unknown): Result {
  const text = textOf(response).trimStart();
  const start = printable(text.slice(0, 60).replaceAll(/\s+/g, ' '));
  const what = text.startsWith('<') ? 'an HTML page' : json === undefined ? 'not JSON' : 'other JSON';
  return fault('list/document', 'LIST is not a list of themes.', {
    expected: `a JSON array of ${count(list.length, 'record')} with ${Object.keys(FIELDS).length} fields`,
    found: `${what}: ${start}`,
    hint: text.startsWith('<')
      ? `This is a page of the server or a directory listing: LIST must serve ${LIST_FILE}; see ${rulesAt}.`
      : `LIST must serve ${LIST_FILE} of this build. Check the URL, and see ${rulesAt}.`,
  });
}

/** A cache may store the list of the previous build for a while: reports that and for how long. */
function staleFault(build: Build, response: HttpResponse, records: readonly ThemeRecord[], sha: string): Result {
  const base = otherBase(build.list, records);
  const cache = cacheNamed(response);
  const stored = `This response came through a cache (${cache}), which may store it: ${build.rules.endpoints.list.cacheControl}. `;
  return fault('list/build', 'LIST does not match this build: it is stale, or another build is deployed.', {
    expected: `${count(build.list.length, 'theme')}, sha256 ${sha}`,
    found: `${count(records.length, 'theme')}, sha256 ${shortHash(response.sha256)}${difference(build, records, base)}`,
    hint:
      base === undefined
        ? `${cache === '' ? '' : stored}Upload phase 2 of manifest.json, or build the deployed commit. \`--wait 120\` waits for the deployment.`
        : 'The same themes were built with another `--base-url` or `media_url`: build with the values of the deployment and verify again. `themecast serve` uses its own address: to verify it, build with that as `--base-url`.',
  });
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
