import { CONTENT_TYPES, RECORDS } from '../../document/endpoint.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import { TAGS } from './operations.ts';
import type { JsonSchema } from './record-schema.ts';

const TEXT = { type: 'string' };
const HASH = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const FILE = { path: TEXT, sha256: HASH, bytes: { type: 'integer' } };

/** The path items of what a deployment writes: what is live, and its files. Not there before the first deployment. */
export function recordPaths({ headers, corsOrigins }: EdgeRules): JsonSchema {
  const [origin] = corsOrigins;
  const cors = origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin };
  const described = (sent: Readonly<Record<string, string>>): JsonSchema =>
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, { schema: TEXT, example: value }]));
  const content = (schema: string): JsonSchema => ({
    content: { [CONTENT_TYPES.json]: { schema: { $ref: `#/components/schemas/${schema}` } } },
  });
  const responses = (schema?: string): JsonSchema => ({
    200: {
      description: 'What the last deployment has written.',
      headers: described({ ...headers.all, ...headers.record, ...cors }),
      ...(schema === undefined ? {} : content(schema)),
    },
    404: {
      description: '`themecast deploy` has not deployed anything yet.',
      headers: described({ ...headers.all, ...headers.error }),
      ...(schema === undefined ? {} : content('ErrorResponse')),
    },
  });
  const item = (name: string, summary: string): JsonSchema => ({
    get: { tags: [TAGS.deployment], operationId: `get${name}`, summary, responses: responses(name) },
    head: {
      tags: [TAGS.deployment],
      operationId: `head${name}`,
      summary: 'The headers of the response to GET.',
      responses: responses(),
    },
  });
  return {
    [RECORDS.deployment]: item('Deployment', 'What is live, and since when.'),
    [RECORDS.manifest]: item('Manifest', 'All files of what is live.'),
  };
}

/** The schemas that {@link recordPaths} refers to. */
export const RECORD_SCHEMAS = {
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

function objectOf(description: string, properties: JsonSchema): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}
