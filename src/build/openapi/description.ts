import { CONFIG, LIST, SCHEMAS } from '../../document/endpoint.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import { readsAuthorization, serversOf } from './identity.ts';
import { type Examples, pathItem, recordPaths, TAGS } from './operations.ts';
import { imageSetSchema, type JsonSchema, type KnownValues, openEnum, recordSchema } from './record-schema.ts';

/** `schema/openapi.json`: the service as OpenAPI 3.1 describes it, from the rules of the hosts and the table of fields. */
export function openApiDescription(rules: EdgeRules, values: KnownValues, examples: Examples): JsonSchema {
  const { list, config } = rules.endpoints;
  return {
    openapi: '3.1.0',
    info: {
      title: `Theme service of ${new URL(rules.baseUrl).host}`,
      version: '2',
      description: `The visual branding of a community site. The responses are described by ${rules.baseUrl}${SCHEMAS.jsonSchema} too. New fields and values may be added at any time; anything else would be a new version, with another path. The licence is that of this description, not of the images.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversOf(rules),
    security: [],
    tags: [
      { name: TAGS.served, description: 'What the service responds to.' },
      { name: TAGS.deployment, description: 'What `themecast deploy` has written.' },
      { name: TAGS.refused, description: 'Methods that are always refused. Any other method gets 405 too.' },
    ],
    paths: {
      [LIST.path]: pathItem(rules, list, examples),
      [CONFIG.path]: pathItem(rules, config, examples),
      ...recordPaths(rules),
    },
    components: {
      schemas: {
        Theme: recordSchema({
          image_set: { $ref: '#/components/schemas/ImageSet' },
          logo_types: { $ref: '#/components/schemas/LogoType' },
          logo_alignments: { $ref: '#/components/schemas/LogoAlignment' },
        }),
        ThemeList: {
          type: 'array',
          description: 'All themes, ascending by id.',
          items: { $ref: '#/components/schemas/Theme' },
        },
        ImageSet: imageSetSchema(),
        LogoType: openEnum('logo_types', values),
        LogoAlignment: openEnum('logo_alignments', values),
        Metadata: METADATA,
        ...RECORD_SCHEMAS,
        ErrorResponse: objectOf('What is wrong with the request.', { detail: TEXT }),
      },
      parameters: {
        if_none_match: IF_NONE_MATCH,
        ...(rules.corsOrigins.length > 0 ? { origin: ORIGIN } : {}),
      },
      ...(readsAuthorization(rules) ? { securitySchemes: { bearer: BEARER } } : {}),
    },
  };
}

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const HASH = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const FILE = { path: TEXT, sha256: HASH, bytes: { type: 'integer' } };

const METADATA = objectOf('The metadata of an endpoint.', {
  name: TEXT,
  description: TEXT,
  renders: TEXTS,
  parses: TEXTS,
});

/** The schemas of what a deployment writes. */
const RECORD_SCHEMAS = {
  Deployment: objectOf('What is live.', {
    version: { type: 'integer' },
    commit: { ...TEXT, description: 'The commit that was built, in full.' },
    time: { ...TEXT, format: 'date-time', description: 'When it went live, in UTC.' },
    manifest: { ...HASH, description: 'SHA-256 of `manifest.json`.' },
    cache_control: { type: 'object', additionalProperties: TEXT },
    retained: {
      type: 'array',
      description: 'Images that the manifest does not name and that cached documents still may.',
      items: objectOf('An image.', { ...FILE, last_named: { ...TEXT, format: 'date-time' } }),
    },
  }),
  Manifest: objectOf('All published files.', {
    version: { type: 'integer' },
    base_url: TEXT,
    cache_control: { type: 'object', additionalProperties: TEXT },
    files: {
      type: 'array',
      items: objectOf('A file.', { ...FILE, type: TEXT, cache_class: TEXT, phase: { type: 'integer', enum: [1, 2] } }),
    },
  }),
};

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'An ETag of an earlier response: the response is 304 if it is still current. Pages of another origin do not send it: they cannot read the ETag, and the cache of the browser revalidates.',
  schema: { type: 'string' },
};

const ORIGIN = {
  name: 'Origin',
  in: 'header',
  description: 'Set by browsers. Only pages of certain origins may read the response.',
  schema: { type: 'string' },
};

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  description: 'Identifies the user. Without it, or if it is invalid, the response is the default theme.',
};

function objectOf(description: string, properties: JsonSchema): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}
