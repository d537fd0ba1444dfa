// Flips bits of cache files, one kind or all of them at a time, and builds again: the output must be that of a clean build.
// `--quick` tries fewer positions and is part of `npm test`.
// Usage: node test/long/cache.js [--quick]
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import sharp from 'sharp';
import { build } from '../../lib/index.js';
import { PALETTE } from '../theme-yaml.js';

/** @import { BuildOptions } from '../../lib/index.js' */

const quick = process.argv.includes('--quick');
/** Number of images; each has several cache entries. */
const IMAGES = quick ? 12 : 400;
/** Rounds in which entries are corrupted, each time at another byte. */
const ROUNDS = quick ? 9 : 18;

// Without the state of earlier builds, by which a build would look into no file.
process.env['XDG_STATE_HOME'] = '/dev/null/none';
const root = await mkdtemp(path.join(tmpdir(), 'themecast-cache-'));
const below = (/** @type {string} */ name) => path.join(root, name);
/** @type {BuildOptions} */
const options = {
  themesDir: below('themes'),
  outDir: below('dist'),
  edgeOutDir: below('edge'),
  cacheDir: below('.cache'),
};

/** Numbers from a seed, so that a failure can be reproduced. @param {number} seed */
function* numbers(seed) {
  for (let at = 0; ; at++) yield createHash('sha256').update(`${seed}:${at}`).digest().readUInt32LE(0);
}

const seed = Number(process.env['SEED'] ?? 20_261_121);
const random = numbers(seed);
const next = (/** @type {number} */ limit) => Number(random.next().value) % limit;

/** Writes themes whose banners all differ, so that each is probed and rendered. */
async function writeThemes() {
  const palette = JSON.stringify(PALETTE.authored);
  await mkdir(path.join(options.themesDir, 'base'), { recursive: true });
  await writeFile(path.join(options.themesDir, 'site.yaml'), 'base_url: https://community.example.org\n');
  const fields =
    'favicon logo logo_inverse compact_logo compact_logo_inverse logo_site default_group_banner default_event_banner default_user_profile_banner';
  const imageFields = fields
    .split(' ')
    .map((field) => `${field}: icon.png\n`)
    .join('');
  await writeFile(
    path.join(options.themesDir, 'base/theme.yaml'),
    `id: 1\nname: base\nis_default: true\npalette_preview: ${palette}\n${imageFields}`,
  );
  await writeFile(path.join(options.themesDir, 'base/icon.png'), await createImage(0));
  for (let at = 1; at <= IMAGES; at++) {
    const folder = path.join(options.themesDir, `t-${at}`);
    await mkdir(folder);
    await writeFile(
      path.join(folder, 'theme.yaml'),
      `id: ${at + 1}\nname: t${at}\nextends: base\ndefault_group_banner: banner.png\n`,
    );
    await writeFile(path.join(folder, 'banner.png'), await createImage(at));
  }
}

/** @param {number} shade */
function createImage(shade) {
  const background = { r: shade % 256, g: (shade * 7) % 256, b: (shade >> 8) * 40 };
  return sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
}

/** @param {string} folder */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

async function published() {
  const hash = createHash('sha256');
  for (const folder of [options.outDir, options.edgeOutDir])
    for (const file of await filesIn(folder))
      hash
        .update(path.relative(root, file))
        .update('\0')
        .update(await readFile(file));
  return hash.digest('hex');
}

await writeThemes();
// The logos are black, so there is advice: it comes from the cache too, and must not change.
const advice = JSON.stringify((await build(options)).diagnostics);
const clean = await published();
const cacheDir = options.cacheDir ?? '';
const isIndex = (/** @type {string} */ file) => file.startsWith(path.join(cacheDir, 'index'));
/** The blobs of the cache after a clean build. */
const entries = await Promise.all(
  (await filesIn(cacheDir))
    .filter((file) => !isIndex(file))
    .map(async (file) => ({ file, bytes: await readFile(file) })),
);

/** A corrupted index hides the effect of corrupted blobs and vice versa: each alone, then both. @param {number} round */
const isBlobRound = (round) => round % 3 !== 1;
/** @param {number} round */
const isIndexRound = (round) => round % 3 !== 0;

/** Flips a bit: of the first and of the last byte in some of the rounds, where formats begin and end. @param {number} round @param {Buffer} bytes */
function flipped(round, bytes) {
  const corrupted = Buffer.from(bytes);
  const position = round < 3 ? 0 : round < 6 ? bytes.length - 1 : next(bytes.length);
  corrupted[position] = (corrupted[position] ?? 0) ^ (1 << next(8));
  return corrupted;
}

let [flips, noticed, wrong, thrown] = [0, 0, 0, 0];
for (let round = 0; round < ROUNDS; round++) {
  for (const { file, bytes } of entries) {
    if (!isBlobRound(round)) continue;
    await writeFile(file, flipped(round, bytes));
    flips++;
  }
  for (const file of isIndexRound(round) ? (await filesIn(cacheDir)).filter(isIndex) : []) {
    await writeFile(file, flipped(round, await readFile(file)));
    flips++;
  }
  try {
    const { ok, rendered, diagnostics } = await build(options);
    if (!ok || JSON.stringify(diagnostics) !== advice || (await published()) !== clean) {
      wrong++;
      process.stderr.write(`round ${round} (SEED=${seed}): another output ${JSON.stringify(diagnostics[0] ?? '')}\n`);
    }
    noticed += rendered;
  } catch (error) {
    thrown++;
    process.stderr.write(`round ${round} (SEED=${seed}): ${String(error)}\n`);
  }
  // Every entry must have been repaired.
  for (const { file, bytes } of entries)
    if (!bytes.equals(await readFile(file).catch(() => Buffer.alloc(0)))) {
      wrong++;
      process.stderr.write(`round ${round} (SEED=${seed}): ${path.relative(root, file)} is not repaired\n`);
      await writeFile(file, bytes);
    }
}

await rm(root, { recursive: true, force: true });
process.stdout.write(
  `stress cache: ${entries.length} blobs, ${flips} flipped bits, ${noticed} images rendered again, ${wrong} wrong, ${thrown} crashes\n`,
);
process.exitCode = wrong + thrown === 0 && noticed > 0 ? 0 : 1;
