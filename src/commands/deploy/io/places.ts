import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../../../system/command-line/command.ts';
import { type DeploymentRecord, parseManifest, parseRecord } from '../../../core/document/files/deployment.ts';
import { RECORDS } from '../../../core/document/endpoint.ts';
import { hasServers } from '../../../hosts/adapter/deploy-scripts.ts';
import { requestTo, WHOLE } from '../../../system/http/exchange.ts';
import type { HttpClient } from '../../../system/http/io/client.ts';
import { FRESH, type Live, readLive } from '../../../system/http/io/live-record.ts';
import { readIfFile, sha256Of } from '../../../system/disk/files.ts';
import { MAX_LIST_BYTES } from '../../../core/document/files/manifest-file.ts';
import type { BuildToDeploy, LiveSite } from '../plan.ts';
import { type Ending, runScript } from './script.ts';

/** A destination of the deployment: one of several servers, or the whole of another host. */
export interface Destination {
  /** `user@host`, or `base_url`. */
  name: string;
  /** The environment that makes the script use this server. */
  env: Readonly<Record<string, string>>;
  /** Reads its deployment record. `signal`: what stopped this process meanwhile. */
  read: () => Promise<Live & LiveSite & { signal?: Ending['signal'] }>;
}

/** Returns the servers of `DEPLOY_SERVER`, to read by ssh, bypassing proxies; otherwise the host, to read at `base_url`. @throws {UsageError} */
export function destinationsOf(
  { host, script, variables, baseUrl }: BuildToDeploy,
  client: HttpClient,
  work: string,
): Destination[] {
  if (!hasServers(host)) return [{ name: baseUrl, env: {}, read: () => readHost(client, baseUrl) }];
  const names = new Set(process.env['DEPLOY_SERVER']?.split(/[\s,]+/).filter((name) => name !== ''));
  if (names.size === 0)
    throw new UsageError('DEPLOY_SERVER is not set. Set it to `user@host`, or several, separated by spaces.');
  return [...names].map((name, index) => {
    const env = { DEPLOY_SERVER: name };
    return { name, env, read: () => readServer({ script, variables }, name, path.join(work, `live-${index}`)) };
  });
}

async function readHost(client: HttpClient, url: string): ReturnType<Destination['read']> {
  const { problem, ...live } = await readLive(client, url);
  if (problem !== undefined) return { problem: `${problem} If nothing is deployed there yet, add \`--first\`.` };
  if (live.record === undefined) return live;
  const response = await client.send(requestTo(url, RECORDS.manifest, { ...WHOLE, decode: true, headers: FRESH }));
  const bytes = 'noResponse' in response || response.status !== 200 ? undefined : response.start;
  return { ...live, files: filesOf(live.record, bytes) };
}

/** @param folder - for copies of the deployment record and the manifest */
async function readServer(
  { script, variables }: Pick<BuildToDeploy, 'script' | 'variables'>,
  name: string,
  folder: string,
): ReturnType<Destination['read']> {
  await mkdir(folder, { recursive: true });
  const { code, signal } = await runScript(script, { ...variables, DEPLOY_SERVER: name, STEP: 'live', LIVE: folder });
  if (signal !== undefined) return { problem: `Not read: stopped by ${signal}.`, signal };
  if (code !== 0) return { problem: `The deployment record cannot be read: the reason is above.` };
  const [text = '', manifest] = ['deployment.json', 'manifest.json'].map((file) =>
    readIfFile(path.join(folder, file), MAX_LIST_BYTES),
  );
  if (text.length === 0) return {};
  const record = parseRecord(text.toString());
  if (record === undefined) return { problem: `deployment.json on ${name} is corrupted.` };
  return { record, sha256: sha256Of(text), files: filesOf(record, manifest) };
}

/** Returns the files of a manifest, if its digest is in the record. */
function filesOf({ manifest }: DeploymentRecord, bytes: Uint8Array | undefined): LiveSite['files'] {
  const isOfRecord = bytes !== undefined && sha256Of(bytes) === manifest;
  return isOfRecord ? parseManifest(Buffer.from(bytes).toString())?.files : undefined;
}
