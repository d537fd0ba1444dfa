import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { draw, solidImage } from './images.ts';
import { pngChunk } from './long/sample-images.js';

/**
 * The steps of a `changes.txt`, for files that cannot be committed. Each line is a JSON array: step, path in the themes folder, arguments.
 */
const STEPS: Readonly<Record<string, (file: string, argument: string, times: string, themesDir: string) => unknown>> = {
  remove: (file) => rm(file, { recursive: true }),
  folder: (file) => mkdir(file, { recursive: true }),
  link: (file, target) => symlink(target, file),
  pipe: (file) => execFileSync('mkfifo', [file]),
  socket: createSocket,
  // Sparse files take no disk space.
  size: (file, bytes) => truncate(file, Number(bytes)),
  append: (file, text, times) => appendFile(file, text.repeat(Number(times))),
  copy: (file, from, _, themesDir) => cp(path.join(themesDir, from), file, { recursive: true }),
  move: (file, from, _, themesDir) => rename(path.join(themesDir, from), file),
};

/** Applies the changes of a fixture to a copy of the themes folder. @param lines - the text of its `changes.txt` */
export async function applyChanges(name: string, lines: string, themesDir: string): Promise<void> {
  for (const line of lines.split('\n').filter(Boolean)) {
    const [step = '', file = '', argument = '', times = '1'] = JSON.parse(line) as string[];
    await STEPS[step]?.(path.join(themesDir, file), argument, times, themesDir);
  }
  await generatedFixtures[name]?.(themesDir);
}

/** Creates a socket. Its server is never closed, because closing it would remove the socket. */
function createSocket(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer().unref().once('error', reject);
    server.listen(file, resolve);
  });
}

/** Returns a PNG with large dimensions in its header and hardly any data. */
function pngWithSize(width: number, height: number, isInterlaced = false): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, isInterlaced ? 1 : 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const data = deflateSync(Buffer.alloc(64));
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', '')]);
}

/** The changes that need code, by fixture. */
export const generatedFixtures: Readonly<Record<string, (themesDir: string) => Promise<void>>> = {
  'file.more': async (themesDir) => {
    const fields = Array.from({ length: 110 }, (_, index) => `colour_${index}: blue\n`);
    await appendFile(path.join(themesDir, 'meadow/theme.yaml'), fields.join(''));
  },
  'image.heavy': async (themesDir) => {
    let seed = 1;
    const noise = (): number => (seed = (seed * 48_271) % 2_147_483_647) % 256;
    const icon = draw(450, 450, () => [noise(), noise(), noise()]);
    await writeFile(path.join(themesDir, 'meadow/icon.png'), await icon.png().toBuffer());
  },
  'file.name': async (themesDir) => {
    await mkdir(path.join(themesDir, 'two\nlines'));
    await writeFile(Buffer.concat([Buffer.from(`${themesDir}/meadow/caf`), Buffer.from([0xe9])]), '');
  },
  // The headers claim huge sizes: nothing may be decoded.
  'image.too-many-pixels-2': async (themesDir) => {
    const avif = await solidImage(64, 64).avif().toBuffer();
    const [size, side] = [avif.indexOf('ispe') + 8, 12_000];
    for (const offset of [size, size + 4]) avif.writeUInt32BE(side, offset);
    const jpeg = await solidImage(64, 64).jpeg({ progressive: true }).toBuffer();
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
    for (const offset of [frame + 5, frame + 7]) jpeg.writeUInt16BE(16_383, offset);
    await writeImages(themesDir, {
      logo: ['a.png', pngWithSize(16_384, 16_384)],
      logo_inverse: ['b.png', pngWithSize(16_383, 16_383, true)],
      compact_logo: ['c.png', pngWithSize(2 ** 31 - 1, 2 ** 31 - 1)],
      compact_logo_inverse: ['d.png', pngWithSize(0, 0)],
      logo_site: ['e.avif', avif],
      default_group_banner: ['f.jpg', jpeg],
    });
  },
};

/** Sets image fields of the theme meadow, and writes the files that have bytes. */
async function writeImages(themesDir: string, images: Record<string, readonly [file: string, bytes?: Buffer]>) {
  const fields = Object.entries(images).map(([field, [file]]) => `${field}: ${file}\n`);
  await writeFile(
    path.join(themesDir, 'meadow/theme.yaml'),
    `extends: harbor\nid: 2\nname: Meadow\n${fields.join('')}`,
  );
  for (const [file, bytes] of Object.values(images))
    if (bytes !== undefined) await writeFile(path.join(themesDir, 'meadow', file), bytes);
}
