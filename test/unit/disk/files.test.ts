import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { build } from '../../../src/compiler/build.ts';
import { decode } from '../../../src/system/decoder/decode.ts';
import { Decoders } from '../../../src/system/decoder/pool.ts';
import { LOGO_THUMBNAIL } from '../../../src/core/theme/thumbnail-spec.ts';
import { readRegularFile, sha256Of } from '../../../src/system/disk/files.ts';
import { makeSite, removeSite, type SiteFolder } from '../../site-folder.ts';

let site: SiteFolder | undefined;

afterEach(async () => {
  await removeSite(site);
});

/** Replaces a file with a named pipe, on which a simple open and read would block forever. */
async function replaceWithPipe(file: string): Promise<void> {
  await rm(file);
  execFileSync('mkfifo', [file]);
}

describe('a file that changes while it is read', () => {
  // A file of the kernel reports a size of 0, and then returns hundreds of bytes.
  test('is read completely if it has grown', async () => {
    const bytes = await readRegularFile('/proc/self/environ', 1e6, '/proc');
    expect(bytes).toEqual(await readFile('/proc/self/environ'));
    expect((bytes as Buffer).length).toBeGreaterThan(0);
  });

  test('is too large if it has grown over its limit', async () => {
    const { length } = await readFile('/proc/self/environ');
    expect(await readRegularFile('/proc/self/environ', length, '/proc')).toHaveLength(length);
    expect(await readRegularFile('/proc/self/environ', length - 1, '/proc')).toEqual({
      problem: 'too-large',
      bytes: length,
    });
  });

  // Some of these files report 4096 bytes, and return fewer.
  const shrinkingFile = '/sys/kernel/mm/transparent_hugepage/enabled';
  test('is read to its new end if it has shrunk', async ({ skip }) => {
    skip(!existsSync(shrinkingFile), `There is no file ${shrinkingFile}.`);
    expect(await readRegularFile(shrinkingFile, 4096, '/sys')).toEqual(await readFile(shrinkingFile));
  });
});

describe('an image that changes after the check', () => {
  test.each<[string, (file: string) => Promise<void>]>([
    ['has other bytes', (file) => writeFile(file, 'another')],
    ['has other bytes of the same length', async (file) => writeFile(file, (await readFile(file)).fill(0, 60))],
    ['has grown', async (file) => writeFile(file, Buffer.concat([await readFile(file), Buffer.alloc(9)]))],
    ['was deleted', (file) => rm(file)],
    ['became a named pipe', replaceWithPipe],
  ])('is not decoded: %s', async (_, change) => {
    site = await makeSite();
    const file = path.join(site.themesDir, 'harbor/banner.png');
    const bytes = await readFile(file);
    await change(file);
    const decoders = new Decoders();
    const job = {
      bytes: { file, bytes: bytes.length, sha256: sha256Of(bytes) },
      format: 'png',
      spec: LOGO_THUMBNAIL,
    } as const;
    expect(await decode(job, decoders)).toBe('changed');
    decoders.close();
  });

  test('stops the build if it became a named pipe before publication', async () => {
    site = await makeSite();
    await build(site);
    const media = path.join(site.outDir, 'media/harbor');
    for (const name of await readdir(media)) await rm(path.join(media, name));
    const file = path.join(site.themesDir, 'harbor/banner.png');
    const originalFile = path.join(await mkdtemp(path.join(tmpdir(), 'themecast-test-')), 'banner.png');
    const onProgress = (done: number, total: number): void => {
      if (done === total && !existsSync(originalFile))
        execFileSync('sh', ['-c', 'mv "$0" "$1" && mkfifo "$0"', file, originalFile]);
    };
    await expect(build({ ...site, onProgress })).rejects.toThrow('changed while the build ran. Build again.');
    expect(await readdir(media)).toEqual([]);
    await rm(file);
    await rename(originalFile, file);
    expect((await build(site)).ok).toBe(true);
    await rm(path.dirname(originalFile), { recursive: true });
  });
});
