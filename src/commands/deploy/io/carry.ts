import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../../../system/command-line/command.ts';
import { Diagnostics } from '../../../core/diagnostics/diagnostic.ts';
import type { RetainedImage } from '../../../core/document/files/deployment.ts';
import { requestTo } from '../../../system/http/exchange.ts';
import { type HttpClient, MAX_REQUESTS } from '../../../system/http/io/client.ts';
import { mapConcurrently } from '../../../system/disk/concurrency.ts';
import type { Decoders } from '../../../system/decoder/pool.ts';
import { withDecoders } from '../../../system/decoder/shared.ts';
import { ContainedFolder } from '../../../system/disk/contained-folder.ts';
import { readIfFile } from '../../../system/disk/files.ts';
import { decodeImage } from '../../../system/decoder/logo.ts';
import { parseYaml } from '../../../core/source/yaml.ts';
import { type Site, validateSite } from '../../../core/theme/site/site.ts';
import { TEXT_LIMIT } from '../../../core/theme/themes-folder.ts';
import type { BuildToDeploy } from '../plan.ts';

/** The images copied from the live site. */
export interface CopiedImages {
  retained: RetainedImage[];
  /** Images that were not copied, each with the reason. */
  lost: string[];
}

const MAX_RETAINED_BYTES = 1_000_000_000;

/**
 * Copies the files of a build, and adds the live images that cached documents still refer to.
 * @param copy - the new folder
 * @throws {UsageError} if a request fails, because the image may still be live
 */
export async function copyWithRetained(
  client: HttpClient,
  { outDir, themesDir, mediaUrl, files }: Pick<BuildToDeploy, 'outDir' | 'themesDir' | 'mediaUrl' | 'files'>,
  copy: string,
  images: readonly RetainedImage[],
): Promise<CopiedImages> {
  const [from, to] = [new ContainedFolder(outDir), new ContainedFolder(copy)];
  // Only the listed files: the folder may contain foreign files.
  for (const name of ['manifest.json', ...files.map((file) => file.path)]) {
    if (!from.hasFile(name)) throw new UsageError(`${name} is missing from ${outDir}. Build again.`);
    await mkdir(path.dirname(path.join(copy, name)), { recursive: true });
    await copyFile(from.at(name), to.at(name));
  }
  const limits = limitsOf(themesDir);
  const copied: CopiedImages = { retained: [], lost: [] };
  let total = 0;
  const newest = images.toSorted((a, b) => Date.parse(b.last_named) - Date.parse(a.last_named));
  const limited = newest.map((image) => ({ image, isOverLimit: (total += image.bytes) > MAX_RETAINED_BYTES }));
  await withDecoders((decoders) =>
    mapConcurrently(limited, MAX_REQUESTS, async ({ image, isOverLimit }) => {
      const bytes = isOverLimit
        ? 'the newer images already have 1 GB'
        : await fetchImage(client, mediaUrl, image, { limits, decoders });
      if (typeof bytes === 'string') {
        copied.lost.push(`${image.path}: ${bytes}`);
        return;
      }
      await mkdir(path.dirname(path.join(copy, image.path)), { recursive: true });
      await writeFile(to.at(image.path), bytes);
      copied.retained.push(image);
    }),
  );
  copied.retained.sort((a, b) => (a.path < b.path ? -1 : 1));
  return copied;
}

function limitsOf(themesDir: string): Site['limits'] {
  const { report } = new Diagnostics();
  const text = readIfFile(path.join(themesDir, 'site.yaml'), TEXT_LIMIT)?.toString();
  return validateSite(
    text === undefined ? undefined : parseYaml('site.yaml', text, report),
    undefined,
    undefined,
    report,
  ).limits;
}

/** Returns the bytes of a live image, or the reason not to copy it. */
async function fetchImage(
  client: HttpClient,
  mediaUrl: string,
  { path: name, bytes, sha256 }: RetainedImage,
  { limits, decoders }: { limits: Site['limits']; decoders: Decoders },
): Promise<Uint8Array | string> {
  if (bytes > limits.picture_bytes) return 'has more than `limits.picture_bytes`';
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
  // Anyone who can change the live site could publish anything here, so the image gets the checks of an image in a theme.
  const diagnostics = new Diagnostics();
  const field = name.endsWith('.ico') ? 'favicon' : 'logo';
  await decodeImage(Buffer.from(response.start), name, field, decoders, diagnostics.report);
  const error = diagnostics.sorted.find(({ severity }) => severity === 'error');
  return error === undefined ? response.start : `is not accepted: ${error.message}`;
}
