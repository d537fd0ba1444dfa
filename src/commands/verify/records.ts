import { type DeploymentRecord, liveSince, parseRecord } from '../../core/document/files/deployment.ts';
import { RECORDS } from '../../core/document/endpoint.ts';
import {
  type HttpResponse,
  requestTo,
  shortHash,
  excerptOf,
  statusOf,
  textOf,
  WHOLE,
} from '../../system/http/exchange.ts';
import type { Deployment } from './build.ts';
import { expectedOf } from './rows.ts';
import { documentResults } from './documents.ts';
import { judge, type Row } from './judge.ts';
import { fault, passed, type Result, verdict } from './result.ts';

const CLOCK_SKEW_MS = 3_600_000;
const MAX_RETAINED = 20;
const ID = 'deployment/record';

/** Requests the deployment record, bypassing caches. A first deployment has none yet. */
export async function recordRow(deployment: Deployment): Promise<Row> {
  const row = await fileRow(deployment, RECORDS.deployment);
  return { ...row, judge: (each, response) => recordResults(deployment, each, response) };
}

async function fileRow(deployment: Deployment, path: string): Promise<Row> {
  const options = { headers: { 'Cache-Control': 'no-cache' }, ...WHOLE };
  const request = { ...requestTo(deployment.url, path, options), isFresh: true };
  return { id: ID, what: 'deployment.json or manifest.json', request, expected: await expectedOf(deployment, request) };
}

/** Returns the deployment record of a response; undefined before the first deployment. */
export function recordOf(response: HttpResponse): DeploymentRecord | undefined {
  return response.status === 200 ? parseRecord(textOf(response)) : undefined;
}

function recordResults({ build }: Deployment, row: Row, response: HttpResponse): Result[] {
  const { manifest, commit } = build;
  const record = recordOf(response);
  if (response.status === 404) return [];
  if (record === undefined) {
    const found = response.status === 200 ? excerptOf(response) : statusOf(response);
    return [fault(ID, 'deployment.json is damaged, or cannot be read.', { expected: '200 with a record', found })];
  }
  const found = `${liveSince(record)}, manifest ${shortHash(record.manifest)}`;
  const isPast = Date.parse(record.time) <= Date.now() + CLOCK_SKEW_MS;
  const isOurs = record.manifest === manifest;
  const otherCommit = {
    expected: `commit ${commit?.slice(0, 7)}, in edge/build.json`,
    hint: 'The same themes were built from this commit too: build the live commit, or deploy again.',
  };
  return [
    passed(ID, liveSince(record)),
    verdict(ID, isPast, 'deployment.json is of the future.', { expected: 'a time in the past', found }),
    verdict(ID, isOurs, 'deployment.json is of another build.', { expected: `manifest ${shortHash(manifest)}`, found }),
    ...(isOurs && commit !== undefined && record.commit !== commit
      ? [fault('deployment/commit', 'deployment.json names another commit than this build.', { ...otherCommit, found })]
      : []),
    ...judge(row, response),
  ];
}

/** Requests the manifest of a record, which must have its digest, and the images that it retains for cached documents. */
export async function filesOfRecord(deployment: Deployment, { manifest, retained }: DeploymentRecord): Promise<Row[]> {
  const { url, build } = deployment;
  const row = await fileRow(deployment, RECORDS.manifest);
  const file = { path: 'manifest.json of deployment.json', bytes: 0, sha256: manifest, type: '' };
  const isOfSite = build.rules.mediaUrl.startsWith(`${build.rules.baseUrl}/`);
  const images = (isOfSite ? retained : []).slice(0, MAX_RETAINED).map(({ path }): Row => {
    const request = requestTo(url, `/${path}`, { method: 'HEAD' });
    return {
      id: ID,
      what: 'An image that deployment.json retains',
      request,
      expected: { status: 200, headers: {}, text: '' },
    };
  });
  return [{ ...row, expected: { ...row.expected, file }, more: documentResults(deployment) }, ...images];
}
