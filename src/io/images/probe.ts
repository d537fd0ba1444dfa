import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { type ImageReference, inspectImage, reportAtEach } from '../../image/inspect.ts';
import { similarName } from '../../image/similar-name.ts';
import { imageKey, type SourceImage } from '../../image/source-image.ts';
import type { ImageSource } from '../../theme/image-source.ts';
import type { Theme } from '../../theme/resolve.ts';
import type { Site } from '../../theme/site.ts';
import { mapConcurrently } from '../concurrency.ts';
import { READERS, readRegularFile, reportFileProblem, sha256Of } from '../files.ts';
import type { Content } from '../themes/discover.ts';
import type { Cache } from './cache.ts';
import type { IncrementalCache } from '../incremental-cache.ts';

export interface ProbeOptions {
  limits: Site['limits'];
  cache: Cache;
  incremental: IncrementalCache;
}

export interface ProbeResult {
  /** By {@link imageKey}. */
  images: Map<string, SourceImage>;
  /** The SVGs that diagnostics point into, by file. */
  texts: Map<string, string>;
}

/** Reads every image that a theme names, once, and checks whatever does not need decoding. */
export async function probeImages(
  themes: readonly Theme[],
  content: Content,
  { limits, cache, incremental }: ProbeOptions,
  report: Report,
): Promise<ProbeResult> {
  const probed = await mapConcurrently([...referencesOf(themes)], READERS, async ([key, references]) => {
    const [{ source }] = references as [ImageReference];
    const fingerprint = incremental.fingerprintOf(path.join(content.themesDir, source.slug, source.path));
    const parts = [fingerprint, JSON.stringify([references, limits])];
    const { image, texts } = await incremental.memoize(`image ${key}`, parts, report, async (found) => {
      const svgs = new Map<string, string>();
      return { image: await probe(references, content, limits, cache, svgs, found), texts: [...svgs] };
    });
    return { images: image === undefined ? [] : ([[key, image]] as const), texts };
  });
  return {
    images: new Map(probed.flatMap(({ images }) => images)),
    texts: new Map(probed.flatMap(({ texts }) => texts)),
  };
}

/** The fields that name each image file, by {@link imageKey}. */
function referencesOf(themes: readonly Theme[]): Map<string, ImageReference[]> {
  const references = new Map<string, ImageReference[]>();
  for (const theme of themes) {
    for (const [field, source] of Object.entries(theme.images) as [ImageReference['field'], ImageSource][]) {
      if (!('path' in source)) continue;
      const same = references.get(imageKey(source)) ?? [];
      // An inherited image is named in one place only.
      if (!same.some((other) => other.field === field && other.source.location.file === source.location.file))
        same.push({ field, source });
      references.set(imageKey(source), same);
    }
  }
  return references;
}

async function probe(
  references: readonly ImageReference[],
  content: Content,
  limits: Site['limits'],
  cache: Cache,
  texts: Map<string, string>,
  report: Report,
): Promise<SourceImage | undefined> {
  const [{ source }] = references as [ImageReference];
  const { slug, path: named, location } = source;
  const file = path.join(content.themesDir, slug, named);
  const bytes = await readImage(references, file, content, limits.picture_bytes, report);
  if (bytes === undefined) return undefined;
  const shown = content.display(path.join(slug, named));
  const inspected = inspectImage(bytes, shown, references, limits, (code, place, args) => {
    if (place.file === shown && place.start !== undefined) texts.set(shown, new TextDecoder().decode(bytes));
    report(code, place, args);
  });
  if (inspected === undefined) return undefined;
  const { format, published, pixels } = inspected;
  // Looked at every time: measured, that takes less than a cache entry for it, which could be forged.
  const sha256 = sha256Of(published);
  const storedIn = published === bytes ? file : ((await cache.blob(sha256)) ?? (await cache.addBlob(published)).file);
  return { slug, path: named, bytes: published.length, sha256, file: storedIn, format, pixels, location };
}

/** The bytes of an image file; reports why it cannot be read. */
async function readImage(
  references: readonly ImageReference[],
  file: string,
  content: Content,
  limit: number,
  report: Report,
): Promise<Buffer | undefined> {
  const everywhere = reportAtEach(references, report);
  const [{ source }] = references as [ImageReference];
  const { slug, path: named } = source;
  const known = content.files.get(slug) ?? [];
  const bytes = await readRegularFile(file, limit, path.join(content.themesDir, slug));
  const isRead = Buffer.isBuffer(bytes);
  // A case-insensitive file system opens the file under any name; most servers do not.
  if (isRead ? !known.includes(named) : bytes.problem === 'missing') {
    const isHidden = isRead && /(?:^|\/)\./.test(named);
    everywhere('image/not-found', { path: named, ...similarName(named, known), isHidden });
  } else if (isRead) return bytes;
  else if (bytes.problem === 'too-large') everywhere('image/too-large', { path: named, bytes: bytes.bytes, limit });
  else if (bytes.problem === 'unreadable')
    reportFileProblem(bytes, content.display(path.join(slug, named)), limit, report);
  else everywhere('image/not-a-file', { path: named });
  return undefined;
}
