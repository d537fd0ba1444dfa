import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { RetainedImage } from '../../document/deployment.ts';
import { type HttpClient, REQUESTS } from '../../http/io/client.ts';
import { requestTo } from '../../http/exchange.ts';
import { checkSvgFile } from '../../image/svg/file.ts';
import { mapConcurrently } from '../../io/concurrency.ts';
import { ContainedFolder } from '../../io/disk/contained-folder.ts';
import { sha256Of } from '../../io/disk/files.ts';
import { UsageError } from '../../command-line/command.ts';

/** What was carried along. */
export interface Carried {
  retained: RetainedImage[];
  /** Those that cannot be, each with the reason. */
  lost: string[];
}

/**
 * Copies a build, and the images with it that cached documents still name: from the build, which may have them, or from what is live.
 * @param copy - the folder to make
 * @throws {UsageError} if a request fails: the image may be there
 */
export async function carryAlong(
  client: HttpClient,
  { outDir, mediaUrl, copy }: { outDir: string; mediaUrl: string; copy: string },
  images: readonly RetainedImage[],
): Promise<Carried> {
  await cp(outDir, copy, { recursive: true });
  const dir = new ContainedFolder(copy);
  const carried: Carried = { retained: [], lost: [] };
  await mapConcurrently(images, REQUESTS, async (image) => {
    const isThere = sha256Of((await dir.read(image.path, image.bytes).catch(() => undefined)) ?? '') === image.sha256;
    const bytes = isThere ? undefined : await fetchImage(client, mediaUrl, image);
    if (typeof bytes === 'string') {
      carried.lost.push(`${image.path}: ${bytes}`);
      return;
    }
    if (bytes !== undefined) {
      const file = dir.at(image.path);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, bytes);
    }
    carried.retained.push(image);
  });
  carried.retained.sort((a, b) => (a.path < b.path ? -1 : 1));
  return carried;
}

/** An image as it is live, or why it is not taken from there. */
async function fetchImage(
  client: HttpClient,
  mediaUrl: string,
  { path: name, bytes, sha256 }: RetainedImage,
): Promise<Uint8Array | string> {
  const target = name.slice('media'.length);
  const response = await client.send(requestTo(mediaUrl, target, { limit: bytes, keep: bytes }));
  if ('noResponse' in response || response.status >= 500) {
    const why = 'noResponse' in response ? response.noResponse : `responds with ${response.status}`;
    throw new UsageError(
      `${mediaUrl}${target}: ${why}. Repeat the deployment, or leave the image out with \`--drop ${name}\`.`,
    );
  }
  if (response.status !== 200) return `responds with ${response.status}`;
  if (response.sha256 !== sha256 || response.bytes !== bytes) return 'is not the image that was published';
  const diagnostics = new Diagnostics();
  const isSvg = name.endsWith('.svg');
  const isSafe =
    !isSvg || checkSvgFile({ file: name, bytes: Buffer.from(response.start) }, diagnostics.report)?.isAccepted === true;
  return isSafe && !diagnostics.hasErrors ? response.start : 'is an SVG that is not allowed';
}
