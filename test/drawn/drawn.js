// Draws images in Chromium: the image in the checkout, its published original and its thumbnail, which must look alike.
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { Diagnostics } from '../../lib/core/diagnostics/diagnostic.js';
import { BACKGROUNDS } from '../../lib/core/image/backgrounds.js';
import { FORMATS } from '../../lib/core/image/format.js';
import { inspectImage } from '../../lib/core/image/inspect.js';
import { draw } from '../../lib/system/decoder/draw.js';
import { LOGO_THUMBNAIL } from '../../lib/core/theme/fields/thumbnail-spec.js';

export const CHROMIUM = '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', '--hide-scrollbars'];
/** The width of compared blocks in pixels. Averages hide antialiasing. */
const BLOCK_PX = 8;
/** The maximum difference of blocks, in steps of 8-bit channels: on average, and of a single block. */
const LIMITS = { mean: 3, block: 48 };
/** The number of images drawn at the same time, and the side of each square in pixels. */
const BATCH_SIZE = 24;
const CELL_PX = 256;
/** Warnings that explain why a thumbnail differs from its original. */
const WARNINGS = new Set(['svg/not-drawn', 'svg/text', 'image/cmyk', 'image/colours']);

/**
 * @typedef {{ name: string, bytes: Buffer }} File
 * @typedef {{ mean: number, block: number }} Difference
 * @typedef {{ name: string, refused: string[] } | { name: string, refused: undefined, warnings: string[], published: Difference,
 * thumbnail: Difference, isAlike: boolean, isExplained: boolean, }} Result `isAlike`: the source, published original and thumbnail look the
 * same; `isExplained`: a warning says why not
 * @typedef {{ source: string, published: string, thumbnail: string, width: number, height: number, warnings: string[] }} Drawable
 */

/**
 * Returns the published images as URLs with their bytes, or why the image is rejected.
 * @param {File} file
 * @returns {Promise<Drawable | string[]>}
 */
async function publishImage({ name, bytes }) {
  const diagnostics = new Diagnostics();
  const path = `image.${/[^.]*$/.exec(name)?.[0].toLowerCase()}`;
  /** @type {import('../../lib/core/image/inspect.js').ImageReference} */
  const reference = { field: 'logo', source: { slug: 'a', path, location: { file: 'theme.yaml' } } };
  const inspected = inspectImage(bytes, path, [reference], diagnostics.report);
  /** @param {string} severity */
  const messagesOf = (severity) =>
    diagnostics.sorted.filter((item) => item.severity === severity).map(({ code, message }) => `${code}: ${message}`);
  const refused = messagesOf('error');
  if (inspected === undefined || refused.length > 0) return refused;
  const { format } = inspected;
  const job = { bytes: inspected.published, format, pixelLimit: 1e8, spec: LOGO_THUMBNAIL };
  const reply = await draw(job).catch(() => 'does not decode');
  if (typeof reply === 'string' || !('data' in reply)) return [`image/corrupt: ${JSON.stringify(reply)}`];
  const data = Buffer.from(reply.data);
  /** @param {Buffer} content @param {string} type */
  const url = (content, type) => `data:${type};base64,${content.toString('base64')}`;
  const { mediaType } = FORMATS[format];
  return {
    source: url(bytes, mediaType),
    published: url(inspected.published, mediaType),
    thumbnail: url(data, 'image/png'),
    // The dimensions in the IHDR chunk of a PNG.
    width: data.readUInt32BE(16),
    height: data.readUInt32BE(20),
    warnings: messagesOf('warning'),
  };
}

/**
 * Returns the averages of the blocks in a part of an image.
 * @param {{ data: Buffer, width: number, channels: number }} picture
 * @param {{ left: number, top: number, width: number, height: number }} part
 */
function blocksOf({ data, width: row, channels }, { left, top, width, height }) {
  const blocks = [];
  // The last block of a row includes the remaining pixels.
  const endOf = (/** @type {number} */ position, /** @type {number} */ side) =>
    position + 2 * BLOCK_PX > side ? side : position + BLOCK_PX;
  for (let y = 0; y < height; y = endOf(y, height))
    for (let x = 0; x < width; x = endOf(x, width)) {
      const sum = [0, 0, 0];
      const [right, bottom] = [endOf(x, width), endOf(y, height)];
      for (let pixelRow = y; pixelRow < bottom; pixelRow++)
        for (let pixelColumn = x; pixelColumn < right; pixelColumn++)
          for (const channel of [0, 1, 2])
            sum[channel] =
              (sum[channel] ?? 0) + (data[((top + pixelRow) * row + left + pixelColumn) * channels + channel] ?? 0);
      blocks.push(sum.map((value) => value / ((right - x) * (bottom - y))));
    }
  return blocks;
}

