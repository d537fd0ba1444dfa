import { CONFIG, LIST, optionsDocument } from '../../document/endpoint.ts';
import { FILE_ALLOW } from '../../edge-runtime/handler.ts';
import type { EdgeEndpoint, IdentityRule } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { MEDIA_FILE } from '../media.ts';
import { REDIRECT_HEADERS } from '../../edge-runtime/handler.ts';
import { redirectPairs } from '../redirects.ts';
import { corsFunction } from './cors.ts';
import { storeKey } from './key-value-store.ts';
import { eventHeaders, jsonLiteral, functionCode } from './syntax.ts';
import { identityCode } from './viewer-identity.ts';

// The functions keep to what AWS lists for cloudfront-js-2.0 ("JavaScript runtime 2.0 features for CloudFront Functions"): ES 5.1 with
// const and let, arrow functions, template literals, async and await. There is no destructuring, spread, for-of, default parameter,
// `?.`, `??` or Map, so the handler of src/edge-runtime does not run there. `await` stands alone, after `=` or after `return`: AWS
// supports it in no argument, and njs 0.7.9, an engine of the same kind, crashes there.

/** `viewer-request.js`: responds without a file, or maps the request to its file. */
export function viewerRequest(rules: EdgeRules): string {
  const { list, config } = rules.endpoints;
  const tokens = rules.identity.some(({ credential }) => credential.from === 'jwt');
  const hosts = rules.identity.some(({ credential }) => credential.from === 'host');
  return functionCode(
    'viewer-request.js',
    `// themecast: viewer-request function for cloudfront-js-2.0. Generated from site.yaml: edit that file instead.
import cf from 'cloudfront';
${tokens || rules.keyed ? "import crypto from 'crypto';\n" : ''}
const ENDPOINTS = ${jsonLiteral({ [list.path]: endpoint(list, rules), [config.path]: endpoint(config, rules) })};
// Format, media type and file of each rendering; LIST has the first of them.
const RENDERINGS = ${jsonLiteral(config.renderings.map(({ format, mediaType, file }) => [format, mediaType, file]))};
const LIST = ${jsonLiteral(list.path)};
const BASE = ${jsonLiteral(rules.basePath)};
const FILES = ${jsonLiteral([...rules.schemas, ...rules.records].map(({ file }) => file))};
const ALL = ${jsonLiteral(eventHeaders(rules.headers.all))};
const ERROR = ${jsonLiteral(eventHeaders({ ...rules.headers.error, 'Content-Type': rules.contentTypes.json }))};
const NOT_FOUND = ${jsonLiteral(rules.refusals.notFound)};
const NOT_ACCEPTABLE = ${jsonLiteral(rules.refusals.notAcceptable)};
const RULES = ${jsonLiteral(rules.identity.map(identityRule))};
${corsFunction(rules)}`,
    handler(rules) + NEGOTIATION + identityCode({ keyed: rules.keyed, tokens, hosts }),
  );
}

function endpoint(edgeEndpoint: EdgeEndpoint, { headers, refusals }: EdgeRules): object {
  const { kind, folder, allow, vary, methods, renderings } = edgeEndpoint;
  return {
    kind,
    folder,
    headers: eventHeaders({ ...headers.endpoint, Allow: allow, Vary: vary }),
    options: JSON.stringify(optionsDocument(kind === 'list' ? LIST : CONFIG, renderings)),
    renderings: renderings.length,
    post: methods.includes('POST') ? refusals.post : '',
  };
}

function identityRule({ names, credential }: IdentityRule, index: number): object {
  const rule = index + 1;
  if (credential.from === 'cookie') return { names, cookie: credential.name };
  if (credential.from === 'host') return { names, host: true, map: credential.themes && storeKey('host', `${rule}:`) };
  if (credential.from === 'jwt') {
    if (credential.key.algorithm !== 'HS256')
      throw new Error('Bug: public keys are not among the capabilities of CloudFront.');
    return {
      names,
      claim: credential.claim,
      cookie: credential.cookie,
      secret: storeKey('secret', credential.key.env),
    };
  }
  if (credential.from === 'auth_request' || 'proxies' in credential)
    throw new Error('Bug: neither login services nor addresses are among the capabilities of CloudFront.');
  const { header, env } = credential.secret;
  return {
    names,
    header: credential.name.toLowerCase(),
    vouched: header.toLowerCase(),
    secret: storeKey('secret', env),
  };
}

/** The handler, with the lookup of old paths if there are any. */
function handler(rules: EdgeRules): string {
  if (redirectPairs(rules).length === 0) return handlerOf('return elsewhere(request);') + RESPONSES;
  const otherPath = `{
    const target = await redirectOf(request);
    return target || elsewhere(request);
  }`;
  return handlerOf(otherPath) + RESPONSES + REDIRECTS;
}

const REDIRECTS = `
// The redirect of an old path of an image. Names of published images have a hash, and are not looked up.
async function redirectOf(request) {
  if (/[.][0-9a-f]{16}[.-]/.test(request.uri) || !/[.][a-z]+$/i.test(request.uri)) return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const target = await stored('moved:' + request.uri);
  if (!target) return undefined;
  const headers = { location: { value: target }, 'cache-control': { value: '${REDIRECT_HEADERS['Cache-Control']}' } };
  return { statusCode: 301, headers: Object.assign(headers, ALL) };
}
`;

