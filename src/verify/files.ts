import { count } from '../diagnostics/quote.ts';
import { type DeploymentRecord, liveSince, parseRecord } from '../document/deployment.ts';
import { RECORDS } from '../document/endpoint.ts';
import {
  type HttpResponse,
  type Request,
  requestTo,
  shortHash,
  startOf,
  statusOf,
  textOf,
  WHOLE,
} from '../http/exchange.ts';
import { ask, type Exchange, resultsOf, type Send } from './ask.ts';
import type { Deployment } from './build.ts';
import { inEachCoding } from './compression.ts';
import { originExchange } from './cors.ts';
import { headerResults } from './headers.ts';
import { fault, judged, passed, type Result } from './result.ts';

/**
 * The OpenAPI description and the JSON Schema, as a page of an allowed origin requests them; if they are of this build, compressed too.
 * @param isProved - whether both endpoints are proved to be of this build: POST without a body is then sent, which files refuse
 */
export async function schemaResults(send: Send, deployment: Deployment, isProved: boolean): Promise<Result[]> {
  const { url, build } = deployment;
  const schemas = build.rules.schemas.map(({ file: path }) => {
    const { bytes = 0, sha256 = '' } = build.files.get(path.slice(1)) ?? {};
    return { path, bytes, sha256 };
  });
  const results = await ask(
    send,
    schemas.map((schema) => schemaExchange(deployment, schema)),
  );
  if (results.some(({ id, ok }) => id === 'schema/document' && !ok)) return results;
  const refused = schemas.map(({ path }): Exchange => ({
    id: 'method/not-allowed',
    request: requestTo(url, path, { method: 'POST', headers: { 'Content-Length': '0' } }),
    is: 405,
    message: 'POST on a schema is not rejected.',
    hint: `A client would assume that its change succeeded: see ${build.rulesAt}.`,
  }));
  const plain = schemas.map(({ path, sha256 }) => ({ what: 'a schema', request: requestTo(url, path), sha256 }));
  return [...results, ...(await ask(send, [...inEachCoding(deployment, plain), ...(isProved ? refused : [])]))];
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

/** How far the clock of the machine that deployed may be ahead, in milliseconds. */
const CLOCK_SKEW_MS = 3_600_000;
/** Retained images that are requested. */
const MAX_RETAINED = 20;
/** How often the record is requested: of several servers behind one address, each gets one of these requests. */
const REPEATED = 4;

/** What the last deployment has written: which one is live, the list of its files, and old images. Before the first one there is nothing. */
export async function recordResults(send: Send, deployment: Deployment): Promise<Result[]> {
  const { url, build } = deployment;
  const found: (DeploymentRecord | undefined)[] = [];
  const record = recordExchange(deployment, (live) => void found.push(live));
  const results: Result[] = [];
  for (let round = 0; round < REPEATED; round++) results.push(...(await ask(send, [record])));
  const live = found.find((one) => one !== undefined);
  if (live === undefined) return results;
  const { manifest, retained } = live;
  const isEverywhere = judged(
    'deployment/record',
    !found.includes(undefined),
    'deployment.json is there, and is not.',
    {
      expected: '200 each time',
      found: '200 and 404 in turn',
      hint: 'Several servers respond in turn, and were not all deployed to.',
      url: url + RECORDS.deployment,
    },
  );
  const ofManifest: Exchange = {
    ...writtenAt(deployment, RECORDS.manifest),
    id: 'deployment/manifest',
    is: (response) => response.status === 200 && response.sha256 === manifest,
    expected: `200, sha256 ${shortHash(manifest)}`,
    found: (response) => `${statusOf(response)}, sha256 ${shortHash(response.sha256)}`,
    also: (response) => recordHeaders(deployment, response),
  };
  const images = retained.slice(0, MAX_RETAINED).map(({ path }): Exchange => ({
    id: 'deployment/retained',
    request: requestTo(url, `/${path}`, { method: 'HEAD' }),
    is: ({ status }) => [200, 405].includes(status),
    expected: '200',
    message: 'An image that deployment.json retains is missing.',
    hint: `Cached documents still refer to it: deploy again, or see ${build.rulesAt}.`,
  }));
  const isOfSite = build.rules.mediaUrl.startsWith(`${build.rules.baseUrl}/`);
  return [...results, isEverywhere, ...(await ask(send, [ofManifest, ...(isOfSite ? images : [])]))];
}

/** The record, which must be of this build. */
export function recordExchange(
  deployment: Deployment,
  onRecord: (record: DeploymentRecord | undefined) => void,
): Exchange {
  const { manifest } = deployment.build;
  return {
    ...writtenAt(deployment, RECORDS.deployment),
    id: 'deployment/record',
    instead: ({ status }) => {
      if (status !== 404) return undefined;
      onRecord(undefined);
      return [];
    },
    is: (response) => response.status === 200 && parseRecord(textOf(response)) !== undefined,
    expected: '200 with a record',
    found: (response) => (response.status === 200 ? startOf(response) : statusOf(response)),
    also: (response) => {
      const record = parseRecord(textOf(response)) as DeploymentRecord;
      onRecord(record);
      const isFuture = Date.parse(record.time) > Date.now() + CLOCK_SKEW_MS;
      const message = isFuture
        ? 'deployment.json is of the future.'
        : 'deployment.json is the record of another build.';
      const isOurs = record.manifest === manifest && !isFuture;
      const details = {
        expected: isFuture ? 'a time in the past' : `manifest ${shortHash(manifest)}`,
        found: `${liveSince(record)}, manifest ${shortHash(record.manifest)}`,
        hint: 'The next deployment would compare with the wrong files. Deploy again with `themecast deploy`.',
      };
      const label = passed('deployment/record', liveSince(record));
      return [isOurs ? label : fault('deployment/record', message, details), ...recordHeaders(deployment, response)];
    },
  };
}

/** A file that a deployment writes; past caches: all are about the same moment. */
function writtenAt({ url, build }: Deployment, path: string): { request: Request; message: string; hint: string } {
  const request = { ...requestTo(url, path, { headers: { 'Cache-Control': 'no-cache' }, ...WHOLE }), isFresh: true };
  const hint = `The next deployment cannot tell what is live. Deploy again, or see ${build.rulesAt}.`;
  return { request, message: 'What a deployment writes is missing, or damaged.', hint };
}

function recordHeaders({ build }: Deployment, response: HttpResponse): Result[] {
  const { contentTypes, headers } = build.rules;
  return headerResults(build, 'What a deployment writes', response, {
    'Content-Type': contentTypes.json,
    'Cache-Control': headers.record['Cache-Control'] ?? '',
  });
}
