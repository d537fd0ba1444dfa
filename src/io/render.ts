import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Sharp } from 'sharp';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Format } from '../image/format.ts';
import { type Picture, pictureKey, renditionKey, type Thumbnail } from '../image/picture.ts';
import { type Recipe, recipeOf } from '../image/recipe.ts';
import type { Theme } from '../theme/resolve.ts';
import { type Cache, cacheKey } from './cache.ts';
import { mapConcurrently } from './concurrency.ts';
import { sha256Of } from './files.ts';
import { UNDECODABLE } from './probe.ts';
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
  // Only what the decoder says is a finding about the picture; if the cache cannot be written, the build ends.
  const result = await (recipe === undefined ? decode(source, picture) : render(source, picture, recipe)).catch(() => ({
    reason: UNDECODABLE,
  }));
  if (result === undefined) {
    await cache.setNote(key, 'decodes');
    return { thumbnail: undefined, fromCache: false };
  }
  if ('reason' in result) return result;
  const { data, format } = result;
  const { sha256, file } = await cache.addObject(data);
  await cache.setNote(key, { sha256, format, bytes: data.length } satisfies Note);
  return { thumbnail: { file, sha256, bytes: data.length, format }, fromCache: false };
}

/** Where a picture is only looked at, it is scaled to this: an SVG may name any size. */
const CHECKED_SIZE = { width: 250, height: 250, fit: 'inside' } as const;

/**
 * Decodes the whole picture and throws if it is not there. Not by `stats()`: measured with sharp 0.35.5, that resolves for half
 * of the truncated pictures when several run at once.
 */
async function decode(source: Buffer, picture: Picture): Promise<undefined> {
  await (await opened(source, picture)).resize(CHECKED_SIZE).raw().toBuffer();
}

/**
 * Makes a thumbnail as the contract says: inside the box, never enlarged, upright, sRGB, without metadata.
 * An SVG fills the box: sharp draws it at the size that it is resized to, not at its nominal size.
 */
async function render(source: Buffer, picture: Picture, recipe: Recipe): Promise<{ data: Buffer; format: Format }> {
  const [width, height] = recipe.box;
  const format = await formatOf(source, picture, recipe);
  const thumbnail = (await opened(source, picture))
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: picture.format !== 'svg' })
    .toColourspace('srgb');
  const encoded = {
    png: () => thumbnail.png({ compressionLevel: 9 }),
    // Alpha is dropped, not blended with black: where an SVG ends within a pixel, the pixel has its colour but half its alpha.
    jpeg: () => thumbnail.removeAlpha().jpeg({ quality: recipe.quality ?? 80 }),
    webp: () => thumbnail.webp({ quality: recipe.quality ?? 80 }),
  }[format]();
  return { data: await encoded.toBuffer(), format };
}

async function formatOf(
  source: Buffer,
  picture: Picture,
  { opaque, transparent }: Recipe,
): Promise<Recipe['opaque' | 'transparent']> {
  if (opaque === transparent || !picture.header.hasAlpha) return opaque;
  return (await isOpaque(source, picture)) ? opaque : transparent;
}

/** Whether a picture has no transparency although it has an alpha channel. */
async function isOpaque(source: Buffer, picture: Picture): Promise<boolean> {
  const image = await opened(source, picture);
  const isSvg = picture.format === 'svg';
  // The channel alone: measured, `stats()` takes three times as long for what else it works out.
  const alpha = (isSvg ? image.resize(CHECKED_SIZE) : image).ensureAlpha().extractChannel('alpha');
  const { data, info } = await alpha.raw().toBuffer({ resolveWithObject: true });
  if (!isSvg) return data.every((value) => value === 255);
  // Where its sides do not fall on whole pixels, the outermost ones of an SVG are transparent in part.
  const [right, bottom] = [info.width - 1, info.height - 1];
  return data.every((value, at) => {
    const [x, y] = [at % info.width, Math.floor(at / info.width)];
    return value === 255 || x === 0 || y === 0 || x === right || y === bottom;
  });
}

async function opened(source: Buffer, { header, format }: Picture): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(source, {
    // Measured: converting through a profile that only says sRGB costs 9 % and changes nothing.
    ignoreIcc: header.srgbProfile,
    // An SVG is drawn at the size that is asked for: its nominal size says nothing of the work.
    ...(format === 'svg' ? { limitInputPixels: false } : {}),
  });
}
