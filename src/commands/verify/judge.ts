import { count, printable } from '../../core/diagnostics/quote.ts';
import { CONFIG } from '../../core/document/endpoint.ts';
import { prettyJson } from '../../core/document/pretty-json.ts';
import { configRecord } from '../../core/document/record.ts';
import { secretOf } from '../../hosts/secrets.ts';
import { type Build, defaultTheme } from '../../hosts/published-build.ts';
import { type HttpResponse, jsonOf, shortHash, startOf, statusOf, textOf, urlOf } from '../../system/http/exchange.ts';
import { FORMATS, sniffFormat } from '../../core/image/format.ts';
import { anonymousTheme, type Deployment, isLoopback, type Kind, type Requester, themeName, themeOf } from './build.ts';
import type { Expected } from './expected.ts';
import {
  cookiesOf,
  effectsOf,
  headerOf,
  HEADERS,
  headerText,
  isUsualReferrerPolicy,
  members,
  typeOf,
} from './headers.ts';
import { needsProxy, unverifiedResult } from './requesters.ts';
import { fault, passed, type Result, type Row, verdict } from './result.ts';

/** A row of the table: a request, and the whole response that the contract requires. */
export interface ContractRow extends Row {
  expected: Expected;
  /** Its name in messages, without its requester, so that alike faults are merged. */
  what: string;
  kind?: Kind | undefined;
  /** The name of the rendering that is requested. */
  rendering?: string | undefined;
  requester?: Requester | undefined;
  /** The earlier response to GET, which HEAD and compressed responses are compared with too. */
  get?: HttpResponse | undefined;
  /** The content coding that the request allows. */
  coding?: string;
  /** What is judged, if not everything: a gateway may answer preflights, and 304 refreshes a stored response. */
  only?: 'cors' | '304';
  /** What a passed row adds to the report. */
  label?: string;
}

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/** Compares a response with the contract: status and target, headers, then the bytes. */
export function judge(deployment: Deployment, row: ContractRow, response: HttpResponse): Result[] {
  const { id, request, requester, isOdd = false } = row;
  // A host may refuse forged and odd requests.
  if (isOdd && response.status !== 200) return [];
  const results = row.only === 'cors' ? corsResults(row, response) : responseResults(deployment, row, response);
  const isRouted = request.headers['Host'] !== undefined;
  // The report merges faults that differ only by URL, so that a fault of all themes is one.
  const who =
    requester === undefined || isRouted ? '' : ` as a requester of ${themeName(deployment.build, requester.theme)}`;
  const url = urlOf(request) + who;
  return results.map((result) => {
    if (result.ok) return result;
    return { url, ...result, ...(isRouted && result.id === id && result.hint === undefined && { hint: HOST_HINT }) };
  });
}

const HOST_HINT =
  'Add the hostname to the names of the server with the rules: another server of the same address may respond to it.';

function responseResults(deployment: Deployment, row: ContractRow, response: HttpResponse): Result[] {
  const { id, what, expected, coding, only } = row;
  const status = statusResult(row, response);
  if (status !== undefined) return [status];
  const headers = headerResults(deployment, row, response);
  if (only === '304')
    return [passed(id), ...headers.filter((result) => ['headers/cache', 'headers/vary'].includes(result.id))];
  if (coding !== undefined) return [...codingResults(deployment, row, response), ...headers];
  const type = expected.headers['content-type'];
  const essence = (text: string | undefined): string | undefined => text?.split(';')[0];
  if (id.startsWith('rendering/') && response.status === 200 && essence(typeOf(response)) !== essence(type)) {
    const found = `${response.status}, ${headerText(response, 'Content-Type')}`;
    return [
      fault(id, `${what} gets another rendering.`, { expected: `${expected.status}, Content-Type: ${type}`, found }),
    ];
  }
  return [passed(id, row.label), ...headers, ...bodyResults(deployment, row, response)];
}

