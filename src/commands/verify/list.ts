import { count, firstOf, printable } from '../../core/diagnostics/quote.ts';
import { LIST_FILE } from '../../core/document/endpoint.ts';
import type { ThemeRecord } from '../../core/document/record.ts';
import type { Build } from '../../hosts/published-build.ts';
import { type HttpResponse, jsonOf, type Outcome, shortHash, startOf, statusOf } from '../../system/http/exchange.ts';
import { FIELDS } from '../../core/theme/fields.ts';
import type { Deployment } from './build.ts';
import { type ContractRow, judge } from './judge.ts';
import { fault, passed, type Result, verdict } from './result.ts';

/** Whether a response to the first request equals the list of the build. */
export function isListOf({ files }: Build, outcome: Outcome | undefined): outcome is HttpResponse {
  const isResponse = outcome !== undefined && !('noResponse' in outcome);
  return isResponse && outcome.status === 200 && outcome.sha256 === files.get(LIST_FILE)?.sha256;
}

/** Judges the first response: LIST must respond, with the list of this build. */
export function judgeList(deployment: Deployment, row: ContractRow, response: HttpResponse): Result[] {
  const { url, build } = deployment;
  const id = 'list/document';
  if (response.status !== 200)
    return [
      fault(id, 'LIST does not respond with 200.', {
        expected: '200',
        found: statusOf(response),
        hint: statusHint(deployment, response),
      }),
    ];
  const records = jsonOf(response);
  if (!isList(records)) return [notListFault(build, response, records)];
  const sha = shortHash(build.files.get(LIST_FILE)?.sha256 ?? '');
  const document = passed(id, count(records.length, 'complete record'));
  if (!isListOf(build, response)) return [document, staleFault(build, response, records, sha)];
  const { baseUrl } = build.rules;
  return [
    document,
    passed('list/build', `this build (sha256 ${sha})`),
    verdict('list/base-url', baseUrl === url, 'This build is for another URL: its documents link to images there.', {
      expected: `base_url ${url}`,
      found: `base_url ${baseUrl}`,
      hint: `Ignore this for an origin behind its public name; otherwise build with \`--base-url ${url}\`.`,
      url,
    }),
    ...judge(deployment, row, response),
  ];
}

/** Returns whether a document is a list of records that have every field, and at least one. */
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
  const start = startOf(response);
  const content = start.startsWith('<') ? 'an HTML page' : json === undefined ? 'not JSON' : 'other JSON';
  return fault('list/document', 'LIST is not a list of themes.', {
    expected: `a JSON array of ${count(list.length, 'record')} with ${Object.keys(FIELDS).length} fields`,
    found: `${content}: ${start}`,
    hint: `LIST must serve ${LIST_FILE} of this build, not a page or a directory listing. Check the URL, and see ${rulesAt}.`,
  });
}

function staleFault(build: Build, response: HttpResponse, records: readonly ThemeRecord[], sha: string): Result {
  return fault('list/build', 'LIST does not match this build: it is stale, or another build is deployed.', {
    expected: `${count(build.list.length, 'theme')}, sha256 ${sha}`,
    found: `${count(records.length, 'theme')}, sha256 ${shortHash(response.sha256)}; ${difference(build, records)}`,
    hint: `Upload all of dist/ again, or build the deployed commit with the same users, \`--base-url\` and \`media_url\`. A cache in front may still hold the old list (${build.rules.endpoints.list.cacheControl}): repeat with \`--wait 120\`.`,
  });
}

const MAX_NAMED_THEMES = 3;

/** Describes how the themes of a live list differ from the themes of the build. */
function difference({ list }: Build, live: readonly ThemeRecord[]): string {
  const textsOf = (records: readonly ThemeRecord[]): Map<number, string> =>
    new Map(records.map((record) => [record.id, JSON.stringify(record)]));
  const [liveTexts, texts] = [textsOf(live), textsOf(list)];
  const kinds = [
    ['missing', list.filter(({ id }) => !liveTexts.has(id))],
    ['unknown here', live.filter(({ id }) => !texts.has(id))],
    ['different', list.filter(({ id }) => liveTexts.has(id) && liveTexts.get(id) !== texts.get(id))],
  ] as const;
  const parts = kinds.flatMap(([word, records]) => {
    const names = records.map(({ id, name }) => `${printable(name)} (${id})`);
    return names.length === 0 ? [] : [`${word}: ${firstOf(names, MAX_NAMED_THEMES)}`];
  });
  return parts.length === 0 ? 'the same themes in different bytes: the JSON is modified in transit' : parts.join('; ');
}

function statusHint({ url, build }: Deployment, { status, headers }: HttpResponse): string {
  const at = new URL(url).origin + build.rules.basePath;
  if (headers['location'] !== undefined)
    return 'Redirects are not followed: verify the target URL. If LIST redirects to itself, a proxy in front probably requests this server by http: let it use https (on Cloudflare, the SSL mode "Full (strict)"), or the server believe X-Forwarded-Proto. Except the paths of the service from a rule that removes the slash at the end.';
  if (status === 401 || status === 403) return 'A login or a firewall protects the service; LIST must be public.';
  if (status === 404 && at !== url) return `This build is served below ${at}: verify that URL.`;
  return `LIST must serve ${LIST_FILE}: upload all of dist/ and load the rules. See ${build.rulesAt}.`;
}