/** @param {number[]} a @param {number[]} b */
const maxDifference = (a, b) => Math.max(...a.map((value, channel) => Math.abs(value - (b[channel] ?? 0))));

/**
 * Returns the difference of two images, except blocks that are background in both.
 * @param {number[][]} expected
 * @param {number[][]} drawn
 * @param {number[]} background
 * @returns {Difference}
 */
function difference(expected, drawn, background) {
  const differences = expected.flatMap((block, index) => {
    const drawnBlock = drawn[index] ?? [];
    return maxDifference(block, background) < 1 && maxDifference(drawnBlock, background) < 1
      ? []
      : [maxDifference(block, drawnBlock)];
  });
  const sum = differences.reduce((total, value) => total + value, 0);
  return { mean: sum / Math.max(1, differences.length), block: Math.max(0, ...differences) };
}

/**
 * @param {import('playwright-core').Page} page
 * @param {File[]} batch
 * @returns {Promise<Result[]>}
 */
async function compare(page, batch) {
  const drawables = await Promise.all(batch.map(publishImage));
  const images = drawables.flatMap((drawable, row) => {
    if (Array.isArray(drawable)) return [];
    const { width, height } = drawable;
    const size = `width:${width}px;height:${height}px`;
    // Sides are rounded to pixels, so a drawing may have its own aspect ratio or the thumbnail's.
    const ownRatio = width > height ? `width:${width}px` : `height:${height}px`;
    return /** @type {const} */ (['source', 'source', 'published', 'thumbnail']).map((name, column) => {
      const place = `position:absolute;left:${column * CELL_PX}px;top:${row * CELL_PX}px`;
      return `<img src="${drawable[name]}" style="${place};${column === 1 ? ownRatio : size}">`;
    });
  });
  await page.setViewportSize({ width: 4 * CELL_PX, height: BATCH_SIZE * CELL_PX });
  await page.setContent(`<!doctype html><body style="margin:0">${images.join('')}`, { waitUntil: 'load' });
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))');
  const noDifference = { mean: 0, block: 0 };
  const drawings = batch.map(() => ({ published: noDifference, thumbnail: noDifference }));
  for (const colour of Object.values(BACKGROUNDS)) {
    await page.evaluate(`document.body.style.background = ${JSON.stringify(colour)}`);
    const { data, info } = await sharp(await page.screenshot())
      .raw()
      .toBuffer({ resolveWithObject: true });
    const screenshot = { data, width: info.width, channels: info.channels };
    const [background = []] = blocksOf(screenshot, { left: CELL_PX - 2, top: 0, width: 1, height: 1 });
    for (const [row, drawable] of drawables.entries()) {
      if (Array.isArray(drawable)) continue;
      const [source = [], ownRatio = [], original = [], thumbnail = []] = [0, 1, 2, 3].map((column) =>
        blocksOf(screenshot, { ...drawable, left: column * CELL_PX, top: row * CELL_PX }),
      );
      const before = drawings[row] ?? { published: noDifference, thumbnail: noDifference };
      /** @param {Difference} a @param {Difference} b */
      const maximum = (a, b) => ({ mean: Math.max(a.mean, b.mean), block: Math.max(a.block, b.block) });
      drawings[row] = {
        published: maximum(before.published, difference(source, original, background)),
        thumbnail: maximum(
          before.thumbnail,
          [source, ownRatio]
            .map((expected) => difference(expected, thumbnail, background))
            .reduce((a, b) => (a.mean + a.block < b.mean + b.block ? a : b)),
        ),
      };
    }
  }
  return batch.map(({ name }, row) => {
    const drawable = drawables[row];
    if (drawable === undefined || Array.isArray(drawable)) return { name, refused: drawable ?? [] };
    const { warnings } = drawable;
    const differences = drawings[row] ?? { published: noDifference, thumbnail: noDifference };
    const isAlike = Object.values(differences).every(({ mean, block }) => mean <= LIMITS.mean && block <= LIMITS.block);
    const isExplained = warnings.some((text) => WARNINGS.has(text.split(':', 1)[0] ?? ''));
    return { name, refused: undefined, warnings, ...differences, isAlike, isExplained };
  });
}

/**
 * Draws images, and compares their published files with the sources.
 * @param {Iterable<File>} files
 * @returns {AsyncGenerator<Result>}
 */
export async function* compareDrawings(files) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    const page = await browser.newPage();
    /** @type {File[]} */
    let batch = [];
    for (const file of files) {
      batch.push(file);
      if (batch.length < BATCH_SIZE) continue;
      yield* await compare(page, batch);
      batch = [];
    }
    if (batch.length > 0) yield* await compare(page, batch);
  } finally {
    await browser.close();
  }
}
