import { preflightHeaders } from '../../edge-runtime/cors.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import type { JsonSchema } from './record-schema.ts';

type Values = Readonly<Record<string, string>>;

/** The kinds of responses that differ in their headers. */
export type ResponseKind = 'document' | 'metadata' | 'error';

const REF = '#/components/headers/';

/** The headers of a response, as references. None is required: static hosts cannot set them all. */
export function responseHeaders(response: ResponseKind, { kind }: EdgeEndpoint, rules: EdgeRules): JsonSchema {
  const isDocument = response === 'document';
  const common = refs(commonHeaders(rules), '');
  return {
    ...refs(endpointHeaders(rules.endpoints[kind]), `${kind}.`),
    ...common,
    ...(isDocument ? refs(documentHeaders(rules.endpoints[kind]), `${kind}.`) : refs(rules.headers.error, 'error.')),
    ...(rules.corsOrigins.length > 0 && kind === 'config' ? refs(CREDENTIALS, '') : {}),
    ...(response === 'metadata' ? refs(preflight(rules), '') : {}),
    ...(isDocument ? { ETag: { $ref: `${REF}ETag` } } : {}),
  };
}

/** All headers, for `components`. */
export function headerComponents(rules: EdgeRules): JsonSchema {
  const { list, config } = rules.endpoints;
  return {
    ...components(commonHeaders(rules), ''),
    ...components(rules.headers.error, 'error.'),
    ...components({ ...endpointHeaders(list), ...documentHeaders(list) }, 'list.'),
    ...components({ ...endpointHeaders(config), ...documentHeaders(config) }, 'config.'),
    ...(rules.corsOrigins.length > 0 ? components({ ...CREDENTIALS, ...preflight(rules) }, '') : {}),
    ETag: { description: 'Not sent by every server.', schema: { type: 'string' } },
  };
}

function endpointHeaders({ allow, vary }: EdgeEndpoint): Values {
  return { Allow: allow, Vary: vary };
}

function documentHeaders({ cacheControl }: EdgeEndpoint): Values {
  return { 'Cache-Control': cacheControl };
}

function commonHeaders({ headers, corsOrigins: [origin] }: EdgeRules): Values {
  return {
    ...headers.all,
    ...headers.endpoint,
    ...(origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin }),
  };
}

const CREDENTIALS = { 'Access-Control-Allow-Credentials': 'true' };

function preflight(rules: EdgeRules): Values {
  return rules.corsOrigins.length === 0 ? {} : preflightHeaders(rules);
}

function refs(headers: Values, scope: string): JsonSchema {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `${REF}${scope}${name}` }]));
}

function components(headers: Values, scope: string): JsonSchema {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [scope + name, { schema: { type: 'string' }, example: value }]),
  );
}
