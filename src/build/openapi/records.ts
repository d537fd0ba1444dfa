import { CONTENT_TYPES, RECORDS } from '../../document/endpoint.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import { TAGS } from './operations.ts';
import type { JsonSchema } from './record-schema.ts';

const TEXT = { type: 'string' };
const HASH = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const FILE = { path: TEXT, sha256: HASH, bytes: { type: 'integer' } };

/** The path items of what a deployment writes: what is live, and its files. Not there before the first deployment. */
export function recordPaths({ headers }: EdgeRules): JsonSchema {
  const sent = Object.entries({ ...headers.all, ...headers.record });
  const shown = Object.fromEntries(sent.map(([name, value]) => [name, { schema: TEXT, example: value }]));
  const item = (operationId: string, summary: string, schema: string): JsonSchema => ({
    get: {
      tags: [TAGS.deployment],
      operationId,
      summary,
      responses: {
        200: {
          description: 'Written by the last deployment.',
          headers: shown,
          content: { [CONTENT_TYPES.json]: { schema: { $ref: `#/components/schemas/${schema}` } } },
        },
        404: { description: 'Nothing has been deployed by `themecast deploy`.' },
      },
    },
  });
  return {
    [RECORDS.deployment]: item('getDeployment', 'What is live, and since when.', 'Deployment'),
    [RECORDS.manifest]: item('getManifest', 'All files of what is live.', 'Manifest'),
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
