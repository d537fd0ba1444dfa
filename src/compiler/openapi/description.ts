import { ASSETS, CONFIG, LIST, optionsDocument, RECORDS, SCHEMAS } from '../../document/endpoint.ts';
import type { ThemeRecord } from '../../document/record.ts';
import { preflightHeaders } from '../../edge-runtime/cors.ts';
import { methodNotAllowed } from '../../edge-runtime/responses.ts';
import { compact } from '../../diagnostics/compact.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import { fill, type View } from '../../hosts/template.ts';
import { imageSetSchema, type JsonSchema, type KnownValues, openEnum, recordSchema } from './record-schema.ts';

/** Themes of the site that serve as examples. */
export interface Examples {
  /** A few themes, as in the list. */
  list: readonly ThemeRecord[];
  /** The default theme, as in the config document. */
  config: ThemeRecord | undefined;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Describes the service in OpenAPI 3.1 (`schema/openapi.json`), from the rules of the hosts and the table of fields.
 * @param template - the text of `openapi.json.mustache`
 */
export function openApiDescription(
  template: string,
  rules: EdgeRules,
  values: KnownValues,
  examples: Examples,
): JsonSchema {
  const { list, config } = rules.endpoints;
  const { all, record, error } = rules.headers;
  const theme = recordSchema({
    image_set: { $ref: '#/components/schemas/ImageSet' },
    logo_types: { $ref: '#/components/schemas/LogoType' },
    logo_alignments: { $ref: '#/components/schemas/LogoAlignment' },
  });
  const text = fill(template, {
    host: new URL(rules.baseUrl).host,
    base_url: rules.baseUrl,
    json_schema: SCHEMAS.jsonSchema,
    servers: JSON.stringify(serversOf(rules)),
    cors: rules.corsOrigins.length > 0,
    bearer: readsAuthorization(rules),
    not_found: rules.refusals.notFound,
    not_acceptable: rules.refusals.notAcceptable,
    endpoints: [endpointView(rules, list, examples), endpointView(rules, config, examples)],
    record_headers: headerSchemas({ ...all, ...record, ...allowedOrigin(rules) }),
    missing_headers: headerSchemas({ ...all, ...error }),
    records: recordViews(rules),
    theme: JSON.stringify(theme),
    image_set: JSON.stringify(imageSetSchema()),
    logo_types: JSON.stringify(openEnum('logo_types', values)),
    logo_alignments: JSON.stringify(openEnum('logo_alignments', values)),
  });
  return JSON.parse(text) as JsonSchema;
}

/** Returns the files that clients revalidate each time. */
function recordViews({ records }: EdgeRules): View[] {
  const deployed = { tag: 'deployment', is_deployed: true, ok: 'The file of the last deployment.' };
  const built = { tag: 'themes', is_deployed: false, ok: 'Every theme by its id.' };
  const all = [
    { path: ASSETS, name: 'Assets', summary: 'Bitmaps of logos, icons and colours of every theme.', ...built },
    {
      path: RECORDS.deployment,
      name: 'Deployment',
      summary: 'The live commit, and the time of its deployment.',
      ...deployed,
    },
    { path: RECORDS.manifest, name: 'Manifest', summary: 'Every live file.', ...deployed },
  ].filter(({ path }) => records.some(({ file }) => file === path));
  return all.map(({ summary, ...view }, index) => ({
    ...view,
    reads: readsOf(summary),
    last: index === all.length - 1,
  }));
}

/** Returns GET and HEAD; responses to HEAD have no body. */
function readsOf(summary: string): View[] {
  return [
    { method: 'get', is_get: true, summary },
    { method: 'head', is_get: false, summary: 'The headers of the response to GET.' },
  ];
}

/** Returns the path item of an endpoint: every method with its responses. */
function endpointView(rules: EdgeRules, endpoint: EdgeEndpoint, examples: Examples): View {
  const { kind, renderings } = endpoint;
  const { description, path } = kind === 'list' ? LIST : CONFIG;
  const otherTypes = renderings.slice(1).map(({ mediaType }) => `\`${mediaType}\``);
  const [get, head] = readsOf(description);
  const example = examples[kind];
  return {
    ...headersView(rules, endpoint),
    path,
    name: kind === 'list' ? 'Themes' : 'Config',
    about: description,
    schema: kind === 'list' ? 'ThemeList' : 'Theme',
    example: example === undefined ? '' : JSON.stringify(example),
    identity: kind === 'config' ? identityNote(rules) : '',
    by_token: kind === 'config' && readsAuthorization(rules),
    formats: JSON.stringify([...renderings.map(({ format }) => format), '']),
    meanings: renderings.map(({ format, mediaType }) => `\`${format}\` for \`${mediaType}\``).join(', '),
    reads: [
      {
        ...get,
        ok: `The document. Where \`format\` or \`Accept\` asks for another rendering, that: ${otherTypes.join(', ')}.`,
      },
      { ...head, ok: 'The headers of the document, or of another rendering.' },
    ],
    metadata: JSON.stringify(optionsDocument(kind === 'list' ? LIST : CONFIG, renderings)),
    // Methods that OpenAPI and many servers know, besides the interface's own methods. Any other method gets 405 too.
    refused: ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
      method: method.toLowerCase(),
      ...(endpoint.methods.includes(method)
        ? {
            status: '403',
            summary: 'Always refused: themes are edited in Git.',
            reason: 'Themes are not edited through this service.',
            body: rules.refusals.post,
          }
        : {
            status: '405',
            summary: 'Not allowed.',
            reason: 'The method is not allowed.',
            body: methodNotAllowed(method),
          }),
      last: method === 'DELETE',
    })),
  };
}

