import { CONFIG, LIST, optionsDocument } from '../../document/endpoint.ts';
import { preflightHeaders } from '../../edge-runtime/cors.ts';
import { FILE_ALLOW, REDIRECT_HEADERS } from '../../edge-runtime/handler.ts';
import { MEDIA_TYPES } from '../../edge-runtime/media.ts';
import type { EdgeEndpoint, IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import type { EdgeInput } from '../adapter.ts';
import type { EdgeRules } from '../contract.ts';
import { rulesFrom } from '../identity-rules.ts';
import { MEDIA_FILE } from '../media.ts';
import { redirectPairs } from '../redirects.ts';
import { fillFile, type Templates, type View } from '../template.ts';
import { storeKey } from './key-value-store.ts';
import { eventHeaders, functionCode, jsonLiteral } from './syntax.ts';

// The functions keep to what AWS lists for cloudfront-js-2.0 ("JavaScript runtime 2.0 features for CloudFront Functions"): ES 5.1 with
// const and let, arrow functions, template literals, async and await. There is no destructuring, spread, for-of, default parameter,
// `?.`, `??` or Map, so the handler of src/edge-runtime does not run there. `await` stands alone, after `=` or after `return`: AWS
// supports it in no argument, and njs 0.7.9, an engine of the same kind, crashes there.

/** `viewer-request.js`: responds without a file, or maps the request to its file. */
export function viewerRequest({ rules, templates }: Pick<EdgeInput, 'rules' | 'templates'>): string {
  const { list, config } = rules.endpoints;
  const values = {
    endpoints: { [list.path]: requested(list, rules), [config.path]: requested(config, rules) },
    renderings: config.renderings.map(({ format, mediaType, file }) => [format, mediaType, file]),
    list: list.path,
    base: rules.basePath,
    files: [...rules.schemas, ...rules.records].map(({ file }) => file),
    error: eventHeaders({ ...rules.headers.error, 'Content-Type': rules.contentTypes.json }),
    not_found: rules.refusals.notFound,
    not_acceptable: rules.refusals.notAcceptable,
    rules: rules.identity.map(identityRule),
  };
  return viewerFunction('viewer-request.js', rules, templates, values, {
    tokens: rulesFrom(rules.identity, 'jwt').length > 0,
    hosts: rulesFrom(rules.identity, 'host').length > 0,
    redirects: redirectPairs(rules).length > 0,
    redirect_cache: REDIRECT_HEADERS['Cache-Control'],
    file_allow: FILE_ALLOW,
    media_file: MEDIA_FILE.replace('/', '\\/'),
    min_secret: String(MIN_SECRET_BYTES),
  });
}

/** `viewer-response.js`: the headers of the files. CloudFront runs it only for responses of the origin below 400. */
export function viewerResponse({ rules, templates }: Pick<EdgeInput, 'rules' | 'templates'>): string {
  const { endpoints, headers, records, schemas } = rules;
  const file = (kind: 'schema' | 'record') => (published: EdgeRules['schemas'][number]) => ({
    kind,
    path: published.file,
    folder: published.file,
    headers: eventHeaders(headers[kind]),
  });
  const values = {
    endpoints: [
      ...records.map(file('record')),
      sent(endpoints.config, rules),
      sent(endpoints.list, rules),
      ...schemas.map(file('schema')),
    ],
    types: eventHeaders(rules.contentTypes),
    others: { html: eventHeaders(headers.html), css: eventHeaders(headers.css) },
    media: eventHeaders(headers.media),
    media_types: eventHeaders(MEDIA_TYPES),
    svg: eventHeaders(headers.svg),
    error: eventHeaders(headers.error),
  };
  return viewerFunction('viewer-response.js', rules, templates, values, {});
}

/** A function from its template, with values as literals. */
function viewerFunction(
  name: string,
  { headers, corsOrigins, corsHeaders }: EdgeRules,
  templates: Templates,
  values: Readonly<Record<string, unknown>>,
  view: View,
): string {
  const literals = (all: Readonly<Record<string, unknown>>): View =>
    Object.fromEntries(Object.entries(all).map(([key, value]) => [key, jsonLiteral(value)]));
  const cors =
    corsOrigins.length === 0
      ? 'const corsHeaders = () => ({});\n'
      : fillFile(
          templates,
          'cloudfront/cors.js.mustache',
          literals({ origins: corsOrigins, preflight: eventHeaders(preflightHeaders({ corsHeaders })) }),
        );
  const text = fillFile(templates, `cloudfront/${name}.mustache`, {
    ...view,
    ...literals({ ...values, all: eventHeaders(headers.all) }),
    cors,
  });
  return functionCode(name, text);
}

function requested(edgeEndpoint: EdgeEndpoint, { headers, refusals }: EdgeRules): object {
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

function sent({ kind, path, folder, allow, vary, cacheControl }: EdgeEndpoint, { headers }: EdgeRules): object {
  const all = { ...headers.endpoint, Allow: allow, Vary: vary, 'Cache-Control': cacheControl };
  return { kind, path, folder, headers: eventHeaders(all) };
}
