import { type DeploymentRecord, liveSince, parseRecord } from '../../core/document/deployment.ts';
import { RECORDS } from '../../core/document/endpoint.ts';
import {
  type HttpResponse,
  requestTo,
  shortHash,
  startOf,
  statusOf,
  textOf,
  WHOLE,
} from '../../system/http/exchange.ts';
import type { Deployment } from './build.ts';
import { expectedOf } from './expected.ts';
import { type ContractRow, judge } from './judge.ts';
import { fault, passed, type Result, type Row, verdict } from './result.ts';

const CLOCK_SKEW_MS = 3_600_000;
const MAX_RETAINED = 20;

/** Requests the deployment record or its manifest, bypassing caches: both must be of the same moment. */
export async function recordRow(deployment: Deployment, path: string = RECORDS.deployment): Promise<ContractRow> {
  const options = { headers: { 'Cache-Control': 'no-cache' }, ...WHOLE };
  const request = { ...requestTo(deployment.url, path, options), isFresh: true };
  const what = 'deployment.json or manifest.json';
  return { id: 'deployment/record', what, request, expected: await expectedOf(deployment, request) };
}

/** Returns the deployment record of a response; undefined before the first deployment. */
export function recordOf(response: HttpResponse): DeploymentRecord | undefined {
  return response.status === 200 ? parseRecord(textOf(response)) : undefined;
}

/** Judges the deployment record, which must be of this build. */
export function judgeRecord(deployment: Deployment, row: ContractRow, response: HttpResponse): Result[] {
  const { id } = row;
  const { manifest, commit } = deployment.build;
  const record = recordOf(response);
  if (response.status === 404) return [];
  if (record === undefined) {
    const found = response.status === 200 ? startOf(response) : statusOf(response);
    return [fault(id, 'deployment.json is damaged, or cannot be read.', { expected: '200 with a record', found })];
  }
  const found = `${liveSince(record)}, manifest ${shortHash(record.manifest)}`;
  const others = judge(deployment, row, response).filter((result) => result.id !== id);
  if (Date.parse(record.time) > Date.now() + CLOCK_SKEW_MS)
    return [fault(id, 'deployment.json is of the future.', { expected: 'a time in the past', found }), ...others];
  if (record.manifest !== manifest)
    return [
      fault(id, 'deployment.json is of another build.', { expected: `manifest ${shortHash(manifest)}`, found }),
      ...others,
    ];
  if (commit !== undefined && record.commit !== commit) {
    const expected = `commit ${commit.slice(0, 7)}, in edge/build.json`;
    const hint =
      'The same themes were built from this commit too: build the live commit, or deploy again with `themecast deploy`.';
    return [
      fault('deployment/commit', 'deployment.json names another commit than this build.', { expected, found, hint }),
      ...others,
    ];
  }
  return [passed(id, liveSince(record)), ...others];
}

/** Judges the manifest, which must be the one of the record. */
export function judgeManifest(
  deployment: Deployment,
  row: ContractRow,
  response: HttpResponse,
  live: DeploymentRecord,
): Result[] {
  const isOfRecord = response.status === 200 && response.sha256 === live.manifest;
  const manifest = verdict(
    'deployment/record',
    isOfRecord,
    'manifest.json is missing, or not the one of deployment.json.',
    {
      expected: `200, sha256 ${shortHash(live.manifest)}`,
      found: `${statusOf(response)}, sha256 ${shortHash(response.sha256)}`,
    },
  );
  return [
    manifest,
    ...(response.status === 200 ? judge(deployment, row, response).filter(({ id }) => id !== row.id) : []),
  ];
}

/** Requests the images that the record retains. */
export function retainedRows({ url, build: { rules } }: Deployment, { retained }: DeploymentRecord): Row[] {
  const isOfSite = rules.mediaUrl.startsWith(`${rules.baseUrl}/`);
  return (isOfSite ? retained : []).slice(0, MAX_RETAINED).map(({ path }) => {
    return { id: 'deployment/retained', request: requestTo(url, `/${path}`, { method: 'HEAD' }) };
  });
}

export function judgeRetained({ id }: Row, response: HttpResponse): Result[] {
  const isThere = [200, 405].includes(response.status);
  const message = 'An image that deployment.json retains is missing.';
  return [verdict(id, isThere, message, { expected: '200', found: statusOf(response) })];
}
