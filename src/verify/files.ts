import { compact } from '../diagnostics/compact.ts';
import { count } from '../diagnostics/quote.ts';
import { type DeploymentRecord, liveSince, parseRecord } from '../document/deployment.ts';
import { RECORDS } from '../document/endpoint.ts';
import { type HttpResponse, requestTo, shortHash, startOf, statusOf, textOf, WHOLE } from '../http/exchange.ts';
import { type Asking, ask, type Exchange, resultsOf } from './ask.ts';
import type { Deployment } from './build.ts';
import { originExchange } from './cors.ts';
import { headerResults } from './headers.ts';
import { judged, passed, type Result } from './result.ts';

/** The OpenAPI description and the JSON Schema, as a page of an allowed origin requests them. */
export function schemaExchanges(deployment: Deployment): Exchange[] {
  const { url, build } = deployment;
  const { rules } = build;
  const [origin] = rules.corsOrigins;
  const headers = {
    'Content-Type': rules.contentTypes.json,
    'Cache-Control': rules.headers.schema['Cache-Control'] ?? '',
  };
  return rules.schemas.map(({ file: path }): Exchange => {
    const file = build.files.get(path.slice(1));
    const request = requestTo(url, path, origin === undefined ? {} : { headers: { Origin: origin } });
    const isPublished = (response: HttpResponse): boolean =>
      response.end === 'complete' && response.sha256 === file?.sha256;
    return {
      id: 'schema/document',
      request,
      is: 200,
      message: 'A schema is missing.',
      hint: `Upload schema/ with phase 2 of manifest.json, and load the rules of this build: see ${build.rulesAt}. \`schema: false\` in site.yaml turns it off.`,
      also: (response) => [
        judged('schema/document', isPublished(response), 'A schema differs from this build.', {
          expected: `${count(file?.bytes ?? 0, 'byte')}, sha256 ${shortHash(file?.sha256 ?? '')}`,
          found: `${count(response.bytes, 'byte')}, sha256 ${shortHash(response.sha256)}`,
          hint: 'Upload phase 2 of manifest.json again.',
        }),
        ...headerResults(build, 'A schema', response, headers),
        ...(origin === undefined ? [] : resultsOf(originExchange(deployment, 'a schema', request, false), response)),
      ],
    };
  });
}

/** POST on the schemas, without a body: they are files. Only where both endpoints and the schemas are proved to be of this build. */
export function refusedSchemaExchanges({ url, build }: Deployment): Exchange[] {
  return build.rules.schemas.map(({ file }) => ({
    id: 'method/not-allowed',
    request: requestTo(url, file, { method: 'POST', headers: { 'Content-Length': '0' } }),
    is: 405,
    message: 'POST on a schema is not rejected.',
    hint: `A client would assume that its change succeeded: see ${build.rulesAt}.`,
  }));
}

/** Past caches: both documents are about the same moment. */
const FRESH = { headers: { 'Cache-Control': 'no-cache' }, ...WHOLE };

/** What the last deployment has written: what is live, and the list of its files. Before the first one there is neither. */
export function* recordResults({ url, build }: Deployment): Asking<Result[]> {
  const { contentTypes, headers } = build.rules;
  const expected = { 'Content-Type': contentTypes.json, 'Cache-Control': headers.record['Cache-Control'] ?? '' };
  const written = (path: string) => ({
    request: requestTo(url, path, FRESH),
    message: 'What a deployment writes is missing, or damaged.',
    hint: `The next deployment cannot tell what is live. Deploy again, or see ${build.rulesAt}.`,
  });
  let live: DeploymentRecord | undefined;
  const record: Exchange = {
    ...written(RECORDS.deployment),
    id: 'deployment/record',
    instead: ({ status }) => (status === 404 ? [] : undefined),
    is: (response) => response.status === 200 && parseRecord(textOf(response)) !== undefined,
    expected: '200 with a record',
    found: (response) => (response.status === 200 ? startOf(response) : statusOf(response)),
    also: (response) => {
      live = parseRecord(textOf(response));
      const label = live && passed('deployment/record', liveSince(live));
      return compact([label, ...headerResults(build, 'What a deployment writes', response, expected)]);
    },
  };
  const results = yield* ask([record]);
  const { manifest } = live ?? {};
  if (manifest === undefined) return results;
  const ofManifest: Exchange = {
    ...written(RECORDS.manifest),
    id: 'deployment/manifest',
    is: (response) => response.status === 200 && response.sha256 === manifest,
    expected: `200, sha256 ${shortHash(manifest)}`,
    found: (response) => `${statusOf(response)}, sha256 ${shortHash(response.sha256)}`,
    also: (response) => headerResults(build, 'What a deployment writes', response, expected),
  };
  return [...results, ...(yield* ask([ofManifest]))];
}
