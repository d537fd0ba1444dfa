import { compact } from '../diagnostics/compact.ts';
import { count } from '../diagnostics/quote.ts';
import { type DeploymentRecord, liveSince, parseRecord } from '../document/deployment.ts';
import { RECORDS } from '../document/endpoint.ts';
import { requestTo, shortHash, startOf, statusOf, textOf, WHOLE } from '../http/exchange.ts';
import { type Asking, ask, type Exchange, resultsOf } from './ask.ts';
import type { Deployment } from './build.ts';
import { inEachCoding } from './compression.ts';
import { originExchange } from './cors.ts';
import { headerResults } from './headers.ts';
import { passed, type Result } from './result.ts';

/**
 * The OpenAPI description and the JSON Schema, as a page of an allowed origin requests them; if they are of this build, compressed too.
 * @param isProved - whether both endpoints are proved to be of this build: POST without a body is then sent, which files refuse
 */
export function* schemaResults(deployment: Deployment, isProved: boolean): Asking<Result[]> {
  const { url, build } = deployment;
  const schemas = build.rules.schemas.map(({ file: path }) => {
    const { bytes = 0, sha256 = '' } = build.files.get(path.slice(1)) ?? {};
    return { path, bytes, sha256 };
  });
  const results = yield* ask(schemas.map((schema) => schemaExchange(deployment, schema)));
  if (results.some(({ id, ok }) => id === 'schema/document' && !ok)) return results;
  const refused = schemas.map(({ path }): Exchange => ({
    id: 'method/not-allowed',
    request: requestTo(url, path, { method: 'POST', headers: { 'Content-Length': '0' } }),
    is: 405,
    message: 'POST on a schema is not rejected.',
    hint: `A client would assume that its change succeeded: see ${build.rulesAt}.`,
  }));
  const plain = schemas.map(({ path, sha256 }) => ({ what: 'a schema', request: requestTo(url, path), sha256 }));
  return [...results, ...(yield* ask([...inEachCoding(deployment, plain), ...(isProved ? refused : [])]))];
}

function schemaExchange(
  deployment: Deployment,
  { path, bytes, sha256 }: { path: string; bytes: number; sha256: string },
): Exchange {
  const { url, build } = deployment;
  const { rules } = build;
  const [origin] = rules.corsOrigins;
  const request = requestTo(url, path, origin === undefined ? {} : { headers: { Origin: origin } });
  return {
    id: 'schema/document',
    request,
    is: (response) => response.status === 200 && response.end === 'complete' && response.sha256 === sha256,
    expected: `200, ${count(bytes, 'byte')}, sha256 ${shortHash(sha256)}`,
    found: (response) =>
      `${statusOf(response)}, ${count(response.bytes, 'byte')}, sha256 ${shortHash(response.sha256)}`,
    message: 'A schema is missing, or of another build.',
    hint: `Upload schema/ with phase 2 of manifest.json, and load the rules of this build: see ${build.rulesAt}. \`schema: false\` in site.yaml turns it off.`,
    also: (response) => [
      ...headerResults(build, 'A schema', response, {
        'Content-Type': rules.contentTypes.json,
        'Cache-Control': rules.headers.schema['Cache-Control'] ?? '',
      }),
      ...(origin === undefined ? [] : resultsOf(originExchange(deployment, 'a schema', request, false), response)),
    ],
  };
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