/** @param otherPath - the statement for a path of no endpoint */
const handlerOf = (otherPath: string): string => String.raw`
async function handler(event) {
  const request = event.request;
  const endpoint = ENDPOINTS[request.uri];
  if (!endpoint) ${otherPath}
  if (request.method === 'OPTIONS') return respond(200, endpoint.options, endpoint, request);
  if (request.method === 'POST' && endpoint.post) return respond(403, endpoint.post, endpoint, request);
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(request, endpoint);
  const rendering = negotiate(RENDERINGS.slice(0, endpoint.renderings), formatOf(request), joined(request.headers, 'accept'));
  if (rendering === 404) return respond(404, NOT_FOUND, endpoint, request);
  if (rendering === 406) return respond(406, NOT_ACCEPTABLE, endpoint, request);
  let theme = '';
  if (endpoint.kind === 'config') theme = await themeOf(request);
  return send(request, endpoint.folder + (theme ? rendering.replace(/.*[.]/, theme + '.') : rendering));
}
`;

const RESPONSES = String.raw`
// Forwards the request to a file, without credentials, so the cache stores one object per theme. Only the ETag (from S3, the MD5 of the
// content) validates it: two themes may have been uploaded in the same second.
function send(request, uri) {
  request.uri = uri;
  request.cookies = {};
  request.querystring = {};
  ['range', 'if-range', 'if-match', 'if-modified-since', 'if-unmodified-since'].forEach((name) => {
    delete request.headers[name];
  });
  return request;
}

// Redirects to the slash, files and images; all other paths get 404.
function elsewhere(request) {
  const uri = request.uri;
  if (ENDPOINTS[uri + '/']) {
    const query = request.rawQueryString();
    const location = { value: uri + '/' + (query === undefined ? '' : '?' + query) };
    return { statusCode: 301, headers: Object.assign({ location: location }, ALL) };
  }
  const file = uri.indexOf(BASE + '/') === 0 ? uri.slice(BASE.length) : '';
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (FILES.includes(file)) {
    return reads ? send(request, file) : notAllowed(request, { headers: { allow: { value: '${FILE_ALLOW}' } } });
  }
  if (reads && /^\/media\/${MEDIA_FILE.replace('/', '\\/')}$/.test(file)) {
    request.uri = file;
    return request;
  }
  return { statusCode: 404, headers: Object.assign({}, ALL, ERROR), body: { encoding: 'text', data: NOT_FOUND } };
}

function notAllowed(request, endpoint) {
  return respond(405, JSON.stringify({ detail: 'Method "' + request.method + '" not allowed.' }), endpoint, request);
}

function respond(status, body, endpoint, request) {
  return {
    statusCode: status,
    headers: Object.assign({}, ALL, endpoint.headers, ERROR, corsHeaders(request, endpoint.kind)),
    body: { encoding: 'text', data: body },
  };
}

// Joins the values of a repeated header.
function joined(headers, name) {
  const header = headers[name];
  if (!header) return '';
  return header.multiValue ? header.multiValue.map((one) => one.value).join(', ') : header.value;
}
`;

/** Equivalent to `src/edge-runtime/negotiate.ts`; test/hosts/cloudfront.test.ts compares the two. */
const NEGOTIATION = String.raw`
// The first format parameter of the query, not decoded.
function formatOf(request) {
  const found = /(?:^|&)format=([^&]*)/.exec(request.rawQueryString() || '');
  return found ? found[1] : '';
}

// Content negotiation of Django REST Framework: the most precise entry wins, ties go to the first rendering, and q is ignored. The file, or
// 404 or 406.
function negotiate(renderings, format, accept) {
  const offered = renderings.filter((row) => !format || row[0] === format);
  if (!offered.length) return 404;
  const entries = (accept || '*/*').split(',');
  const precisions = offered.map((row) => precision(entries, row[1].split('/')));
  const best = Math.max.apply(null, precisions);
  return best < 0 ? 406 : offered[precisions.indexOf(best)][2];
}

// 3 with a parameter, 2 type/subtype, 1 type/*, 0 */*, -1 no match.
function precision(entries, wanted) {
  let best = -1;
  entries.forEach((entry) => {
    const parts = entry.split(';');
    const mediaType = trimmed(parts.shift()).toLowerCase().split('/');
    const top = mediaType.shift();
    const sub = mediaType.join('/');
    if ((top !== '*' && top !== wanted[0]) || (sub !== '*' && sub !== wanted[1])) return;
    const specific = parts.some((part) => part.includes('=') && !/^[ \t]*q[ \t]*=/i.test(part));
    best = Math.max(best, top === '*' ? 0 : sub === '*' ? 1 : specific ? 3 : 2);
  });
  return best;
}

// Strips the white space of HTTP: trim() would also strip the byte 0xA0.
function trimmed(text) {
  const found = /[^ \t](?:.*[^ \t])?/.exec(text);
  return found ? found[0] : '';
}
`;
