import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { releaseDecoders } from '../../shared-decoders.ts';
import { longTest } from '../../long-test.ts';
import { build } from '../../../src/compiler/build.ts';
import { BANNER_THUMBNAIL } from '../../../src/core/theme/fields/thumbnail-spec.ts';
import type { Job, DecoderReply } from '../../../src/system/decoder/job.ts';
import { Decoders } from '../../../src/system/decoder/pool.ts';
import type { Failure, Limits } from '../../../src/system/decoder/process.ts';
import { quarters } from '../../images.ts';
import { makeSite, removeSite } from '../../site-folder.ts';

/** The compiled modules that decoder processes run. */
const LIB = path.resolve(import.meta.dirname, '../../../lib/system/decoder');
const banner = BANNER_THUMBNAIL;
const LIMITS: Limits = { time: 10_000, memory: 1e9 };

/** An image that takes at least a minute to draw. */
const SLOW = svg(
  `<filter id="f">${'<feGaussianBlur stdDeviation="9"/><feMorphology radius="99"/>'.repeat(100)}</filter><rect width="99" height="99" filter="url(#f)"/>`,
);
/** An image that takes a few seconds of processor time. */
const EXPENSIVE = svg(
  `<filter id="f">${'<feColorMatrix type="saturate" values="0.5"/>'.repeat(3)}</filter><rect width="99" height="99" filter="url(#f)"/>`,
);
/** An image with a tile of 30,000 × 30,000 pixels, of four bytes each. */
const LARGE = svg(
  '<pattern id="p" width="1400" height="1400" patternUnits="userSpaceOnUse"><rect width="1400" height="1400"/></pattern><rect width="99" height="99" fill="url(#p)"/>',
);

