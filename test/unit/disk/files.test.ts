import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { decode } from '../../../src/system/decoder/decode.ts';
import { Decoders } from '../../../src/system/decoder/pool.ts';
import { LOGO_THUMBNAIL } from '../../../src/core/theme/fields/thumbnail-spec.ts';
import { sha256Of } from '../../../src/system/disk/files.ts';
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
});
