import { CONFIG, CONTENT_TYPES, type Endpoint, LIST, optionsDocument } from '../../document/endpoint.ts';
import type { ThemeRecord } from '../../document/record.ts';
import { methodNotAllowed } from '../../edge-runtime/responses.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import { responseHeaders } from './headers.ts';
import { identityNote, readsAuthorization } from './identity.ts';
import type { JsonSchema } from './record-schema.ts';

/** Themes of the site that serve as examples. */
export interface Examples {
  /** A few themes, as the list has them. */
  list: readonly ThemeRecord[];
  /** The default theme, as the config document has it. */
  config: ThemeRecord | undefined;
}

interface Context {
  rules: EdgeRules;
  endpoint: EdgeEndpoint;
  examples: Examples;
}

/** The names of the operations, and of those methods that are always refused. */
const OPERATIONS = { list: 'Themes', config: 'Config' } as const;

/** The methods besides those of the interface that OpenAPI and many servers know. Any other gets 405 too. */
const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The tags of what is served and of what is refused, so that code need not be generated for the latter. */
export const TAGS = { served: 'themes', deployment: 'deployment', refused: 'refused' } as const;

/** The path item of an endpoint: every method with its responses. */
export function pathItem(context: Context): JsonSchema {
  const { endpoint } = context;
  const { description } = publishedEndpoint(endpoint);
  const refused = OTHER_METHODS.filter((method) => method !== 'POST' || !endpoint.methods.includes(method));
  return {
    description: `${description} The path ends with a slash; without it, the response is a redirect (301).`,
    get: read('get', context),
    ...(endpoint.methods.includes('POST') ? { post: refusal('POST', 403, context.rules.refusals.post, context) } : {}),
    head: read('head', context),
    options: metadata(context),
    ...Object.fromEntries(
      refused.map((method) => [method.toLowerCase(), refusal(method, 405, methodNotAllowed(method), context)]),
    ),
  };
}

function publishedEndpoint({ kind }: EdgeEndpoint): Endpoint {
  return kind === 'list' ? LIST : CONFIG;
}

function read(method: 'get' | 'head', context: Context): JsonSchema {
  const { rules, endpoint } = context;
  const { description } = publishedEndpoint(endpoint);
  const isGet = method === 'get';
  const others = endpoint.renderings.slice(1).map(({ mediaType }) => `\`${mediaType}\``);
  const error = (status: 404 | 406): JsonSchema => ({
    description: status === 404 ? 'The value of `format` is unknown.' : 'No rendering is acceptable.',
    headers: responseHeaders('error', endpoint, rules),
    ...(isGet ? errorContent(status === 404 ? rules.refusals.notFound : rules.refusals.notAcceptable) : {}),
  });
  return {
    tags: [TAGS.served],
    operationId: `${method}${OPERATIONS[endpoint.kind]}`,
    summary: isGet ? description : 'The headers of the response to GET.',
    description: `${NEGOTIATION}${endpoint.kind === 'config' ? identityNote(rules) : ''}`,
    ...(endpoint.kind === 'config' && readsAuthorization(rules) ? { security: [{}, { bearer: [] }] } : {}),
    parameters: [
      formatParameter(endpoint),
      { $ref: '#/components/parameters/if_none_match' },
      ...(rules.corsOrigins.length > 0 ? [{ $ref: '#/components/parameters/origin' }] : []),
    ],
    responses: {
      200: {
        description: isGet
          ? `The document. Where \`format\` or \`Accept\` asks for another rendering, that: ${others.join(', ')}.`
          : 'The headers of the document, or of another rendering.',
        headers: responseHeaders('document', endpoint, rules),
        ...(isGet ? documentContent(context) : {}),
      },
      304: {
        description: 'The client has the current document. Only from servers that send an ETag.',
        headers: responseHeaders('document', endpoint, rules),
      },
      404: error(404),
      406: error(406),
    },
  };
}

function formatParameter({ renderings }: EdgeEndpoint): JsonSchema {
  const formats = renderings.map(({ format, mediaType }) => `\`${format}\` for \`${mediaType}\``);
  return {
    name: 'format',
    in: 'query',
    description: `The rendering: ${formats.join(', ')}. If it is empty, \`Accept\` decides.`,
    allowEmptyValue: true,
    schema: { type: 'string', enum: [...renderings.map(({ format }) => format), ''] },
  };
}

const NEGOTIATION =
  'The rendering is chosen by `format`, then by `Accept`: the most precise entry wins, ties go to JSON, and `q` is ignored.';

function documentContent({ endpoint: { kind }, examples }: Context): JsonSchema {
  const value = examples[kind];
  return {
    content: {
      [CONTENT_TYPES.json]: {
        schema: { $ref: `#/components/schemas/${kind === 'list' ? 'ThemeList' : 'Theme'}` },
        ...(value === undefined ? {} : { example: value }),
      },
    },
  };
}

function metadata(context: Context): JsonSchema {
  const { endpoint } = context;
  return {
    tags: [TAGS.served],
    operationId: `options${OPERATIONS[endpoint.kind]}`,
    summary: 'The allowed methods and the renderings.',
    responses: {
      200: {
        description: 'The metadata of the endpoint.',
        headers: responseHeaders('metadata', endpoint, context.rules),
        content: {
          [CONTENT_TYPES.json]: {
            schema: { $ref: '#/components/schemas/Metadata' },
            example: optionsDocument(publishedEndpoint(endpoint), endpoint.renderings),
          },
        },
      },
    },
  };
}

function refusal(method: string, status: 403 | 405, body: string, context: Context): JsonSchema {
  return {
    tags: [TAGS.refused],
    operationId: `${method.toLowerCase()}${OPERATIONS[context.endpoint.kind]}`,
    summary: status === 403 ? 'Always refused: themes are edited in Git.' : 'Not allowed.',
    responses: {
      [status]: {
        description: status === 403 ? 'Themes are not edited through this service.' : 'The method is not allowed.',
        headers: responseHeaders('error', context.endpoint, context.rules),
        ...errorContent(body),
      },
    },
  };
}

function errorContent(body: string): JsonSchema {
  return {
    content: {
      [CONTENT_TYPES.json]: { schema: { $ref: '#/components/schemas/ErrorResponse' }, example: JSON.parse(body) },
    },
  };
}
