// `node test/long/images.js [--count N] [--seed N]`: corrupted images of every format through the product's own probe and
// render. Each must be rejected or rendered, in time, and none may end the build.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { catalogue } from '../../lib/diagnostics/catalogue.js';
import { imageKey, thumbnailKey } from '../../lib/image/source-image.js';
import { LOGO_THUMBNAIL } from '../../lib/theme/thumbnail-spec.js';
import { Cache } from '../../lib/io/images/cache.js';
import { Decoders } from '../../lib/io/decoder/pool.js';
import { IncrementalCache } from '../../lib/io/incremental/incremental-cache.js';
import { SITE_DEFAULTS } from '../../lib/theme/site.js';
import { probeImages } from '../../lib/io/images/probe.js';
import { renderThumbnails } from '../../lib/io/images/render.js';
import { randomFrom, sampleImages, corrupted, withRightChecksums } from './sample-images.js';

/** @import { Theme } from '../../src/theme/resolve.ts' */
/** @import { Report } from '../../src/diagnostics/diagnostic.ts' */

const CANARY = 'CANARY-2b8e';
const BATCH = 500;
const { values } = parseArgs({
  options: { count: { type: 'string', default: '6000' }, seed: { type: 'string', default: String(Date.now() % 1e9) } },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
process.stderr.write(`seed ${seed}\n`);

const samples = await sampleImages(CANARY);
const random = randomFrom(seed);
const folder = mkdtempSync(path.join(tmpdir(), 'themecast-stress-'));
const cache = await Cache.open(undefined);
const decoders = new Decoders();
const tally = {
  unread: 0,
  undecoded: 0,
  rendered: 0,
  neither: 0,
  crashed: 0,
  tooSlow: 0,
  tooLarge: 0,
  canaries: 0,
  slowest: 0,
};

/**
 * Probes and renders one image per theme.
 * @param {readonly { bytes: Buffer, format: string }[]} images
 */
async function build(images) {
  const themesDir = path.join(folder, 'themes');
  const themes = images.map(({ bytes, format }, index) => {
    const [slug, file] = [`t${index}`, `image.${format === 'jpeg' ? 'jpg' : format}`];
    mkdirSync(path.join(themesDir, slug), { recursive: true });
    writeFileSync(path.join(themesDir, slug, file), bytes);
    const source = { slug, path: file, location: { file: `${slug}/theme.yaml` } };
    return /** @type {Theme} */ (
      /** @type {unknown} */ ({ slug, images: { [format === 'ico' ? 'favicon' : 'logo_site']: source } })
    );
  });
  const content = /** @type {Parameters<typeof probeImages>[1]} */ (
    /** @type {unknown} */ ({
      themesDir,
      /** @param {string} file */
      display: (file) => file,
      files: new Map(
        themes.map(({ slug, images: named }) => [slug, Object.values(named).map((one) => 'path' in one && one.path)]),
      ),
    })
  );
  const errors = /** @type {Map<string, string>} */ (new Map());
  /** @type {Report} */
  const report = (code, location, ...args) => {
    if (catalogue[code].severity === 'error') errors.set(slugOf(location.file), `${code} ${JSON.stringify(args)}`);
  };
  const how = { ...SITE_DEFAULTS, cache, decoders, incremental: new IncrementalCache() };
  const probed = await probeImages(themes, content, how, report);
  const started = performance.now();
  let last = started;
  const { thumbnails } = await renderThumbnails(themes, probed, how, report, () => {
    tally.slowest = Math.max(tally.slowest, performance.now() - last);
    last = performance.now();
  });
  const outcomes = themes.map(({ slug, images: named }) => {
    const [source] = Object.values(named);
    const picture = source !== undefined && 'path' in source ? probed.get(imageKey(source)) : undefined;
    const isRendered =
      picture !== undefined && (picture.format === 'ico' || thumbnails.has(thumbnailKey(picture, LOGO_THUMBNAIL)));
    return { error: errors.get(slug), isRendered, published: picture && readFileSync(picture.file) };
  });
  rmSync(themesDir, { recursive: true });
  return outcomes;
}

/** The theme of a diagnostic: those about an SVG point into the file itself, all others into its theme.yaml. @param {string} file */
function slugOf(file) {
  return (file.endsWith('.svg') ? path.basename(path.dirname(file)) : file.split('/')[0]) ?? '';
}

try {
  for (const [index, { error, published }] of (await build(samples)).entries()) {
    if (error === undefined && published !== undefined && !published.includes(CANARY)) continue;
    tally.canaries++;
    process.stderr.write(
      `${samples[index]?.name}: ${error ?? (published === undefined ? 'it is rejected' : 'the canary is published')}\n`,
    );
  }
  for (let done = 0; done < count; done += BATCH) {
    const images = Array.from({ length: Math.min(BATCH, count - done) }, () => {
      const { bytes, format } = samples[Math.floor(random() * samples.length)] ?? {
        bytes: Buffer.alloc(0),
        format: 'png',
      };
      const after = corrupted(bytes, random);
      return { bytes: format === 'png' && random() < 0.7 ? withRightChecksums(after) : after, format };
    });
    for (const { error, isRendered, published } of await build(images)) {
      if (error !== undefined && published === undefined) tally.unread++;
      else if (error !== undefined) tally.undecoded++;
      else if (isRendered) tally.rendered++;
      else tally.neither++;
      if (error?.includes('crash') === true) tally.crashed++;
      if (error?.includes('seconds') === true) tally.tooSlow++;
      if (error?.includes('of memory') === true) tally.tooLarge++;
    }
    process.stderr.write(`${done + images.length} `);
  }
} finally {
  decoders.close();
  rmSync(folder, { recursive: true, force: true });
}
const { unread, undecoded, rendered, neither, crashed, tooSlow, tooLarge, canaries, slowest } = tally;
process.stdout.write(
  `\nstress images: ${count} corrupted images of ${samples.length} kinds (seed ${seed}): ${unread} rejected unread, ${undecoded} rejected by the decoder, ${rendered} rendered, ${neither} neither; ${crashed} decoder crashes, ${tooSlow} over time, ${tooLarge} stopped for their memory, longest wait ${slowest.toFixed(0)} ms; metadata left in ${canaries} of ${samples.length} intact ones\n`,
);
process.exitCode = neither + crashed + tooSlow + canaries === 0 ? 0 : 1;