function svg(content: string): Job {
  const bytes = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${content}</svg>`);
  return { bytes, format: 'svg', pixelLimit: 1e6, spec: banner };
}

async function png(): Promise<Job> {
  return { bytes: await quarters(20, 10).png().toBuffer(), format: 'png', pixelLimit: 1e6, spec: banner };
}

let decoders: Decoders;

function thumbnailOf(outcome: DecoderReply | Failure): Uint8Array {
  return typeof outcome === 'object' && 'data' in outcome ? outcome.data : new Uint8Array();
}

beforeAll(releaseDecoders);

beforeEach(() => {
  decoders = new Decoders();
});

afterEach(() => decoders.close());

/** Returns the decoder processes that a process started (proc_tid_children(5)). */
async function decodersOf(pid = process.pid): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = children.split(' ').filter(Boolean).map(Number);
  const lines = await Promise.all(pids.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_, index) => lines[index]?.includes('lib/bundle/child.js'));
}

async function expectNoDecoders(): Promise<void> {
  await vi.waitFor(async () => expect(await decodersOf()).toEqual([]), { timeout: 120_000 });
}

describe('a job', () => {
  test('returns a thumbnail, or confirms that the image decodes', async () => {
    const job = await png();
    const outcome = await decoders.run(job, LIMITS);
    expect((await sharp(thumbnailOf(outcome)).metadata()).format).toBe('jpeg');
    expect(await decoders.run({ ...job, spec: undefined }, LIMITS)).toBe('decodes');
  });

  test('reports an image that does not decode, and continues with the next one', async () => {
    const job = await png();
    const invalidJobs: Record<string, Partial<Job>> = {
      'is cut off': { bytes: (job.bytes as Buffer).subarray(0, -30) },
      'has another format': { format: 'jpeg' },
      'has more pixels than are allowed': { pixelLimit: 199 },
      'has a format that is not published': { bytes: await quarters(9, 9).tiff().toBuffer() },
      'is no image': { bytes: Buffer.from('text') },
      'is empty': { bytes: Buffer.alloc(0) },
      'is an SVG that is not well-formed': { ...svg('<g>'), spec: undefined },
    };
    for (const [name, change] of Object.entries(invalidJobs)) {
      expect(await decoders.run({ ...job, ...change }, LIMITS), name).toMatch(/^does not decode/);
      expect(await decoders.run({ ...job, spec: undefined }, LIMITS), name).toBe('decodes');
    }
    expect(await decodersOf()).toHaveLength(1);
  });
});

describe('an image that', () => {
  test('takes too long: the process is killed, and a new process gets the next image', async () => {
    expect(await decoders.run(SLOW, { ...LIMITS, time: 500 })).toBe('too slow');
    await expectNoDecoders();
    expect(await decoders.run(await png(), LIMITS)).toHaveProperty('format', 'jpeg');
  });

  longTest('needs too much memory: the process is killed, and a new process gets the next image', async () => {
    expect(await decoders.run(LARGE, LIMITS)).toBe('too much memory');
    await expectNoDecoders();
    expect(await decoders.run(await png(), LIMITS)).toHaveProperty('format', 'jpeg');
  });

  test('crashes the decoder: the next image is decoded', async () => {
    await decoders.run(await png(), LIMITS);
    const [pid = 0] = await decodersOf();
    const reply = decoders.run(SLOW, LIMITS);
    process.kill(pid, 'SIGSEGV');
    expect(await reply).toBe('crashed');
    expect(await decoders.run(await png(), LIMITS)).toHaveProperty('format', 'jpeg');
  });
});

describe('a decoder killed from outside', { timeout: 120_000 }, () => {
  /** Waits for another decoder to work for 0.3 seconds (proc_pid_stat(5): clock ticks of 10 ms). */
  async function busyDecoder(...excluded: number[]): Promise<number> {
    const isAtWork = async (pid: number): Promise<boolean> => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return !excluded.includes(pid) && Number(stat.split(' ')[13]) > 30;
    };
    return vi.waitUntil(
      async () => {
        const pids = await decodersOf();
        const areAtWork = await Promise.all(pids.map(isAtWork));
        return pids[areAtWork.indexOf(true)] ?? 0;
      },
      { timeout: 120_000 },
    );
  }

  test('is reported by a build, which publishes nothing', async () => {
    const images = { 'slow.svg': Buffer.from(EXPENSIVE.bytes as Uint8Array) };
    const site = await makeSite({ themes: { harbor: { fields: { default_group_banner: 'slow.svg' }, images } } });
    const result = build(site);
    const decoderPid = await busyDecoder();
    process.kill(decoderPid, 'SIGKILL');
    process.kill(await busyDecoder(decoderPid), 'SIGKILL');
    const { diagnostics } = await result;
    expect(diagnostics.map(({ code, location }) => [code, path.basename(location.file)])).toEqual([
      ['image/decoder-ended', 'theme.yaml'],
    ]);
    expect(existsSync(site.outDir)).toBe(false);
    await removeSite(site);
  });
});

describe('the processes', () => {
  test.runIf(availableParallelism() > 1)('increase in number while jobs wait, however short each job is', async () => {
    const job = await png();
    const stop = new AbortController();
    const work = async (): Promise<void> => {
      while (!stop.signal.aborted) expect(await decoders.run(job, LIMITS)).toHaveProperty('format', 'jpeg');
    };
    const allWorkers = Promise.all(Array.from({ length: 4 }, work));
    await vi.waitFor(async () => expect((await decodersOf()).length).toBeGreaterThan(1), { timeout: 120_000 });
    stop.abort();
    await allWorkers;
  });

  test('that do not start in time are reported as a problem of the machine, not of an image', async () => {
    decoders = new Decoders(1);
    await expect(decoders.run(await png(), LIMITS)).rejects.toThrow(
      'The process that decodes images cannot be started: it was not ready within 0.001 seconds.',
    );
    await expectNoDecoders();
  });

  test('leave Ctrl+C to the build, and are replaced if they were killed in between', async () => {
    const job = await png();
    await decoders.run(job, LIMITS);
    const [pid = 0] = await decodersOf();
    process.kill(pid, 'SIGINT');
    expect(await decoders.run(job, LIMITS)).toHaveProperty('format', 'jpeg');
    expect(await decodersOf()).toEqual([pid]);
    process.kill(pid, 'SIGKILL');
    // Waits until the process has ended, because only then is this process notified.
    await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 120_000 });
    expect(await decoders.run(job, LIMITS)).toHaveProperty('format', 'jpeg');
  });

  test('get no environment variables', async () => {
    await decoders.run(await png(), LIMITS);
    const [pid = 0] = await decodersOf();
    const variables = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter(Boolean);
    expect(new Set(variables.map((variable) => variable.split('=')[0]))).toEqual(
      new Set(['MALLOC_ARENA_MAX', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']),
    );
  });

  test('read no file, and only formats that are published', async () => {
    const program = `
      import { createRequire } from 'node:module';
      import ${JSON.stringify(path.join(LIB, 'draw.js'))};
      const sharp = createRequire(${JSON.stringify(import.meta.url)})('sharp');
      const plain = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } });
      const tried = {};
      for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff']) {
        const file = ${JSON.stringify(path.join(import.meta.dirname, '../../fixtures/base/harbor/'))} + (format === 'jpeg' ? 'banner.jpg' : 'icon.png');
        const bytes = await plain.clone()[format]().toBuffer();
        const reads = (input) => sharp(input).metadata().then(() => true, () => false);
        tried[format] = [await reads(bytes), await reads(file)];
      }
      console.log(JSON.stringify(tried));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    const onlyFromMemory = [true, false];
    expect(JSON.parse(stdout)).toEqual({
      png: onlyFromMemory,
      jpeg: onlyFromMemory,
      webp: onlyFromMemory,
      avif: onlyFromMemory,
      gif: onlyFromMemory,
      tiff: [false, false],
    });
  });

  test('start only when there is an image to decode, and end with the build', async () => {
    const site = await makeSite();
    let samples: Promise<number[]>[] = [];
    const onProgress = (): unknown => samples.push(decodersOf());
    await build({ ...site, onProgress });
    expect((await Promise.all(samples)).flat().length).toBeGreaterThan(0);
    await expectNoDecoders();
    samples = [];
    await rm(site.outDir, { recursive: true });
    await build({ ...site, onProgress });
    expect(samples.length).toBeGreaterThan(0);
    expect((await Promise.all(samples)).flat()).toEqual([]);
    await removeSite(site);
  });

  longTest('end when the build is killed, even while they decode an image', async () => {
    const pool = path.join(LIB, 'pool.js');
    const job = JSON.stringify({ ...SLOW, bytes: undefined });
    const program = `
      const { Decoders } = await import(${JSON.stringify(pool)});
      const bytes = Buffer.from(${JSON.stringify(Buffer.from(SLOW.bytes as Uint8Array).toString())});
      new Decoders().run({ ...${job}, bytes }, { time: 1e8, memory: 1e12 });
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
    const parentPid = parent.pid ?? 0;
    // A job is in progress once it has used half a second of processor time (proc_pid_stat(5): clock ticks of 10 ms).
    const child = await vi.waitUntil(
      async () => {
        const [pid] = await decodersOf(parentPid);
        const stat = pid === undefined ? '' : await readFile(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.split(' ')[13]) > 50 && pid;
      },
      { timeout: 120_000 },
    );
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await vi.waitFor(() => expect(existsSync(`/proc/${String(child)}`)).toBe(false), { timeout: 120_000 });
  });
});
