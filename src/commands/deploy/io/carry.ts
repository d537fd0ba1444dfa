import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RetainedImage } from '../../../core/document/files/deployment.ts';
import { UsageError } from '../../../system/command-line/command.ts';
import { mapConcurrently } from '../../../system/disk/concurrency.ts';
import { ContainedFolder } from '../../../system/disk/contained-folder.ts';
import { requestTo } from '../../../system/http/exchange.ts';
import { type HttpClient, MAX_REQUESTS } from '../../../system/http/io/client.ts';
import type { BuildToDeploy } from '../plan.ts';

/**
 * Copies the files of a build, and adds the live images that cached documents still refer to.
 * @param copy - the new folder
 * @returns the added images, and those that are lost, each with the reason
 * @throws {UsageError} if a request fails, because the image may still be live
 */
export async function copyWithRetained(
  client: HttpClient,
  { outDir, mediaUrl, files }: Pick<BuildToDeploy, 'outDir' | 'mediaUrl' | 'files'>,
  copy: string,
  images: readonly RetainedImage[],
): Promise<{ retained: RetainedImage[]; lost: string[] }> {
  const [from, to] = [new ContainedFolder(outDir), new ContainedFolder(copy)];
  // Only the listed files: the folder may contain foreign files.
  for (const name of ['manifest.json', ...files.map((file) => file.path)]) {
    await mkdir(path.dirname(path.join(copy, name)), { recursive: true });
    await copyFile(from.at(name), to.at(name));
  }
  const lost: string[] = [];
  const retained = await mapConcurrently(images, MAX_REQUESTS, async (image) => {
    const bytes = await fetchImage(client, mediaUrl, image);
    if (typeof bytes === 'string') {
      lost.push(`${image.path}: ${bytes}`);
      return [];
    }
    await mkdir(path.dirname(path.join(copy, image.path)), { recursive: true });
    await writeFile(to.at(image.path), bytes);
    return [image];
  });
  return { retained: retained.flat(), lost };
}

/** Returns the bytes of a live image, or the reason not to copy it. */
async function fetchImage(
  client: HttpClient,
  mediaUrl: string,
  { path: name, bytes, sha256 }: RetainedImage,
): Promise<Uint8Array | string> {
  const target = name.slice('media'.length);
  const response = await client.send(requestTo(mediaUrl, target, { limit: bytes, keep: bytes }));
  if ('noResponse' in response || response.status >= 500) {
    const why = 'noResponse' in response ? response.noResponse : `responds with ${response.status}`;
    throw new UsageError(`${mediaUrl}${target}: ${why}. Repeat the deployment.`);
  }
  if (response.status !== 200) return `responds with ${response.status}`;
  return response.sha256 === sha256 && response.bytes === bytes
    ? response.start
    : 'is not the image that was published';
}
