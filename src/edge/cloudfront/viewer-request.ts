import { CONFIG, LIST, optionsDocument } from '../../document/endpoint.ts';
import type { EdgeEndpoint, EdgeRules } from '../../mapping/edge-rules.ts';
import type { IdentityRule } from '../../theme/identity.ts';
import { corsFunction } from './cors.ts';
import { storeKey } from './key-value-store.ts';
import { eventHeaders, expression, functionCode } from './text.ts';

// The functions keep to what AWS lists for cloudfront-js-2.0 ("JavaScript runtime 2.0 features for CloudFront Functions"): ES 5.1 with
// const and let, arrow functions, template literals, async and await. There is no destructuring, spread, for-of, default parameter,
// `?.`, `??` or Map, so the handler of src/edge/runtime does not run there. `await` stands alone, after `=` or after `return`: AWS
// supports it in no argument, and njs 0.7.9, an engine of the same kind, crashes there.

/** `viewer-request.js`: answers by itself what needs no file, and leads every other request to the file it is answered with. */
export function viewerRequest(rules: EdgeRules): string {
  const { list, config } = rules.endpoints;
  const tokens = rules.identity.some(({ credential }) => credential.from === 'jwt');
  return functionCode(
    'viewer-request.js',
    `// themecast: viewer-request function for cloudfront-js-2.0. Generated from site.yaml: change that, not this.
import cf from 'cloudfront';
${tokens || rules.keyed ? "import crypto from 'crypto';\n" : ''}
const ENDPOINTS = ${expression({ [list.path]: endpoint(list, rules), [config.path]: endpoint(config, rules) })};
const LIST = ${expression(list.path)};
const BASE = ${expression(rules.basePath)};
const ALL = ${expression(eventHeaders(rules.headers.all))};
const ERROR = ${expression(eventHeaders({ ...rules.headers.error, 'Content-Type': rules.contentTypes.json }))};
const NOT_FOUND = ${expression(rules.refusals.notFound)};
const NOT_ACCEPTABLE = ${expression(rules.refusals.notAcceptable)};
const RULES = ${expression(rules.identity.map(identityRule))};
${corsFunction(rules)}${HANDLER}${NEGOTIATION}${IDENTITY}${rules.keyed ? SHARDS : KEYS}${tokens ? TOKENS : ''}`,
  );
}

function endpoint(edgeEndpoint: EdgeEndpoint, { headers, refusals }: EdgeRules): object {
  const { kind, folder, allow, vary, methods } = edgeEndpoint;
  return {
    kind,
    folder,
    headers: eventHeaders({ ...headers.endpoint, Allow: allow, Vary: vary }),
    options: JSON.stringify(optionsDocument(kind === 'list' ? LIST : CONFIG)),
    post: methods.includes('POST') ? refusals.post : '',
  };
}

