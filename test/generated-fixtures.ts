import { execFileSync } from 'node:child_process';
import { appendFile, copyFile, cp, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { draw, plain } from './images.ts';
import { pngChunk } from './long/sample-images.js';

const pipe = (file: string): void => void execFileSync('mkfifo', [file]);

/** Returns a socket, which outlives its server only if the process exits: the name is in use until the folder is removed. */
function listen(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer().unref().once('error', reject);
    server.listen(file, resolve);
  });
}

/** Returns a PNG with large dimensions in its header and hardly any data. */
function claimedPng(width: number, height: number, isInterlaced = false): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, isInterlaced ? 1 : 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const data = deflateSync(Buffer.alloc(64));
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', '')]);
}

/** Changes that cannot be committed, by fixture; made in the copy of the themes folder. */
export const generatedFixtures: Readonly<Record<string, (themesDir: string) => Promise<void>>> = {
  'file.too-large': async (themesDir) => {
    await truncate(path.join(themesDir, 'meadow/theme.yaml'), 256 * 1024 + 1);
  },
  'yaml.too-many-values': async (themesDir) => {
    await appendFile(path.join(themesDir, 'meadow/theme.yaml'), `colours:\n${'  - blue\n'.repeat(5000)}`);
  },
  'yaml.too-deep-2': async (themesDir) => {
    await appendFile(path.join(themesDir, 'meadow/theme.yaml'), `colours: ${'['.repeat(100_000)}`);
  },
  'mapping.too-large': async (themesDir) => {
    // Sparse files take no disk space.
    await mkdir(path.join(themesDir, 'users'));
    for (const name of ['a', 'b']) await writeFile(path.join(themesDir, `users/${name}.csv`), 'user,theme\n');
    await truncate(path.join(themesDir, 'users/a.csv'), 2_000_000_001);
  },
  'file.more': async (themesDir) => {
    const fields = Array.from({ length: 110 }, (_, index) => `colour_${index}: blue\n`);
    await appendFile(path.join(themesDir, 'meadow/theme.yaml'), fields.join(''));
  },
  'image.too-large': async (themesDir) => {
    await truncate(path.join(themesDir, 'meadow/logo.svg'), 25 * 1024 * 1024 + 1);
  },
  'image.heavy': async (themesDir) => {
    let seed = 1;
    const noise = (): number => (seed = (seed * 48_271) % 2_147_483_647) % 256;
    const icon = draw(450, 450, () => [noise(), noise(), noise()]);
    await writeFile(path.join(themesDir, 'meadow/icon.png'), await icon.png().toBuffer());
  },
  'svg.limit-2': async (themesDir) => {
    const svg = await readFile(path.join(themesDir, 'meadow/logo.svg'), 'utf8');
    await writeFile(path.join(themesDir, 'meadow/logo.svg'), svg + ' '.repeat(1024 * 1024));
  },
  // macOS file systems treat both names as equal.
  'image.not-found-6': async (themesDir) => {
    const theme = path.join(themesDir, 'meadow');
    await copyFile(path.join(theme, 'logo.svg'), path.join(theme, 'cafe\u0301.svg'));
    await appendFile(path.join(theme, 'theme.yaml'), 'logo_inverse: caf\u00e9.svg\n');
  },
  'image.not-a-file-2': async (themesDir) => {
    await replaceByLink(path.join(themesDir, 'meadow/logo.svg'), '../harbor/logo.svg');
    await symlink('../harbor', path.join(themesDir, 'meadow/shared'));
    await symlink('nowhere.svg', path.join(themesDir, 'meadow/dangling.svg'));
  },
  'file.not-a-file': async (themesDir) => {
    await replaceByLink(path.join(themesDir, 'meadow/theme.yaml'), '../harbor/theme.yaml');
    await replaceByLink(path.join(themesDir, 'site.yaml'), 'harbor/theme.yaml');
    await symlink('meadow', path.join(themesDir, 'prairie'));
  },
  'file.not-a-file-2': async (themesDir) => {
    const users = path.join(themesDir, 'users');
    await mkdir(path.join(users, 'folder.csv'), { recursive: true });
    await writeFile(path.join(themesDir, '../elsewhere.csv'), 'user,theme\nann,meadow\n');
    await symlink('../../elsewhere.csv', path.join(users, 'link.csv'));
    await symlink('nowhere.csv', path.join(users, 'dangling.csv'));
    await symlink('../meadow', path.join(users, 'meadow.csv'));
    execFileSync('mkfifo', [path.join(users, 'pipe.csv')]);
  },
  'file.not-a-file-3': async (themesDir) => {
    await mkdir(path.join(themesDir, '../elsewhere'));
    await writeFile(path.join(themesDir, '../elsewhere/a.csv'), 'user,theme\nann,meadow\n');
    await symlink('../elsewhere', path.join(themesDir, 'users'));
    await symlink('../elsewhere/a.csv', path.join(themesDir, 'users.csv'));
  },
  'file.not-a-file-4': async (themesDir) => {
    await rm(path.join(themesDir, 'meadow/theme.yaml'));
    await mkdir(path.join(themesDir, 'meadow/theme.yaml/deeper'), { recursive: true });
    await rm(path.join(themesDir, 'site.yaml'));
    await mkdir(path.join(themesDir, 'site.yaml'));
    await symlink('nowhere', path.join(themesDir, 'harbor/nowhere.svg')); // no field refers to it
  },
  'file.name': async (themesDir) => {
    await mkdir(path.join(themesDir, 'two\nlines'));
    await writeFile(Buffer.concat([Buffer.from(`${themesDir}/meadow/caf`), Buffer.from([0xe9])]), '');
  },
  // Sizes that the header claims: nothing may be decoded.
  'image.too-many-pixels-2': async (themesDir) => {
    const avif = await plain(64, 64).avif().toBuffer();
    const [size, side] = [avif.indexOf('ispe') + 8, 12_000];
    for (const at of [size, size + 4]) avif.writeUInt32BE(side, at);
    const jpeg = await plain(64, 64).jpeg({ progressive: true }).toBuffer();
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
    for (const at of [frame + 5, frame + 7]) jpeg.writeUInt16BE(16_383, at);
    await writeImages(themesDir, {
      logo: ['a.png', claimedPng(16_384, 16_384)],
      logo_inverse: ['b.png', claimedPng(16_383, 16_383, true)],
      compact_logo: ['c.png', claimedPng(2 ** 31 - 1, 2 ** 31 - 1)],
      compact_logo_inverse: ['d.png', claimedPng(0, 0)],
      logo_site: ['e.avif', avif],
      default_group_banner: ['f.jpg', jpeg],
    });
  },
  'image.not-a-file-3': async (themesDir) => {
    const at = (name: string): string => path.join(themesDir, 'meadow', name);
    await writeImages(themesDir, {
      logo: ['a.svg'],
      logo_inverse: ['b.svg'],
      compact_logo: ['c.svg'],
      logo_site: ['d'],
    });
    await symlink('a.svg', at('a.svg'));
    pipe(at('b.svg'));
    await listen(at('c.svg'));
    await mkdir(at('d'));
  },
  'file.not-a-file-5': async (themesDir) => {
    const at = (name: string): string => path.join(themesDir, name);
    await rm(at('meadow/theme.yaml'));
    for (const name of ['meadow/theme.yaml', 'users.csv', 'harbor/pipe', '.pipe']) pipe(at(name));
    // Names that start with a dot are no part of the themes, whatever kind of file they are.
    await listen(at('.socket'));
    for (const [target, name] of Object.entries({ nowhere: '.broken', '.loop': '.loop', 'site.yaml': '.link' }))
      await symlink(target, at(name));
  },
  'theme.slug-3': async (themesDir) => {
    const names = [
      'Meadow',
      'cafe\u0301',
      'caf\u00e9',
      ...'CON con -rf __proto__ %41 x#y x?y a_b a.b .draft'.split(' '),
    ];
    for (const name of [...names, 'a b', '\u{1f600}', 'a'.repeat(255)])
      await cp(path.join(themesDir, 'meadow'), path.join(themesDir, name), { recursive: true });
    await rename(path.join(themesDir, 'meadow'), path.join(themesDir, '\u001b[31mred'));
  },
  'theme.file-missing-3': async (themesDir) => {
    await mkdir(path.join(themesDir, 'empty'));
  },
  'theme.folder-missing': async (themesDir) => {
    await rm(themesDir, { recursive: true });
  },
  'theme.folder-missing-2': async (themesDir) => {
    await rm(themesDir, { recursive: true });
    await writeFile(themesDir, 'not a folder\n');
  },
};

async function replaceByLink(file: string, target: string): Promise<void> {
  await rm(file);
  await symlink(target, file);
}

/** Sets images of the theme, and writes the files that have bytes. */
async function writeImages(themesDir: string, images: Record<string, readonly [file: string, bytes?: Buffer]>) {
  const fields = Object.entries(images).map(([field, [file]]) => `${field}: ${file}\n`);
  await writeFile(
    path.join(themesDir, 'meadow/theme.yaml'),
    `extends: harbor\nid: 2\nname: Meadow\n${fields.join('')}`,
  );
  for (const [file, bytes] of Object.values(images))
    if (bytes !== undefined) await writeFile(path.join(themesDir, 'meadow', file), bytes);
}
