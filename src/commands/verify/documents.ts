import { isDeepStrictEqual } from 'node:util';
import { count, printable } from '../../core/diagnostics/quote.ts';
import { CONFIG, LIST_FILE } from '../../core/document/endpoint.ts';
import { prettyJson } from '../../core/document/page/pretty-json.ts';
import { configRecord } from '../../core/document/record.ts';
import { FORMATS, sniffFormat } from '../../core/image/format.ts';
import { FIELDS } from '../../core/theme/fields/fields.ts';
import { type Build, defaultTheme } from '../../hosts/contract/published-build.ts';
import { secretOf } from '../../hosts/contract/secrets.ts';
import {
  type HttpResponse,
  jsonOf,
  type Outcome,
  shortHash,
  excerptOf,
  statusOf,
  textOf,
} from '../../system/http/exchange.ts';
import { anonymousTheme, type Deployment, isLoopback, type Requester, themeName, themeOf } from './build.ts';
import {
  ALLOW_CREDENTIALS,
  ALLOW_ORIGIN,
  cookiesOf,
  effectsOf,
  headerOf,
  headerText,
  members,
  typeOf,
} from './headers.ts';
import { judge, type Judge, type Row } from './judge.ts';
import { needsProxy, unverifiedResult } from './requesters.ts';
import { fault, passed, type Result, verdict } from './result.ts';

/** Judges what a build expects besides status and headers: its bytes, and no header that breaks clients. */
export function documentResults(deployment: Deployment): Judge {
  const { identity } = deployment.build.rules;
  const identityCookies = identity.flatMap(({ credential }) =>
    credential.from === 'cookie' ? [credential.name] : credential.from === 'jwt' ? (credential.cookie ?? []) : [],
  );
  return (row, response) => {
    const { id, what, kind, request, expected, only } = row;
    const isClosed = expected.headers[ALLOW_ORIGIN.toLowerCase()] === undefined;
    const foreign = request.headers['Origin'] !== undefined && isClosed ? [foreignResult(row, response)] : [];
    if (only !== undefined) return foreign;
    const { 'cache-control': cacheControl = '' } = expected.headers;
    const effects = effectsOf(response, { isImage: id === 'media/image', cacheControl, identityCookies });
    return [
      ...foreign,
      ...effects.map(({ name, hint }) => {
        const found = name === 'Set-Cookie' ? `${name}: ${cookiesOf(response).join(', ')}` : headerText(response, name);
        const message = `${kind?.toUpperCase() ?? what} has a header that breaks clients: ${name}.`;
        return fault('headers/effect', message, { expected: `no such ${name} header`, found, hint });
      }),
      ...(row.coding === undefined ? [] : codingResults(row, response, row.coding)),
      ...bodyResults(deployment, row, response),
    ];
  };
}

/** Checks that pages of an origin outside `allowed_origins` cannot read the response. */
function foreignResult({ what, request: { headers } }: Row, response: HttpResponse): Result {
  const isClosed = headerOf(response, ALLOW_ORIGIN) === undefined;
  return verdict('cors/foreign', isClosed, `Pages of any origin can read ${what}.`, {
    expected: `no ${ALLOW_ORIGIN} header for Origin: ${headers['Origin']}`,
    found: [ALLOW_ORIGIN, ALLOW_CREDENTIALS].map((name) => headerText(response, name)).join(', '),
  });
}

