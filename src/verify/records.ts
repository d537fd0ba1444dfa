import { liveSince, parseRecord } from '../document/deployment.ts';
import { RECORDS } from '../document/endpoint.ts';
import { type HttpResponse, requestTo, shortHash, textOf, WHOLE } from '../http/exchange.ts';
import { type Asking, judgedOutcome } from './ask.ts';
import type { Deployment } from './build.ts';
import { headerResults } from './headers.ts';
import { fault, judged, passed, type Result, statusResult } from './result.ts';

/** Past caches: both documents are about the same moment. */
const FRESH = { headers: { 'Cache-Control': 'no-cache' }, ...WHOLE };

type RecordId = 'deployment/record' | 'deployment/manifest';

/** What the last deployment has written: what is live, and the list of its files. Before the first one there is neither. */
export function* recordResults(deployment: Deployment): Asking<Result[]> {
  const toRecord = requestTo(deployment.url, RECORDS.deployment, FRESH);
  const toManifest = requestTo(deployment.url, RECORDS.manifest, FRESH);
  const [first, second] = yield [toRecord, toManifest];
  const hint = `The next deployment cannot tell what is live. Deploy again, or see ${deployment.build.rulesAt}.`;
  return judgedOutcome('deployment/record', toRecord, first, (response) => {
    if (response.status === 404) return [];
    const results = documentResults(deployment, 'deployment/record', response, hint);
    if (response.status !== 200) return results;
    const live = parseRecord(textOf(response));
    if (live !== undefined)
      return [
        ...results,
        passed('deployment/record', liveSince(live)),
        ...judgedOutcome('deployment/manifest', toManifest, second, (manifest) => [
          ...documentResults(deployment, 'deployment/manifest', manifest, hint),
          judged('deployment/manifest', manifest.sha256 === live.manifest, 'deployment.json names another manifest.', {
            expected: `sha256 ${shortHash(live.manifest)}`,
            found: `sha256 ${shortHash(manifest.sha256)}`,
            hint,
          }),
        ]),
      ];
    const found = textOf(response).slice(0, 60);
    return [
      ...results,
      fault('deployment/record', 'This is no record of a deployment.', { expected: 'a record', found, hint }),
    ];
  });
}

function documentResults({ build }: Deployment, id: RecordId, response: HttpResponse, hint: string): Result[] {
  const { contentTypes, headers } = build.rules;
  const status = statusResult(id, response, 200, 'What a deployment writes does not respond with 200.', hint);
  const expected = { 'Content-Type': contentTypes.json, 'Cache-Control': headers.record['Cache-Control'] ?? '' };
  return status.ok ? [status, ...headerResults(build, 'What a deployment writes', response, expected)] : [status];
}