function statusResult(row: ContractRow, response: HttpResponse): Result | undefined {
  const { what, request, expected, coding } = row;
  let { id } = row;
  const { status, headers } = expected;
  const target = headers['location'];
  const isSame = response.status === status || (status === 301 && response.status === 308);
  if (isSame && (target === undefined || leadsTo(response, urlOf(request), target))) return undefined;
  if (id === 'redirect/status' && response.status === 200 && typeOf(response)?.startsWith('image/') === true)
    id = 'redirect/served';
  // A missing HEAD method is no missing image.
  if (id === 'media/image' && request.method === 'HEAD' && [405, 501].includes(response.status)) id = 'method/head';
  const to = target === undefined ? '' : `to ${target}`;
  const message =
    id === 'media/image'
      ? 'An image is missing.'
      : coding === undefined
        ? `${what} does not respond with ${status}${to && `, ${to}`}.`
        : `With ${coding}, ${what} does not respond with ${status}.`;
  return fault(id, id === 'redirect/served' ? 'An old path of an image still leads to another service.' : message, {
    expected: to === '' ? String(status) : `${status} ${to}`,
    found: statusOf(response),
  });
}

/** Whether a response redirects to a target, by a path or a URL. */
function leadsTo(response: HttpResponse, from: string, target: string): boolean {
  const location = headerOf(response, 'Location') ?? '';
  return URL.canParse(location, from) && new URL(target, from).href === new URL(location, from).href;
}

/** Compares the headers of the contract by their meaning, and looks for headers that break clients. */
function headerResults({ build }: Deployment, row: ContractRow, response: HttpResponse): Result[] {
  const { id, what, request, expected, get } = row;
  const { 'content-type': type, ...others } = expected.headers;
  // The host may send its own error page.
  const wanted: Expected['headers'] =
    expected.status < 300 && type !== undefined ? { ...others, 'content-type': type } : others;
  const subject =
    id === 'path/not-found' ? 'An error' : id === 'path/slash' ? 'A redirect' : (row.kind?.toUpperCase() ?? what);
  const contract = Object.entries(HEADERS).flatMap(([name, [usualId, holds]]): Result[] => {
    const value = wanted[name.toLowerCase()];
    if (value === undefined) return [];
    const actual = headerOf(response, name);
    const isUsual = name === 'Referrer-Policy' && isUsualReferrerPolicy(actual ?? '');
    const check = isUsual ? 'headers/referrer' : usualId;
    const differs = `${subject} ${actual === undefined ? `has no ${name}` : `has another ${name}`}.`;
    const message = check === 'headers/security' ? `${name} differs from the rules.` : differs;
    return [
      verdict(check, actual !== undefined && holds(actual, value), message, {
        expected: `${name}: ${value}`,
        found: headerText(response, name),
      }),
    ];
  });
  const identityCookies = build.rules.identity.flatMap(({ credential }) =>
    credential.from === 'cookie' ? [credential.name] : credential.from === 'jwt' ? (credential.cookie ?? []) : [],
  );
  const cacheControl = wanted['cache-control'] ?? '';
  const effects = effectsOf(response, { isImage: id === 'media/image', cacheControl, identityCookies });
  const isOpen = request.headers['Origin'] !== undefined && wanted[ALLOW_ORIGIN.toLowerCase()] === undefined;
  return [
    ...contract,
    ...effects.map(({ name, hint }) => {
      const found = name === 'Set-Cookie' ? `${name}: ${cookiesOf(response).join(', ')}` : headerText(response, name);
      return fault('headers/effect', `${subject} has a header that breaks clients: ${name}.`, {
        expected: `no such ${name} header`,
        found,
        hint,
      });
    }),
    ...(isOpen ? [foreignResult(row, response)] : []),
    ...(request.method === 'HEAD' ? headResults(what, expected, get, response) : []),
  ];
}

