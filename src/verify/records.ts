import { type DeploymentRecord, liveSince, parseRecord } from '../document/deployment.ts';
import { RECORDS } from '../document/endpoint.ts';
import type { Build } from '../hosts/published-build.ts';
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
import type { Deployment } from './build.ts';
import { headerResults } from './contract.ts';
import { ask, fault, verdict, passed, type Question, type Result, type Send } from './result.ts';

const CLOCK_SKEW_MS = 3_600_000;
const MAX_RETAINED = 20;
/** Requests of the record: each of several servers behind one address should get one. */
const REPEATS = 4;

/** Verifies the files of the last deployment: its record, its manifest, and retained images. A first deployment has none yet. */
export async function recordResults(send: Send, deployment: Deployment): Promise<Result[]> {
  const { url, build } = deployment;
  const records: (DeploymentRecord | undefined)[] = [];
  const record = recordQuestion(deployment, (live) => void records.push(live));
  const results: Result[] = [];
  for (let round = 0; round < REPEATS; round++) results.push(...(await ask(send, [record])));
  const live = records.find((found) => found !== undefined);
  if (live === undefined) return results;
  const isEverywhere = verdict('deployment/record', !records.includes(undefined), 'deployment.json comes and goes.', {
    expected: '200 each time',
    found: '200 and 404 in turn: several servers respond, and not all were deployed to',
    url: url + RECORDS.deployment,
  });
  const manifest: Question = {
    id: 'deployment/manifest',
    request: freshRequest(deployment, RECORDS.manifest),
    judge: (response) => [
      verdict(
        'deployment/manifest',
        response.status === 200 && response.sha256 === live.manifest,
        'manifest.json is missing, or not the one of deployment.json.',
        {
          expected: `200, sha256 ${shortHash(live.manifest)}`,
          found: `${statusOf(response)}, sha256 ${shortHash(response.sha256)}`,
        },
      ),
      ...(response.status === 200 ? recordHeaders(build, response) : []),
    ],
  };
  const isOfSite = build.rules.mediaUrl.startsWith(`${build.rules.baseUrl}/`);
  const retained = (isOfSite ? live.retained : []).slice(0, MAX_RETAINED).map(({ path }): Question => {
    const id = 'deployment/retained';
    const judge = (response: HttpResponse): Result[] => [
      verdict(id, [200, 405].includes(response.status), 'An image that deployment.json retains is missing.', {
        expected: '200',
        found: statusOf(response),
      }),
    ];
    return { id, request: requestTo(url, `/${path}`, { method: 'HEAD' }), judge };
  });
  return [...results, isEverywhere, ...(await ask(send, [manifest, ...retained]))];
}

/** Requests the deployment record, which must be of this build. */
export function recordQuestion(
  deployment: Deployment,
  onRecord: (record: DeploymentRecord | undefined) => void = () => undefined,
): Question {
  const { build } = deployment;
  const id = 'deployment/record';
  return {
    id,
    request: freshRequest(deployment, RECORDS.deployment),
    judge: (response) => {
      const record = response.status === 200 ? parseRecord(textOf(response)) : undefined;
      if (record !== undefined || response.status === 404) onRecord(record);
      if (response.status === 404) return [];
      if (record === undefined)
        return [
          fault(id, 'deployment.json is damaged, or cannot be read.', {
            expected: '200 with a record',
            found: response.status === 200 ? startOf(response) : statusOf(response),
          }),
        ];
      const isFuture = Date.parse(record.time) > Date.now() + CLOCK_SKEW_MS;
      const label = passed(id, liveSince(record));
      const message = isFuture ? 'deployment.json is of the future.' : 'deployment.json is of another build.';
      const stale = fault(id, message, {
        expected: isFuture ? 'a time in the past' : `manifest ${shortHash(build.manifest)}`,
        found: `${liveSince(record)}, manifest ${shortHash(record.manifest)}`,
      });
      return [record.manifest === build.manifest && !isFuture ? label : stale, ...recordHeaders(build, response)];
    },
  };
}

/** Requests a file of the deployment, bypassing caches: the files must be of the same moment. */
function freshRequest({ url }: Deployment, path: string): Request {
  return { ...requestTo(url, path, { headers: { 'Cache-Control': 'no-cache' }, ...WHOLE }), isFresh: true };
}

function recordHeaders({ rules: { contentTypes, headers } }: Build, response: HttpResponse): Result[] {
  const expected = { ...headers.all, 'Content-Type': contentTypes.json, ...headers.record };
  return headerResults('deployment.json or manifest.json', response, expected);
}
