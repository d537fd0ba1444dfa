// `node scripts/torture/pictures.js [--count N] [--seed N]`: spoilt pictures of every format through the product's own probe and
// render. Each must be refused or rendered, in time, and nothing that happens to one may end the build. Before that, a payload at
// every place where a viewer might not look: it must not be published.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { catalogue } from '../../lib/diagnostics/catalogue.js';
import { imageKey, thumbnailKey } from '../../lib/image/source-image.js';
import { RECIPES } from '../../lib/image/thumbnail-spec.js';
import { Cache } from '../../lib/io/images/cache.js';
import { Decoders } from '../../lib/io/decoder/pool.js';
import { NO_CACHE } from '../../lib/io/incremental-cache.js';
import { SITE_DEFAULTS } from '../../lib/theme/site.js';
import { probeImages } from '../../lib/io/images/probe.js';
import { renderThumbnails } from '../../lib/io/images/render.js';
import { randomFrom, samplePictures, spoilt, withRightChecksums } from './sample-pictures.js';
import { smuggled } from './smuggled.js';

/** @import { Theme } from '../../src/theme/resolve.ts' */
/** @import { Report } from '../../src/diagnostics/diagnostic.ts' */

const CANARY = 'CANARY-2b8e';
const PAYLOAD = Buffer.from('SMUGGLED<script>alert(1)</script>PK\x03\x04...');
const BATCH = 500;
const { values } = parseArgs({
  options: { count: { type: 'string', default: '6000' }, seed: { type: 'string', default: String(Date.now() % 1e9) } },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
process.stderr.write(`seed ${seed}\n`);

const samples = await samplePictures(CANARY);
const random = randomFrom(seed);
const folder = mkdtempSync(path.join(tmpdir(), 'themecast-torture-'));
const cache = await Cache.open(path.join(folder, 'cache'));
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
const payloads = { places: 0, refused: 0, cut: 0, drawn: 0, published: 0 };

/**
 * Probes and renders one picture a theme.
 * @param {readonly { bytes: Buffer, format: string }[]} pictures
 */
async function build(pictures) {
  const themesDir = path.join(folder, 'themes');
  const themes = pictures.map(({ bytes, format }, index) => {
    const [slug, file] = [`t${index}`, `picture.${format === 'jpeg' ? 'jpg' : format}`];
    mkdirSync(path.join(themesDir, slug), { recursive: true });
    writeFileSync(path.join(themesDir, slug, file), bytes);
    const source = { slug, path: file, location: { file: `${slug}/theme.yaml` } };
    return /** @type {Theme} */ (
      /** @type {unknown} */ ({ slug, pictures: { [format === 'ico' ? 'favicon' : 'logo_site']: source } })
    );
  });
  const content = /** @type {Parameters<typeof probeImages>[1]} */ (
    /** @type {unknown} */ ({
      themesDir,
      /** @param {string} file */
      display: (file) => file,
      files: new Map(
        themes.map(({ slug, pictures: named }) => [slug, Object.values(named).map((one) => 'path' in one && one.path)]),
      ),
    })
  );
  const findings = /** @type {Map<string, string>} */ (new Map());
  /** @type {Report} */
  const report = (code, location, ...args) => {
    if (catalogue[code].severity === 'error') findings.set(slugOf(location.file), `${code} ${JSON.stringify(args)}`);
  };
  const how = { ...SITE_DEFAULTS, cache, decoders, incremental: NO_CACHE };
  const { images: probed } = await probeImages(themes, content, how, report);
  const started = performance.now();
  let last = started;
  const { thumbnails } = await renderThumbnails(themes, probed, how, report, () => {
    tally.slowest = Math.max(tally.slowest, performance.now() - last);
    last = performance.now();
  });
  const outcomes = themes.map(({ slug, pictures: named }) => {
    const [source] = Object.values(named);
    const picture = source !== undefined && 'path' in source ? probed.get(imageKey(source)) : undefined;
    const isRendered =
      picture !== undefined && (picture.format === 'ico' || thumbnails.has(thumbnailKey(picture, RECIPES.logo_site)));
    return { finding: findings.get(slug), isRendered, published: picture && readFileSync(picture.file) };
  });
  rmSync(themesDir, { recursive: true });
  return outcomes;
}

/** Diagnostics in an SVG point into the file itself, all others into its theme. @param {string} file */
function slugOf(file) {
  return (file.endsWith('.svg') ? path.basename(path.dirname(file)) : file.split('/')[0]) ?? '';
}

/**
 * Puts the payload at every place of a sample, and looks for it in what is published.
 * @param {import('./sample-pictures.js').Sample} sample
 */
async function smuggle(sample) {
  const pixels = (/** @type {Buffer} */ bytes) => sharp(bytes).raw().toBuffer();
  const all = smuggled(sample, PAYLOAD);
  for (let done = 0; done < all.length; done += BATCH) {
    const batch = all.slice(done, done + BATCH);
    const outcomes = await build(batch.map(({ bytes }) => ({ bytes, format: sample.format })));
    for (const [index, { finding, published }] of outcomes.entries()) {
      payloads.places++;
      if (finding !== undefined || published === undefined) payloads.refused++;
      else if (!published.includes(PAYLOAD)) payloads.cut++;
      else if (sample.format !== 'ico' && !(await pixels(published)).equals(await pixels(sample.bytes)))
        payloads.drawn++;
      else {
        payloads.published++;
        process.stderr.write(`${sample.name}: the payload is published: ${batch[index]?.place}\n`);
      }
    }
  }
}

try {
  for (const sample of samples) await smuggle(sample);
  for (const [index, { finding, published }] of (await build(samples)).entries()) {
    if (finding === undefined && published !== undefined && !published.includes(CANARY)) continue;
    tally.canaries++;
    process.stderr.write(
      `${samples[index]?.name}: ${finding ?? (published === undefined ? 'it is refused' : 'the canary is published')}\n`,
    );
  }
  for (let done = 0; done < count; done += BATCH) {
    const pictures = Array.from({ length: Math.min(BATCH, count - done) }, () => {
      const { bytes, format } = samples[Math.floor(random() * samples.length)] ?? {
        bytes: Buffer.alloc(0),
        format: 'png',
      };
      const after = spoilt(bytes, random);
      return { bytes: format === 'png' && random() < 0.7 ? withRightChecksums(after) : after, format };
    });
    for (const { finding, isRendered, published } of await build(pictures)) {
      if (finding !== undefined && published === undefined) tally.unread++;
      else if (finding !== undefined) tally.undecoded++;
      else if (isRendered) tally.rendered++;
      else tally.neither++;
      if (finding?.includes('crash') === true) tally.crashed++;
      if (finding?.includes('seconds') === true) tally.tooSlow++;
      if (finding?.includes('of memory') === true) tally.tooLarge++;
    }
    process.stderr.write(`${done + pictures.length} `);
  }
} finally {
  decoders.close();
  rmSync(folder, { recursive: true, force: true });
}
const { unread, undecoded, rendered, neither, crashed, tooSlow, tooLarge, canaries, slowest } = tally;
process.stdout.write(
  `\ntorture pictures: ${count} spoilt pictures of ${samples.length} kinds (seed ${seed}): ${unread} refused unread, ${undecoded} refused by the decoder, ${rendered} rendered, ${neither} neither; ${crashed} decoder crashes, ${tooSlow} over time, ${tooLarge} stopped for their memory, longest wait ${slowest.toFixed(0)} ms; metadata left in ${canaries} of ${samples.length} whole ones; a payload at ${payloads.places} places: refused at ${payloads.refused}, cut off at ${payloads.cut}, part of the pixels at ${payloads.drawn}, published unseen at ${payloads.published}\n`,
);
process.exitCode = neither + crashed + tooSlow + canaries + payloads.published === 0 ? 0 : 1;