/** Checks that pages of an origin outside `allowed_origins` cannot read the response. */
function foreignResult({ what, request: { headers } }: ContractRow, response: HttpResponse): Result {
  const isClosed = headerOf(response, ALLOW_ORIGIN) === undefined;
  return verdict('cors/foreign', isClosed, `Pages of any origin can read ${what}.`, {
    expected: `no ${ALLOW_ORIGIN} header for Origin: ${headers['Origin']}`,
    found: [ALLOW_ORIGIN, 'Access-Control-Allow-Credentials'].map((name) => headerText(response, name)).join(', '),
  });
}

/** Judges a preflight by the headers that browsers read: any successful status will do (Fetch standard, §4.8). */
function corsResults(row: ContractRow, response: HttpResponse): Result[] {
  const { headers } = row.expected;
  if (headers[ALLOW_ORIGIN.toLowerCase()] === undefined) return [foreignResult(row, response)];
  const isOk = response.status >= 200 && response.status < 300;
  if (!isOk) {
    const found = statusOf(response);
    return [fault('cors/allowed', `${row.what} does not respond with a status of 2xx.`, { expected: '2xx', found })];
  }
  return Object.entries(HEADERS).flatMap(([name, [id, holds]]): Result[] => {
    const [expected, actual] = [headers[name.toLowerCase()], headerOf(response, name)];
    if (id !== 'cors/allowed' || expected === undefined) return [];
    const message = `${row.what} has ${actual === undefined ? 'no' : 'another'} ${name}.`;
    const found = headerText(response, name);
    return [
      verdict(id, actual !== undefined && holds(actual, expected), message, {
        expected: `${name}: ${expected}`,
        found,
      }),
    ];
  });
}

