import { type DeploymentRecord, parseRecord } from '../../../core/document/files/deployment.ts';
import { RECORDS } from '../../../core/document/endpoint.ts';
import { mediaTypeOf, requestTo, textOf, WHOLE } from '../exchange.ts';
import type { HttpClient } from './client.ts';

/** The live deployment record with the SHA-256 of its text; empty before the first deployment; or why it is unknown. */
export interface Live {
  record?: DeploymentRecord;
  sha256?: string;
  problem?: string;
}

/** Requests `deployment.json`, bypassing caches. */
export async function readLive(client: HttpClient, url: string): Promise<Live> {
  const response = await client.send(requestTo(url, RECORDS.deployment, { ...WHOLE, decode: true, headers: FRESH }));
  const at = url + RECORDS.deployment;
  if ('noResponse' in response) return { problem: `${at} cannot be reached: ${response.noResponse}.` };
  const { status, headers, sha256, end } = response;
  if (status === 404) return {};
  if (status !== 200 || end !== 'complete') return { problem: `${at} responds with ${status}, ${end}.` };
  const record = parseRecord(textOf(response));
  if (record !== undefined) return { record, sha256 };
  const type = mediaTypeOf(headers['content-type'] ?? 'no type');
  return { problem: `${at} is no deployment.json (${type}): base_url of site.yaml may lead to another site.` };
}

/** Makes caches revalidate with the origin. */
export const FRESH = { 'Cache-Control': 'no-cache' } as const;