/** Checks that a coding was requested, and that caches keep it apart. */
function codingResults({ id, what }: Row, response: HttpResponse, coding: string): Result[] {
  const used = headerOf(response, 'Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (used === 'identity') return [];
  const names = members(headerOf(response, 'Vary'));
  const isVaried = ['accept-encoding', '*'].some((name) => names.includes(name));
  return [
    verdict(id, [coding, `x-${coding}`].includes(used), `${what} has another coding.`, {
      expected: coding,
      found: headerText(response, 'Content-Encoding'),
    }),
    verdict('compression/cache', isVaried, 'A compressed document does not list Accept-Encoding in Vary.', {
      expected: 'Accept-Encoding in Vary',
      found: headerText(response, 'Vary'),
    }),
  ];
}

/** Compares a body with the bytes of this build, and says whose document it is. */
function bodyResults(deployment: Deployment, row: Row, response: HttpResponse): Result[] {
  const { build } = deployment;
  const { id, what, request, rendering, kind, requester, expected } = row;
  const { status, file, text } = expected;
  if (request.method === 'HEAD') {
    // HEAD may omit the length (RFC 9110, §9.3.2); a page may be longer, and a compressed document shorter.
    const length = headerOf(response, 'Content-Length') ?? String(file?.bytes);
    const isOther = rendering !== 'html' && headerOf(response, 'Content-Encoding') === undefined;
    const isRight = file === undefined || !isOther || length === String(file.bytes);
    const details = { expected: `Content-Length: ${file?.bytes}`, found: headerText(response, 'Content-Length') };
    return [verdict('method/head', isRight, `${what} differs from GET.`, details)];
  }
  const isSame = isFile(row, response);
  if (status >= 400 || request.method === 'OPTIONS') {
    const { name, detail } = (jsonOf(response) ?? {}) as { name?: unknown; detail?: unknown };
    // A proxy may reformat metadata, and the host send its own page for other errors.
    const isRight = isSame || typeof (status >= 400 ? detail : name) === 'string' || [404, 406].includes(status);
    const details = {
      expected: text || `${status} with ${file?.path}`,
      found: `${statusOf(response)} ${excerptOf(response)}`,
    };
    return [verdict(id, isRight, `${what} has another response than in the contract.`, details)];
  }
  if (status !== 200 || file === undefined) return [];
  const isPersonal = kind === 'config' && requester !== undefined;
  if (isPersonal && rendering === 'json' && id === 'config/theme') return themeResults(deployment, requester, response);
  if (isSame || (rendering === 'html' && showsDocument(build, row, response))) return [];
  const served = kind === 'config' ? themeOf(build, response, rendering) : undefined;
  return [
    fault(id, `${what} is not the document of this build${isPersonal ? ' and of the theme of its user' : ''}.`, {
      expected: isPersonal ? themeName(build, requester.theme) : `${file.path}, sha256 ${shortHash(file.sha256)}`,
      found: served === undefined ? contentOf(response) : themeName(build, served),
    }),
  ];
}

/** Whether a response has the bytes that are expected. */
export function isFile({ expected: { file } }: Row, { end, sha256 }: HttpResponse): boolean {
  return end === 'complete' && sha256 === file?.sha256;
}

/** Describes a wrong body: `an image in WebP, 50 bytes, sha256 3f2a9c01…`. */
function contentOf(response: HttpResponse): string {
  const { end, sha256, start } = response;
  const coding = headerOf(response, 'Content-Encoding') && `, ${headerText(response, 'Content-Encoding')}`;
  const bytes = count(response.bytes, 'byte');
  if (end !== 'complete') return `${end} after ${bytes}${coding ?? ''}`;
  const sniffed = sniffFormat(start);
  const content = 'format' in sniffed ? `an image in ${FORMATS[sniffed.format].name}` : sniffed.other;
  const text = 'format' in sniffed ? '' : `: ${excerptOf(response)}`;
  return `${content}, ${bytes}, sha256 ${shortHash(sha256)}${coding ?? ''}${text}`;
}

/** Whether a page shows its document. Only its letters and digits are compared, because a proxy may modify pages. */
function showsDocument(build: Build, { kind, requester }: Row, response: HttpResponse): boolean {
  const record = build.list[build.rules.themes.indexOf(requester?.theme ?? anonymousTheme(build))];
  const document = kind === 'list' ? build.list : record && configRecord(record);
  const text = [...prettyJson(document)].map((token) => token.text).join('');
  const isPage = typeOf(response)?.startsWith('text/html') === true && response.end === 'complete';
  return isPage && lettersOf(textOf(response)).includes(lettersOf(text));
}

function lettersOf(html: string): string {
  return html.replaceAll(/<[^<>]*>|&[^&;]{1,8};|[^\p{L}\p{N}]/gu, '');
}

/** Checks that CONFIG returns the document of the requester's theme. */
function themeResults({ build, url }: Deployment, requester: Requester, response: HttpResponse): Result[] {
  const { name, theme, rule, id = 'config/theme', isOdd, hint } = requester;
  const served = themeOf(build, response);
  const isOfProxy = rule !== undefined && needsProxy(rule) && theme !== anonymousTheme(build);
  const header = rule?.credential.from === 'header' ? rule.credential.name : '';
  // Ignoring the header from this machine is right; whether the real proxy is trusted cannot be tested from here.
  if (isOfProxy && served === anonymousTheme(build)) {
    const who = `${rule.names}s by the header ${header}`;
    const remedy = 'Verify from one of the machines in `trusted_proxies`.';
    return [unverifiedResult(build, who, { why: 'only trusted proxies may send it', remedy })];
  }
  if (served === undefined && (isOdd === true || id === 'config/forged')) return [];
  if (served === theme) {
    const isUsual = requester.id === undefined && hint === undefined;
    const label = passed(id, isUsual ? `${name} → ${themeName(build, theme)}` : undefined);
    if (!isOfProxy || isLoopback(url)) return [label];
    return [label, fault('config/asked', `The header ${header} is accepted from this machine.`, TRUSTED_HERE)];
  }
  return [
    fault(id, `CONFIG serves the wrong theme to ${name === 'anonymous' ? 'anonymous clients' : printable(name)}.`, {
      expected: themeName(build, theme),
      found: served === undefined ? `no document of this build: ${excerptOf(response)}` : themeName(build, served),
      hint: `${hint ?? themeHint(build, requester, served)} See ${build.rulesAt}.`,
    }),
  ];
}

// Right if this machine is one of the trusted proxies.
const TRUSTED_HERE = {
  expected: 'accepted only from trusted proxies',
  found: 'accepted',
  hint: 'Ignore this only if this machine is among `trusted_proxies`; otherwise any client can impersonate any user.',
};

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

/** Whether a response to the first request equals the list of the build. */
export function isListOf({ files }: Build, outcome: Outcome | undefined): boolean {
  const isResponse = outcome !== undefined && !('noResponse' in outcome);
  return isResponse && outcome.status === 200 && outcome.sha256 === files.get(LIST_FILE)?.sha256;
}

/** Judges the first response: LIST must respond, with the list of this build. */
export function judgeList(deployment: Deployment): Judge {
  const { url, build } = deployment;
  const { baseUrl, endpoints } = build.rules;
  const id = 'list/document';
  return (row, response) => {
    if (response.status !== 200) {
      const hint = statusHint(deployment, response);
      return [fault(id, 'LIST does not respond with 200.', { expected: '200', found: statusOf(response), hint })];
    }
    const expected = count(build.list.length, 'theme');
    if (isListOf(build, response))
      return [
        passed(id, `${expected} of this build (sha256 ${shortHash(response.sha256)})`),
        verdict(
          'list/base-url',
          baseUrl === url,
          'This build is for another URL: its documents link to images there.',
          {
            expected: `base_url ${url}`,
            found: `base_url ${baseUrl}`,
            hint: `Ignore this for an origin behind its public name; otherwise build with \`--base-url ${url}\`.`,
          },
        ),
        ...judge(row, response),
      ];
    const records = jsonOf(response);
    const isList =
      Array.isArray(records) &&
      records.every((record) => Object.keys(FIELDS).every((field) => field in Object(record)));
    if (isList && records.length > 0)
      return [
        fault(id, 'LIST does not match this build: it is stale, or another build is deployed.', {
          expected,
          found: isDeepStrictEqual(records, build.list)
            ? 'the same themes in different bytes: the JSON is modified in transit'
            : `${count(records.length, 'theme')}, with other values`,
          hint: `Upload all of dist/ again, or build the deployed commit with the same users, \`--base-url\` and \`media_url\`. A cache in front may still hold the old list (${endpoints.list.cacheControl}): repeat with \`--wait 120\`.`,
        }),
      ];
    const hint = `LIST must serve ${LIST_FILE} of this build, not a page or a directory listing. Check the URL, and see ${build.rulesAt}.`;
    return [fault(id, 'LIST is not a list of themes.', { expected, found: contentOf(response), hint })];
  };
}

function statusHint({ url, build }: Deployment, { status, headers }: HttpResponse): string {
  const at = new URL(url).origin + build.rules.basePath;
  if (headers['location'] !== undefined)
    return 'Redirects are not followed: verify the target URL. If LIST redirects to itself, a proxy in front probably requests this server by http: let it use https (on Cloudflare, the SSL mode "Full (strict)"), or the server believe X-Forwarded-Proto. Except the paths of the service from a rule that removes the slash at the end.';
  if (status === 401 || status === 403) return 'A login or a firewall protects the service; LIST must be public.';
  if (status === 404 && at !== url) return `This build is served below ${at}: verify that URL.`;
  return `LIST must serve ${LIST_FILE}: upload all of dist/ and load the rules. See ${build.rulesAt}.`;
}
