import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Format } from '../image/format.ts';
import { type Picture, pictureKey, renditionKey, type Thumbnail } from '../image/picture.ts';
import { type Recipe, recipeOf } from '../image/recipe.ts';
import type { Theme } from '../theme/resolve.ts';
import { type Cache, cacheKey } from './cache.ts';
import { mapConcurrently } from './concurrency.ts';
import { sha256Of } from './files.ts';
import { decoderReason } from './probe.ts';
import { loadSharp, rendererVersions } from './sharp.ts';

export interface RenderResult {
  /** By {@link renditionKey}. */
  thumbnails: ReadonlyMap<string, Thumbnail>;
  rendered: number;
  cached: number;
}

/** A picture to decode: to a thumbnail, or, without a recipe, only to see that it can be. */
interface Job {
  picture: Picture;
  recipe: Recipe | undefined;
}

/** Decodes every picture once for each recipe, and keeps the thumbnails. What was decoded before comes from the cache. */
export async function renderThumbnails(
  themes: readonly Theme[],
  pictures: ReadonlyMap<string, Picture>,
  cache: Cache,
  report: Report,
  onProgress: (done: number, all: number) => void,
): Promise<RenderResult> {
  const jobs = listJobs(themes, pictures);
  const thumbnails = new Map<string, Thumbnail>();
  let [done, rendered, cached] = [0, 0, 0];
  await mapConcurrently(jobs, availableParallelism(), async ({ picture, recipe }) => {
    const result = await renderCached(picture, recipe, cache);
    if ('reason' in result) report('image/corrupt', picture.location, { path: picture.path, reason: result.reason });
    else {
      if (result.thumbnail !== undefined && recipe !== undefined)
        thumbnails.set(renditionKey(picture, recipe), result.thumbnail);
      if (result.fromCache) cached++;
      else rendered++;
    }
    onProgress(++done, jobs.length);
  });
  return { thumbnails, rendered, cached };
}

function listJobs(themes: readonly Theme[], pictures: ReadonlyMap<string, Picture>): Job[] {
  const jobs = new Map<string, Job>();
  for (const theme of themes) {
    for (const [field, source] of Object.entries(theme.pictures)) {
      const picture = 'path' in source ? pictures.get(pictureKey(source)) : undefined;
      if (picture === undefined || picture.format === 'ico') continue; // libvips does not read ICO; its directory was checked
      const recipe = recipeOf(field as keyof Theme['pictures']);
      jobs.set(recipe === undefined ? picture.sha256 : renditionKey(picture, recipe), { picture, recipe });
    }
  }
  // A thumbnail decodes the whole picture, so nothing more has to be checked of it.
  const rendered = [...jobs.values()].filter(({ recipe }) => recipe !== undefined);
  for (const { picture } of rendered) jobs.delete(picture.sha256);
  return [...jobs.values()];
}

interface Note {
  sha256: string;
  format: Format;
  bytes: number;
}

type Rendered = { thumbnail: Thumbnail | undefined; fromCache: boolean } | { reason: string };

async function renderCached(picture: Picture, recipe: Recipe | undefined, cache: Cache): Promise<Rendered> {
  const key = cacheKey({ source: picture.sha256, recipe: recipe ?? 'decode', versions: await rendererVersions() });
  const note = await cache.note<Note | 'decodes'>(key);
  if (note === 'decodes') return { thumbnail: undefined, fromCache: true };
  const known = note && (await cache.object(note.sha256));
  if (note !== undefined && known !== undefined) return { thumbnail: { ...note, file: known }, fromCache: true };

  const source = await readFile(picture.file);
  if (sha256Of(source) !== picture.sha256) return { reason: 'it changed while it was read' };
  try {
    if (recipe === undefined) {
      await decode(source);
      await cache.setNote(key, 'decodes');
      return { thumbnail: undefined, fromCache: false };
    }
    const { data, format } = await render(source, picture, recipe);
    const { sha256, file } = await cache.addObject(data);
    await cache.setNote(key, { sha256, format, bytes: data.length } satisfies Note);
    return { thumbnail: { file, sha256, bytes: data.length, format }, fromCache: false };
  } catch (error) {
    return { reason: decoderReason(error) };
  }
}

/** Decodes every pixel and throws if one is missing. */
async function decode(source: Buffer): Promise<void> {
  const sharp = await loadSharp();
  await sharp(source).stats();
}

/** Makes a thumbnail as the contract says: inside the box, never enlarged, upright, sRGB, without metadata. */
async function render(source: Buffer, picture: Picture, recipe: Recipe): Promise<{ data: Buffer; format: Format }> {
  const sharp = await loadSharp();
  const [width, height] = recipe.box;
  const transparent = picture.header.hasAlpha && !(await sharp(source).stats()).isOpaque;
  const format = transparent ? recipe.transparent : recipe.opaque;
  const isSvg = picture.format === 'svg';
  const drawn = sharp(source, {
    // An SVG is drawn at the size of the box instead of being scaled up from its nominal size.
    ...(isSvg ? { density: svgDensity(picture.header, recipe.box) } : {}),
    // Measured: converting through a profile that only says sRGB costs 9 % and changes nothing.
    ignoreIcc: picture.header.srgbProfile,
  })
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: !isSvg })
    .toColourspace('srgb');
  const encoded = {
    png: () => drawn.png({ compressionLevel: 9 }),
    jpeg: () => drawn.jpeg({ quality: recipe.quality ?? 80 }),
    webp: () => drawn.webp({ quality: recipe.quality ?? 80 }),
  }[format]();
  return { data: await encoded.toBuffer(), format };
}

/** Dots per inch at which an SVG fills the box; at 72 it has its nominal size in pixels. */
function svgDensity({ width, height }: Picture['header'], [boxWidth, boxHeight]: Recipe['box']): number {
  const scale = Math.min(boxWidth / Math.max(width, 1), boxHeight / Math.max(height, 1));
  return Math.min(Math.max(72 * scale, 1), 100_000);
}
