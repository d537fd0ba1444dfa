// `node test/long/images.js [--count N] [--seed N]`: corrupted images of every format, each compiled as the image of a
// theme. Each must be rejected or rendered, in time, and none may end the build.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Cache } from '../../lib/compiler/cache.js';
import { compileTheme } from '../../lib/compiler/compile-theme.js';
import { Decodings } from '../../lib/compiler/decodings.js';
import { Memory } from '../../lib/compiler/memory.js';
import { filesOnDisk } from '../../lib/compiler/theme-files.js';
import { catalogue } from '../../lib/diagnostics/catalogue.js';
import { Decoders } from '../../lib/decoder/pool.js';
import { SITE_DEFAULTS } from '../../lib/theme/site.js';
import { randomFrom, sampleImages, corrupted, withRightChecksums } from './sample-images.js';

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

const site = { ...SITE_DEFAULTS, base_url: 'https://community.example.org', media_url: '' };

/**
 * Compiles a theme for each image, which has nothing else.
 * @param {readonly { bytes: Buffer, format: string }[]} images
 */
async function build(images) {
  const themesDir = path.join(folder, 'themes');
  const decodings = new Decodings(new Memory(), cache, '');
  const outcomes = await Promise.all(
    images.map(async ({ bytes, format }, index) => {
      const [slug, file] = [`t${index}`, `image.${format === 'jpeg' ? 'jpg' : format}`];
      mkdirSync(path.join(themesDir, slug), { recursive: true });
      writeFileSync(path.join(themesDir, slug, file), bytes);
      writeFileSync(
        path.join(themesDir, slug, 'theme.yaml'),
        `${format === 'ico' ? 'favicon' : 'logo_site'}: ${file}\n`,
      );
      const entries = ['theme.yaml', file].map((name) => ({
        path: name,
        depth: 1,
        kind: /** @type {const} */ ('file'),
      }));
      const files = filesOnDisk(themesDir, slug, { entries, unusable: [], unreadable: [] });
      /** @type {Buffer | undefined} */
      let published;
      const stage = {
        wants: () => true,
        original: async (/** @type {unknown} */ _, /** @type {unknown} */ __, /** @type {Uint8Array} */ staged) =>
          void (published = Buffer.from(staged)),
        thumbnail: async () => undefined,
      };
      const tools = { themesDir, decoders, decodings, stage, images: true, decodes: true, isOnDisk: true };
      const started = performance.now();
      const { compiled } = await compileTheme(files, site, (name) => name, tools, '');
      tally.slowest = Math.max(tally.slowest, (performance.now() - started) / images.length);
      const problem = compiled.diagnostics.find(([code]) => catalogue[code].severity === 'error');
      return {
        error: problem && `${problem[0]} ${JSON.stringify(problem[2])}`,
        isRendered: compiled.images.length > 0,
        published,
      };
    }),
  );
  rmSync(themesDir, { recursive: true });
  return outcomes;
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
