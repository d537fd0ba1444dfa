import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { type ImageReference, inspectImage, reportAtEach, stemOf } from '../../image/inspect.ts';
import { similarName } from '../../image/similar-name.ts';
import { isPlaceholder } from '../../image/placeholder.ts';
import { imageKey, type SourceImage } from '../../image/source-image.ts';
import type { ImageSource } from '../../theme/image-source.ts';
import type { NamedImages } from '../../theme/resolve.ts';
import type { Site } from '../../theme/site.ts';
import { type FileProblem, readRegularFile, reportFileProblem } from '../disk/files.ts';
import type { FileContent } from '../incremental/file-hashes.ts';
import type { Content } from '../themes/discover.ts';
import type { Ahead } from './ahead.ts';
import type { Cache } from './cache.ts';
import type { IncrementalCache } from '../incremental/incremental-cache.ts';

export interface ProbeOptions {
  limits: Site['limits'];
  cache: Cache;
  incremental: IncrementalCache;
  /** Decodes what is read and was not known. Default: nothing does. */
  ahead?: Ahead | undefined;
}

/** An image that was checked, as the incremental cache retains it. */
type Probed = Omit<SourceImage, 'slug' | 'file'> & {
  /** Whether the published bytes are in the cache, because those of the source have metadata. */
  isStored: boolean;
};

/**
 * Reads every image that a theme names, once, and checks whatever does not need decoding.
 * @returns by {@link imageKey}
 */
export async function probeImages(
  themes: readonly NamedImages[],
  content: Content,
  options: ProbeOptions,
  report: Report,
): Promise<Map<string, SourceImage>> {
  const images = new Map<string, SourceImage>();
  const folders = referencesOf(themes);
  if (options.ahead) options.ahead.all = [...folders.values()].reduce((sum, { size }) => sum + size, 0);
  try {
    for (const [slug, references] of folders) {
      for (const image of await probeFolder(slug, [...references.values()], content, options, report))
        images.set(imageKey(image), image);
    }
  } finally {
    await options.ahead?.end();
  }
  return images;
}

/** Checks the images of one folder. */
async function probeFolder(
  slug: string,
  all: readonly (readonly ImageReference[])[],
  content: Content,
  options: ProbeOptions,
  report: Report,
): Promise<SourceImage[]> {
  const { limits, cache, incremental } = options;
  const { files } = incremental;
  const folder = path.join(content.themesDir, slug);
  const listed = content.files.get(slug) ?? [];
  const read: ReadImage[] = [];
  for (const references of all) {
    const named = pathOf(references);
    const source = listed.includes(named)
      ? files.contentOf(path.join(folder, named), limits.picture_bytes)
      : await readUnlisted(folder, named, limits.picture_bytes);
    read.push({ references, source });
  }
  const named = all.map((references) =>
    references.map(({ field, source: { path: named, location } }) => [field, named, location]),
  );
  const parts = [
    named,
    all[0]?.[0]?.source.location.file,
    limits.picture_bytes,
    // What a message may name instead.
    all.map((references) => listed.filter((file) => stemOf(file) === stemOf(pathOf(references)))),
    ...read.map(({ source }) => (source && 'sha256' in source ? source.sha256 : undefined)),
  ];
  const sourceOf = (image: Probed): SourceImage => ({
    ...image,
    slug,
    file: image.isStored ? cache.pathOfBlob(image.sha256) : path.join(folder, image.path),
  });
  const make = (found: Report): Promise<Probed[]> => checkImages(read, sourceOf, content, options, found);
  const isWhole = (probed: readonly Probed[]): boolean =>
    probed.every((image) => listed.includes(image.path) && (!image.isStored || cache.hasBlob(image, files)));
  const probed = await incremental.memoize(`images ${slug}`, parts, report, make, isWhole);
  // What was read although it is known, too: its bytes are in memory.
  for (const { references, source } of read) {
    const image = probed.find(({ path: file }) => file === pathOf(references));
    if (image?.isStored === false && source && 'isRead' in source && source.isRead)
      await options.ahead?.stage(sourceOf(image), source.bytes());
  }
  return probed.map(sourceOf);
}