/** Compares the length and the tag of HEAD with those of GET; HEAD may omit both (RFC 9110, §9.3.2). */
function headResults(
  what: string,
  { file }: Expected,
  get: HttpResponse | undefined,
  response: HttpResponse,
): Result[] {
  const length = headerOf(response, 'Content-Length');
  const lengths = [file?.bytes, get?.bytes].flatMap((bytes) => (bytes === undefined ? [] : [String(bytes)]));
  const isLong = length === undefined || lengths.length === 0 || headerOf(response, 'Content-Encoding') !== undefined;
  const tags = [get, response].map((each) => each && headerOf(each, 'ETag')?.replace(/^W\//, ''));
  const isTagged = tags[0] === undefined || tags[1] === undefined || tags[0] === tags[1];
  const message = `${what} differs from GET.`;
  return [
    verdict('method/head', isLong || lengths.includes(length), message, {
      expected: `Content-Length: ${lengths[0]}`,
      found: headerText(response, 'Content-Length'),
    }),
    verdict('method/head', isTagged, message, {
      expected: get && headerText(get, 'ETag'),
      found: headerText(response, 'ETag'),
    }),
  ];
}

/** Compares a compressed response: the decoded bytes must be the same, and caches must keep the codings apart. */
function codingResults({ build }: Deployment, row: ContractRow, response: HttpResponse): Result[] {
  const { id, what, expected, coding = '', get } = row;
  const used = headerOf(response, 'Content-Encoding')?.trim().toLowerCase() ?? '';
  const isPage = row.rendering === 'html' && row.kind !== undefined;
  const isSame =
    response.end === 'complete' &&
    ([expected.file?.sha256, isPage ? get?.sha256 : undefined].includes(response.sha256) ||
      (isPage && !isStalePage(build, row, response)));
  const isAsked = ['', 'identity', coding, `x-${coding}`].includes(used);
  if (!isSame || !isAsked || used === '' || used === 'identity')
    return [
      verdict(id, isSame && isAsked, `With ${coding}, ${what} differs from the uncompressed document.`, {
        expected: `the uncompressed document, sha256 ${shortHash(expected.file?.sha256 ?? '')}`,
        found: `${sizeOf(response)}, ${used === '' ? 'uncompressed' : headerText(response, 'Content-Encoding')}`,
      }),
    ];
  const tag = headerOf(response, 'ETag');
  const names = members(headerOf(response, 'Vary'));
  // RFC 9110, §8.8.3.3: a strong ETag identifies the encoded bytes.
  const isOwn = tag === undefined || tag.startsWith('W/') || get === undefined || tag !== headerOf(get, 'ETag');
  return [
    passed(id, used),
    verdict(
      'compression/cache',
      names.includes('accept-encoding') || names.includes('*'),
      `Compressed, ${what} does not list Accept-Encoding in Vary.`,
      {
        expected: 'Accept-Encoding in Vary',
        found: headerText(response, 'Vary'),
      },
    ),
    verdict('compression/etag', isOwn, `Compressed, ${what} has the ETag of the uncompressed document.`, {
      expected: 'another ETag, or a weak one',
      found: headerText(response, 'ETag'),
    }),
  ];
}

/** Compares a body with the bytes of this build, and says whose document it is. */
function bodyResults(deployment: Deployment, row: ContractRow, response: HttpResponse): Result[] {
  const { build } = deployment;
  const { id, what, request, rendering, kind, requester, expected } = row;
  const { status, file, text } = expected;
  if (request.method === 'HEAD') return [];
  const isSame = response.end === 'complete' && [file?.sha256, row.get?.sha256].includes(response.sha256);
  const other = (expected: string): Details => ({ expected, found: `${statusOf(response)} ${startOf(response)}` });
  if (status >= 400 || request.method === 'OPTIONS') {
    const { name, detail } = (jsonOf(response) ?? {}) as { name?: unknown; detail?: unknown };
    // A proxy may reformat metadata.
    const isRight = isSame || typeof (status >= 400 ? detail : name) === 'string';
    // The host may send its own page for other errors.
    const isJudged = status < 400 || status === 403 || status === 405;
    const message = `${what} has another response than in the contract.`;
    return isJudged
      ? [verdict(id, isRight, message, other(`${status} ${status < 400 ? `with ${file?.path}` : text}`))]
      : [];
  }
  if (status !== 200) return [];
  if (kind === 'config' && rendering === 'json' && requester !== undefined && request.headers['Origin'] === undefined)
    return themeResults(deployment, requester, response);
  if (isSame) return [];
  if (id === 'media/image') {
    const expectedBytes = `${count(file?.bytes ?? 0, 'byte')}, sha256 ${shortHash(file?.sha256 ?? '')}`;
    return [
      fault(id, 'The bytes of an image differ from this build.', {
        expected: expectedBytes,
        found: contentOf(response),
      }),
    ];
  }
  if (id === 'schema/document')
    return [
      fault(id, 'A schema or assets.json is missing, or of another build.', {
        expected: `200, ${count(file?.bytes ?? 0, 'byte')}, sha256 ${shortHash(file?.sha256 ?? '')}`,
        found: `${statusOf(response)}, ${sizeOf(response)}`,
      }),
    ];
  if (rendering === 'html') return pageResults(build, row, response);
  if (requester === undefined || kind !== 'config')
    return [
      fault(id, `${what} is not the usual document.`, {
        expected: 'the same document as for anyone',
        found: `another document: ${startOf(response)}`,
      }),
    ];
  const { format = rendering } = build.rules.endpoints.config.renderings.find(({ name }) => name === rendering) ?? {};
  const served = themeOf(build, response, rendering);
  return [
    fault('rendering/document', `The ${format} of CONFIG is not of the theme of its JSON.`, {
      expected: themeName(build, requester.theme),
      found: served === undefined ? `no ${format} of this build: ${startOf(response)}` : themeName(build, served),
    }),
  ];
}

type Details = NonNullable<Parameters<typeof fault>[2]>;

function sizeOf({ bytes, end, sha256 }: HttpResponse): string {
  const size = count(bytes, 'byte');
  return end === 'complete' ? `${size}, sha256 ${shortHash(sha256)}` : `${end} after ${size}`;
}

/** Describes a wrong image: `an image in WebP, 50 bytes, sha256 3f2a9c01…`. */
function contentOf(response: HttpResponse): string {
  const { end, sha256, start } = response;
  const sniffed = sniffFormat(start);
  const content = 'format' in sniffed ? `an image in ${FORMATS[sniffed.format].name}` : sniffed.other;
  const bytes = count(response.bytes, 'byte');
  const size = end === 'complete' ? bytes : end === 'over the limit' ? `more than ${bytes}` : `${end} after ${bytes}`;
  const coding = headerOf(response, 'Content-Encoding') && `, ${headerText(response, 'Content-Encoding')}`;
  return `${content}, ${size}, sha256 ${shortHash(sha256)}${coding ?? ''}`;
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
    return [unverifiedResult(build, { who, why: 'only trusted proxies may send it', remedy })];
  }
  if (served === undefined && (isOdd === true || id === 'config/forged')) return [];
  if (served === theme) {
    const label = passed(
      id,
      requester.id === undefined && hint === undefined ? `${name} → ${themeName(build, theme)}` : undefined,
    );
    if (!isOfProxy) return [label];
    const message = `The header ${header} is accepted from this machine.`;
    const details = { expected: 'accepted only from trusted proxies', found: 'accepted' };
    return [label, verdict('config/proxies', isLoopback(url), message, details)];
  }
  return [
    fault(id, `CONFIG serves the wrong theme to ${name === 'anonymous' ? 'anonymous clients' : printable(name)}.`, {
      expected: themeName(build, theme),
      found: served === undefined ? `no document of this build: ${startOf(response)}` : themeName(build, served),
      hint:
        id === 'config/host-case' ? undefined : `${hint ?? themeHint(build, requester, served)} See ${build.rulesAt}.`,
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

/** Checks that a page shows the document of this build. A proxy may modify pages otherwise. */
function pageResults(build: Build, row: ContractRow, response: HttpResponse): Result[] {
  const {
    kind,
    requester,
    what,
    expected: { file },
  } = row;
  const theme = kind === 'config' ? (requester?.theme ?? anonymousTheme(build)) : undefined;
  const [expected, found] = [
    `${file?.path}, ${count(file?.bytes ?? 0, 'byte')}`,
    `another page, ${count(response.bytes, 'byte')}`,
  ];
  if (!isStalePage(build, row, response))
    return requester === undefined
      ? [fault('rendering/page', 'The browsable page is modified.', { expected, found })]
      : [];
  if (theme === undefined || requester === undefined || requester.name === 'anonymous')
    return [
      fault(
        'rendering/document',
        `The page of ${kind?.toUpperCase() ?? what} does not show the document of this build.`,
        { expected, found },
      ),
    ];
  const served = themeOf(build, response, 'html');
  return [
    fault('rendering/document', 'The page of CONFIG is not of the theme of its JSON.', {
      expected: themeName(build, theme),
      found: served === undefined ? 'a page of another theme or build' : themeName(build, served),
    }),
  ];
}

/** Whether a page shows another document. Only its text is compared, because a proxy may modify pages. */
function isStalePage(build: Build, { kind, requester }: ContractRow, response: HttpResponse): boolean {
  const record = build.list[build.rules.themes.indexOf(requester?.theme ?? anonymousTheme(build))];
  const document = kind === 'list' ? build.list : record && configRecord(record);
  const text = [...prettyJson(document)].map((token) => token.text).join('');
  const isPage = typeOf(response)?.startsWith('text/html') === true;
  return !isPage || response.end !== 'complete' || !lettersOf(textOf(response)).includes(lettersOf(text));
}

/** Returns the letters and digits of a page, without its tags and entities. */
function lettersOf(html: string): string {
  return html.replaceAll(/<[^<>]*>|&[^&;]{1,8};|[^\p{L}\p{N}]/gu, '');
}
