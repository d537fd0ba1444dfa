import { CONFIG, CONTENT_TYPES, LIST, optionsDocument, RECORDS } from '../../document/endpoint.ts';
import type { ThemeRecord } from '../../document/record.ts';
import { preflightHeaders } from '../../edge-runtime/cors.ts';
import { methodNotAllowed } from '../../edge-runtime/responses.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import { identityNote, readsAuthorization } from './identity.ts';
import type { JsonSchema } from './record-schema.ts';

/** Themes of the site that serve as examples. */
export interface Examples {
  /** A few themes, as the list has them. */
  list: readonly ThemeRecord[];
  /** The default theme, as the config document has it. */
  config: ThemeRecord | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** The methods besides those of the interface that OpenAPI and many servers know. Any other gets 405 too. */
const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The tags of what is served and of what is refused, so that code need not be generated for the latter. */
export const TAGS = { served: 'themes', deployment: 'deployment', refused: 'refused' } as const;

/** The names of the operations. */
const NAMES = { list: 'Themes', config: 'Config' } as const;

const HEADERS_OF_GET = 'The headers of the response to GET.';

/** The path item of an endpoint: every method with its responses. */
export function pathItem(rules: EdgeRules, endpoint: EdgeEndpoint, examples: Examples): JsonSchema {
  const isList = endpoint.kind === 'list';
  const name = NAMES[endpoint.kind];
  const { description } = isList ? LIST : CONFIG;
  const headers = endpointHeaders(rules, endpoint);
  const error = (text: string, body?: string): JsonSchema => errorResponse(headers.error, text, body);
  const request = requestOf(rules, endpoint);
  const unchanged = {
    description: 'The client has the current document. Only from servers that send an ETag.',
    headers: headers.document,
  };
  const others = endpoint.renderings.slice(1).map(({ mediaType }) => `\`${mediaType}\``);
  const ok = `The document. Where \`format\` or \`Accept\` asks for another rendering, that: ${others.join(', ')}.`;
  const [unknown, unacceptable] = ['The value of `format` is unknown.', 'No rendering is acceptable.'];
  return {
    description: `${description} The path ends with a slash; without it, the response is a redirect (301).`,
    get: {
      operationId: `get${name}`,
      summary: description,
      ...request,
      responses: {
        200: {
          description: ok,
          headers: headers.document,
          ...content(isList ? 'ThemeList' : 'Theme', examples[endpoint.kind]),
        },
        304: unchanged,
        404: error(unknown, rules.refusals.notFound),
        406: error(unacceptable, rules.refusals.notAcceptable),
      },
    },
    head: {
      operationId: `head${name}`,
      summary: HEADERS_OF_GET,
      ...request,
      responses: {
        200: { description: 'The headers of the document, or of another rendering.', headers: headers.document },
        304: unchanged,
        404: error(unknown),
        406: error(unacceptable),
      },
    },
    options: {
      tags: [TAGS.served],
      operationId: `options${name}`,
      summary: 'The allowed methods and the renderings.',
      responses: {
        200: {
          description: 'The metadata of the endpoint.',
          headers: headers.metadata,
          ...content('Metadata', optionsDocument(isList ? LIST : CONFIG, endpoint.renderings)),
        },
      },
    },
    ...Object.fromEntries(OTHER_METHODS.map((method) => [method.toLowerCase(), refusal(method, rules, endpoint)])),
  };
}

function refusal(method: string, rules: EdgeRules, endpoint: EdgeEndpoint): JsonSchema {
  const { error } = endpointHeaders(rules, endpoint);
  const isKnown = endpoint.methods.includes(method);
  return {
    tags: [TAGS.refused],
    operationId: method.toLowerCase() + NAMES[endpoint.kind],
    summary: isKnown ? 'Always refused: themes are edited in Git.' : 'Not allowed.',
    responses: isKnown
      ? { 403: errorResponse(error, 'Themes are not edited through this service.', rules.refusals.post) }
      : { 405: errorResponse(error, 'The method is not allowed.', methodNotAllowed(method)) },
  };
}

function errorResponse(headers: JsonSchema, description: string, body?: string): JsonSchema {
  return { description, headers, ...(body === undefined ? {} : content('ErrorResponse', JSON.parse(body))) };
}

/** The path items of what a deployment writes: what is live, and its files. Not there before the first deployment. */
export function recordPaths({ headers, corsOrigins }: EdgeRules): JsonSchema {
  const item = (name: string, summary: string): JsonSchema => {
    const responses = (isGet: boolean): JsonSchema => ({
      200: {
        description: 'What the last deployment has written.',
        headers: described({ ...headers.all, ...headers.record, ...allowedOrigin(corsOrigins) }),
        ...(isGet ? content(name) : {}),
      },
      404: {
        description: '`themecast deploy` has not deployed anything yet.',
        headers: described({ ...headers.all, ...headers.error }),
        ...(isGet ? content('ErrorResponse') : {}),
      },
    });
    const tags = [TAGS.deployment];
    return {
      get: { tags, operationId: `get${name}`, summary, responses: responses(true) },
      head: { tags, operationId: `head${name}`, summary: HEADERS_OF_GET, responses: responses(false) },
    };
  };
  return {
    [RECORDS.deployment]: item('Deployment', 'What is live, and since when.'),
    [RECORDS.manifest]: item('Manifest', 'All files of what is live.'),
  };
}

/** What GET and HEAD share: what they take, and who may send it. */
function requestOf(rules: EdgeRules, { kind, renderings }: EdgeEndpoint): JsonSchema {
  const formats = renderings.map(({ format, mediaType }) => `\`${format}\` for \`${mediaType}\``);
  const format = {
    name: 'format',
    in: 'query',
    description: `The rendering: ${formats.join(', ')}. If it is empty, \`Accept\` decides.`,
    allowEmptyValue: true,
    schema: { type: 'string', enum: [...renderings.map((rendering) => rendering.format), ''] },
  };
  const origin = rules.corsOrigins.length > 0 ? [{ $ref: '#/components/parameters/origin' }] : [];
  return {
    tags: [TAGS.served],
    description: `The rendering is chosen by \`format\`, then by \`Accept\`: the most precise entry wins, ties go to JSON, and \`q\` is ignored.${kind === 'config' ? identityNote(rules) : ''}`,
    ...(kind === 'config' && readsAuthorization(rules) ? { security: [{}, { bearer: [] }] } : {}),
    parameters: [format, { $ref: '#/components/parameters/if_none_match' }, ...origin],
  };
}

/** The headers of the responses of an endpoint. None is required: static hosts cannot set them all. */
function endpointHeaders(rules: EdgeRules, { kind, allow, vary, cacheControl }: EdgeEndpoint) {
  const { headers, corsOrigins } = rules;
  const hasCors = corsOrigins.length > 0;
  const common: Headers = {
    Allow: allow,
    Vary: vary,
    ...headers.all,
    ...headers.endpoint,
    ...allowedOrigin(corsOrigins),
    ...(hasCors && kind === 'config' ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
  };
  const etag = { ETag: { description: 'Not sent by every server.', schema: { type: 'string' } } };
  const error = { ...common, ...headers.error };
  return {
    document: { ...described({ ...common, 'Cache-Control': cacheControl }), ...etag },
    metadata: described({ ...error, ...(hasCors ? preflightHeaders(rules) : {}) }),
    error: described(error),
  };
}

function allowedOrigin([origin]: readonly string[]): Headers {
  return origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin };
}

function described(headers: Headers): JsonSchema {
  const entries = Object.entries(headers).map(([name, example]) => [name, { schema: { type: 'string' }, example }]);
  return Object.fromEntries(entries);
}

function content(schema: string, example?: unknown): JsonSchema {
  const json = { schema: { $ref: `#/components/schemas/${schema}` }, ...(example === undefined ? {} : { example }) };
  return { content: { [CONTENT_TYPES.json]: json } };
}