function identityRule({ names, credential }: IdentityRule): object {
  if (credential.from === 'cookie') return { names, cookie: credential.name };
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

const HANDLER = String.raw`
async function handler(event) {
  const request = event.request;
  const endpoint = ENDPOINTS[request.uri];
  if (!endpoint) return elsewhere(request);
  if (request.method === 'OPTIONS') return answer(200, endpoint.options, endpoint, request);
  if (request.method === 'POST' && endpoint.post) return answer(403, endpoint.post, endpoint, request);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const detail = 'Method "' + request.method + '" not allowed.';
    return answer(405, JSON.stringify({ detail: detail }), endpoint, request);
  }
  const rendering = negotiate(formatOf(request), joined(request.headers, 'accept'));
  if (rendering === 'not_found') return answer(404, NOT_FOUND, endpoint, request);
  if (rendering === 'not_acceptable') return answer(406, NOT_ACCEPTABLE, endpoint, request);
  let theme = '';
  if (endpoint.kind === 'config') theme = await themeOf(request);
  return send(request, endpoint.folder + (theme || (rendering === 'json' ? 'index' : 'browse')) + '.' + rendering);
}

// The request goes on to a file. Nothing that says who asks goes with it, so the cache holds one object a theme. Only the ETag (the
// MD5 of the content, from S3) confirms it: two themes may have been uploaded in the same second.
function send(request, uri) {
  request.uri = uri;
  request.cookies = {};
  request.querystring = {};
  ['range', 'if-range', 'if-match', 'if-modified-since', 'if-unmodified-since'].forEach((name) => {
    delete request.headers[name];
  });
  return request;
}

// Redirects to the slash, the pictures, and nothing else.
function elsewhere(request) {
  const uri = request.uri;
  if (ENDPOINTS[uri + '/']) {
    const query = request.rawQueryString();
    const location = { value: uri + '/' + (query === undefined ? '' : '?' + query) };
    return { statusCode: 301, headers: Object.assign({ location: location }, ALL) };
  }
  const file = uri.indexOf(BASE + '/') === 0 ? uri.slice(BASE.length) : '';
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (reads && /^\/media\/[a-z0-9-]+\/\w[\w.-]*$/.test(file)) {
    request.uri = file;
    return request;
  }
  return { statusCode: 404, headers: Object.assign({}, ALL, ERROR), body: { encoding: 'text', data: NOT_FOUND } };
}

function answer(status, body, endpoint, request) {
  return {
    statusCode: status,
    headers: Object.assign({}, ALL, endpoint.headers, ERROR, corsHeaders(request, endpoint.kind)),
    body: { encoding: 'text', data: body },
  };
}

// A header that came more than once, as one.
function joined(headers, name) {
  const header = headers[name];
  if (!header) return '';
  return header.multiValue ? header.multiValue.map((one) => one.value).join(', ') : header.value;
}
`;

/** As `src/edge/runtime/negotiate.ts`; test/edge/cloudfront.test.ts compares the two. */
const NEGOTIATION = String.raw`
// The first format of the query, undecoded.
function formatOf(request) {
  const found = /(?:^|&)format=([^&]*)/.exec(request.rawQueryString() || '');
  return found ? found[1] : '';
}

// Content negotiation of Django REST Framework: the most precise entry wins, ties go to JSON, and q is not looked at.
function negotiate(format, accept) {
  if (format && format !== 'json' && format !== 'api') return 'not_found';
  const entries = (accept || '*/*').split(',');
  const json = format === 'api' ? -1 : precision(entries, 'application', 'json');
  const html = format === 'json' ? -1 : precision(entries, 'text', 'html');
  if (json < 0 && html < 0) return 'not_acceptable';
  return html > json ? 'html' : 'json';
}

// 3 with a parameter, 2 type/subtype, 1 type/*, 0 */*, -1 not at all.
function precision(entries, type, subtype) {
  let best = -1;
  entries.forEach((entry) => {
    const parts = entry.split(';');
    const mediaType = parts.shift().trim().toLowerCase().split('/');
    const top = mediaType.shift();
    const sub = mediaType.join('/');
    if ((top !== '*' && top !== type) || (sub !== '*' && sub !== subtype)) return;
    const specific = parts.some((part) => part.includes('=') && !/^\s*q\s*=/i.test(part));
    best = Math.max(best, top === '*' ? 0 : sub === '*' ? 1 : specific ? 3 : 2);
  });
  return best;
}
`;

const IDENTITY = String.raw`
// The theme of the first rule that knows who asks; none for the default theme.
async function themeOf(request) {
  for (let at = 0; at < RULES.length; at++) {
    const rule = RULES[at];
    const key = await keyOf(request, rule);
    if (key && key.length <= 128) {
      const theme = await mapped(rule.names, key);
      // Only ever a slug: whatever the store holds, it becomes no other path.
      if (/^[a-z0-9][a-z0-9-]*$/.test(theme)) return theme;
    }
  }
  return '';
}

// What a rule reads from the request, if that can be believed.
function keyOf(request, rule) {
  if (rule.claim) return tokenKey(request, rule);
  if (rule.header) return headerKey(request, rule);
  return cookie(request, rule.cookie);
}

// A value of the key value store, which throws for a key that it does not have.
async function stored(key) {
  try {
    return await cf.kvs().get(key);
  } catch (error) {
    return '';
  }
}

// The first cookie of the name, as it is written.
function cookie(request, name) {
  const found = Object.keys(request.cookies).includes(name) ? request.cookies[name] : undefined;
  return found ? (found.multiValue ? found.multiValue[0].value : found.value).trim() : '';
}

// A header is believed only together with the secret of the proxy that sets it.
async function headerKey(request, rule) {
  const secret = await stored(rule.secret);
  const vouched = secret.length >= 32 && same(joined(request.headers, rule.vouched), secret);
  return vouched ? joined(request.headers, rule.header) : '';
}

// Compares in a time that does not tell how much was right.
function same(given, secret) {
  let difference = given.length ^ secret.length;
  for (let at = 0; at < given.length; at++) difference |= given.charCodeAt(at) ^ secret.charCodeAt(at % secret.length);
  return difference === 0;
}
`;

const KEYS = String.raw`
// The slug that a user, a group or a slug leads to.
function mapped(names, key) {
  return stored(names + ':' + key);
}
`;

/** As `src/edge/runtime/shards.ts`. Without typed arrays, so the records are read as hexadecimal text. */
const SHARDS = String.raw`
// The slug that a slug leads to, or a user or group in keyed shards.
async function mapped(names, key) {
  if (names === 'theme') return stored('theme:' + key);
  const text = await stored('pointer');
  if (!text) return '';
  const pointer = JSON.parse(text);
  const secret = await stored('secret:' + pointer.key_id);
  if (secret.length < 32) return '';
  const digest = crypto.createHmac('sha256', secret).update(names.charAt(0) + ':' + key).digest('hex');
  const bits = Math.round(Math.log2(pointer.shards));
  const shard = parseInt(digest.slice(0, 4), 16) >> (16 - bits);
  const page = await stored('i:' + pointer.build + ':' + hex(shard >> 6, Math.max(1, Math.ceil((bits - 6) / 4))));
  const at = (shard & 63) * 12;
  const shardText = await stored('s:' + hex(shard, Math.ceil(bits / 4)) + ':' + page.slice(at, at + 12));
  const id = find(Buffer.from(shardText, 'base64').toString('hex'), digest.slice(4, 16), 2 * pointer.theme_bytes);
  return id ? stored('id:' + parseInt(id, 16)) : '';
}

function hex(number, width) {
  return number.toString(16).padStart(width, '0');
}

// The id in the record with a digest, by binary search.
function find(records, digest, idLength) {
  const width = 12 + idLength;
  let low = 0;
  let high = records.length / width;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = middle * width;
    const found = records.slice(at, at + 12);
    if (found === digest) return records.slice(at + 12, at + width);
    if (found < digest) low = middle + 1;
    else high = middle;
  }
  return '';
}
`;

const TOKENS = String.raw`
// A claim of a token that is signed with HS256 and the secret, and valid now. Whatever is wrong with it, its bearer is nobody.
async function tokenKey(request, rule) {
  const bearer = /^Bearer +([^ ]+)$/i.exec(joined(request.headers, 'authorization'));
  const token = rule.cookie ? cookie(request, rule.cookie) : bearer ? bearer[1] : '';
  const secret = await stored(rule.secret);
  if (secret.length < 32 || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return '';
  try {
    const parts = token.split('.');
    const signature = crypto.createHmac('sha256', secret).update(parts[0] + '.' + parts[1]).digest('base64url');
    const head = JSON.parse(Buffer.from(parts[0], 'base64url').toString());
    if (head.alg !== 'HS256' || head.crit !== undefined || !same(parts[2], signature)) return '';
    const claims = JSON.parse(Buffer.from(parts[1], 'base64url').toString());
    const now = Date.now() / 1000;
    if (typeof claims.exp !== 'number' || claims.exp <= now) return '';
    if (claims.nbf !== undefined && (typeof claims.nbf !== 'number' || claims.nbf > now)) return '';
    const claim = Object.keys(claims).includes(rule.claim) ? claims[rule.claim] : '';
    return typeof claim === 'string' || typeof claim === 'number' ? String(claim) : '';
  } catch (error) {
    return '';
  }
}
`;