/** An image file as it was found; nothing if it can be read, but not under that name. */
interface ReadImage {
  references: readonly ImageReference[];
  source: FileContent | FileProblem | undefined;
}

/** An image that is hidden, lies behind a link, or has another name that this file system takes for the same; most servers do not. */
async function readUnlisted(folder: string, named: string, limit: number): Promise<FileProblem | undefined> {
  const found = await readRegularFile(path.join(folder, named), limit, folder);
  return Buffer.isBuffer(found) ? undefined : found;
}

/** The images that pass every check short of decoding; their bytes without metadata go to the cache. */
async function checkImages(
  read: readonly ReadImage[],
  sourceOf: (image: Probed) => SourceImage,
  content: Content,
  { limits, cache, incremental: { files }, ahead }: ProbeOptions,
  report: Report,
): Promise<Probed[]> {
  const probed: Probed[] = [];
  const placeholders: ImageReference[] = [];
  for (const { references, source } of read) {
    if (source === undefined || 'problem' in source) {
      reportUnread({ references, source }, content, limits, report);
      continue;
    }
    const [
      {
        source: { slug, path: named, location },
      },
    ] = references as [ImageReference];
    const bytes = source.bytes();
    const siblings = content.files.get(slug) ?? [];
    const inspected = inspectImage(bytes, content.display(path.join(slug, named)), references, report, siblings);
    if (inspected === undefined) continue;
    const { format, published } = inspected;
    if (format === 'svg' && isPlaceholder(bytes)) placeholders.push(...references);
    const isStored = published !== bytes;
    const sha256 = isStored ? await cache.addBlob(published, files) : source.sha256;
    const image = { path: named, bytes: published.length, sha256, format, location, isStored };
    probed.push(image);
    await ahead?.begin(sourceOf(image), published, references);
  }
  reportPlaceholders(placeholders, report);
  return probed;
}

/** Reports all placeholders of a theme at once, at the first: a new theme has nine. */
function reportPlaceholders(placeholders: readonly ImageReference[], report: Report): void {
  const fields = new Set(placeholders.map(({ field }) => field));
  const [first] = placeholders;
  if (first !== undefined) report('image/placeholder', first.source.location, { fields: [...fields] });
}

/** Reports why an image file cannot be read. */
function reportUnread(
  { references, source: problem }: { references: readonly ImageReference[]; source: FileProblem | undefined },
  content: Content,
  { picture_bytes: limit }: Site['limits'],
  report: Report,
): void {
  const everywhere = reportAtEach(references, report);
  const [{ source }] = references as [ImageReference];
  const { slug, path: named } = source;
  if (problem === undefined || problem.problem === 'missing') {
    const isHidden = problem === undefined && /(?:^|\/)\./.test(named);
    const files = content.files.get(slug) ?? [];
    everywhere('image/not-found', { path: named, ...similarName(named, files), isHidden });
  } else if (problem.problem === 'too-large')
    everywhere('image/too-large', { path: named, bytes: problem.bytes, limit });
  else if (problem.problem === 'unreadable')
    reportFileProblem(problem, content.display(path.join(slug, named)), limit, report);
  else everywhere('image/not-a-file', { path: named });
}

function pathOf([reference]: readonly ImageReference[]): string {
  return reference?.source.path ?? '';
}

/** The fields that name each image file, by folder and path. */
function referencesOf(themes: readonly NamedImages[]): Map<string, Map<string, ImageReference[]>> {
  const folders = new Map<string, Map<string, ImageReference[]>>();
  for (const theme of themes) {
    for (const [field, source] of Object.entries(theme.images) as [ImageReference['field'], ImageSource][]) {
      if (!('path' in source)) continue;
      const folder = folders.get(source.slug) ?? new Map<string, ImageReference[]>();
      folders.set(source.slug, folder);
      const same = folder.get(source.path) ?? [];
      folder.set(source.path, same);
      // An inherited image is named in one place only.
      if (!same.some((other) => other.field === field && other.source.location.file === source.location.file))
        same.push({ field, source });
    }
  }
  return folders;
}
