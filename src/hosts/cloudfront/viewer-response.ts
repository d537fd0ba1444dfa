import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { corsFunction } from './cors.ts';
import { eventHeaders, jsonLiteral, functionCode } from './syntax.ts';
import { TYPES_BY_EXTENSION } from '../media.ts';

/** `viewer-response.js`: the headers of the files. CloudFront runs it only for responses of the origin below 400. */
export function viewerResponse(rules: EdgeRules): string {
  const { list, config } = rules.endpoints;
  const file = (kind: 'schema' | 'record') => (published: EdgeRules['schemas'][number]) => ({
    kind,
    path: published.file,
    folder: published.file,
    headers: eventHeaders(rules.headers[kind]),
  });
  const endpoints = [
    ...rules.records.map(file('record')),
    endpoint(config, rules),
    endpoint(list, rules),
    ...rules.schemas.map(file('schema')),
  ];
  const types = TYPES_BY_EXTENSION.map(([extension, value]) => [extension, { value }] as const);
  return functionCode(
    'viewer-response.js',
    `// themecast: viewer-response function for cloudfront-js-2.0. Generated from site.yaml: edit that file instead.
const ENDPOINTS = ${jsonLiteral(endpoints)};   // the longer path first
const ALL = ${jsonLiteral(eventHeaders(rules.headers.all))};
const TYPES = ${jsonLiteral(eventHeaders(rules.contentTypes))};
const OTHERS = ${jsonLiteral({ html: eventHeaders(rules.headers.html), css: eventHeaders(rules.headers.css) })};
const MEDIA = ${jsonLiteral(eventHeaders(rules.headers.media))};
const MEDIA_TYPES = ${jsonLiteral(Object.fromEntries(types))};
const SVG = ${jsonLiteral(eventHeaders(rules.headers.svg))};
const ERROR = ${jsonLiteral(eventHeaders(rules.headers.error))};
${corsFunction(rules)}`,
    HANDLER,
  );
}

function endpoint({ kind, path, folder, allow, vary, cacheControl }: EdgeEndpoint, { headers }: EdgeRules): object {
  const all = { ...headers.endpoint, Allow: allow, Vary: vary, 'Cache-Control': cacheControl };
  return { kind, path, folder, headers: eventHeaders(all) };
}

const HANDLER = String.raw`
function handler(event) {
  const request = event.request;
  const response = event.response;
  const found = response.statusCode === 200;
  // The URI is that of viewer-request.js; the paths of the endpoints match too, in case it is the original one.
  const endpoint = ENDPOINTS.find((one) => request.uri.startsWith(one.folder) || request.uri.startsWith(one.path));
  Object.assign(response.headers, ALL, endpoint ? ofEndpoint(endpoint, request, response, found) : ofImage(request, found));
  if (!found && response.statusCode !== 304) Object.assign(response.headers, ERROR);
  return response;
}

// No modification time and no ranges: only the ETag identifies the content.
function ofEndpoint(endpoint, request, response, found) {
  ['last-modified', 'accept-ranges', 'expires'].forEach((name) => {
    delete response.headers[name];
  });
  const type = response.headers['content-type'];
  const named = /[.](html|css)$/.exec(request.uri) || /^text\/(html|css)/.exec(type ? type.value : '');
  const name = named ? named[1] : 'json';
  const headers = Object.assign({}, endpoint.headers, corsHeaders(request, endpoint.kind));
  return found ? Object.assign(headers, { 'content-type': TYPES[name] }, OTHERS[name] || {}) : headers;
}

function ofImage(request, found) {
  const type = MEDIA_TYPES[request.uri.slice(request.uri.lastIndexOf('.') + 1).toLowerCase()];
  if (!found || !type) return Object.assign({}, MEDIA);
  return Object.assign({ 'content-type': type }, MEDIA, type.value === 'image/svg+xml' ? SVG : {});
}
`;