/** Returns the headers of the responses of an endpoint. None is required: static hosts cannot set them all. */
function headersView(rules: EdgeRules, { kind, allow, vary, cacheControl }: EdgeEndpoint): View {
  const { headers, corsOrigins } = rules;
  const hasCors = corsOrigins.length > 0;
  const common: Headers = {
    Allow: allow,
    Vary: vary,
    ...headers.all,
    ...headers.endpoint,
    ...allowedOrigin(rules),
    ...(hasCors && kind === 'config' ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
  };
  const error = { ...common, ...headers.error };
  const etag = { ETag: { description: 'Not sent by every server.', schema: { type: 'string' } } };
  return {
    document_headers: headerSchemas({ ...common, 'Cache-Control': cacheControl }, etag),
    metadata_headers: headerSchemas({ ...error, ...(hasCors ? preflightHeaders(rules) : {}) }),
    error_headers: headerSchemas(error),
  };
}

function allowedOrigin({ corsOrigins: [origin] }: EdgeRules): Headers {
  return origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin };
}

function headerSchemas(headers: Headers, additional: object = {}): string {
  const entries = Object.entries(headers).map(([name, example]) => [name, { schema: { type: 'string' }, example }]);
  return JSON.stringify({ ...Object.fromEntries(entries), ...additional });
}

/** Explains how the requesting user is identified, without more detail than every response has in `Vary`. */
function identityNote({ endpoints: { list, config }, identity }: EdgeRules): string {
  const shared = list.vary.split(', ');
  const identityHeaders = config.vary.split(', ').filter((name) => !shared.includes(name));
  const notes = [
    identity.some(({ credential }) => credential.from === 'host') && 'The hostname of the request chooses the theme.',
    identityHeaders.length > 0 &&
      `The requesting user is identified by these request headers: ${identityHeaders.join(', ')}. Some may be accepted only from a proxy.`,
    identityHeaders.includes('Cookie') && 'The operator of the service knows the name of the cookie.',
  ];
  return compact(notes)
    .map((note) => ` ${note}`)
    .join('');
}

/** Whether the user may be identified by a bearer token, or by a login service that reads the header. */
function readsAuthorization({ endpoints: { config } }: EdgeRules): boolean {
  return config.vary.split(', ').includes('Authorization');
}

const MAX_SERVERS = 20;

/** Returns the base URL, and the first hostnames that choose a theme. */
function serversOf({ baseUrl, basePath, identity }: EdgeRules): { url: string; description?: string }[] {
  const names = identity.flatMap(({ credential }) =>
    credential.from === 'host' ? Object.keys(credential.themes ?? {}) : [],
  );
  const urls = new Set(names.map((name) => `https://${name}${basePath}`));
  urls.delete(baseUrl);
  return [
    { url: baseUrl },
    ...[...urls].slice(0, MAX_SERVERS).map((url) => ({ url, description: 'Its hostname chooses the theme.' })),
  ];
}
