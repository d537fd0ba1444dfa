import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

let versions: Promise<string> | undefined;

/** Returns the versions of sharp and libvips. Other versions may make other bytes, so they are part of every cache key. */
export function rendererVersions(): Promise<string> {
  versions ??= readVersions();
  return versions;
}

async function readVersions(): Promise<string> {
  const require = createRequire(import.meta.url);
  try {
    const entry = require.resolve('sharp');
    const manifest = path.join(entry.slice(0, entry.lastIndexOf(`sharp${path.sep}`)), 'sharp', 'package.json');
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
    // sharp's packages of libvips list their versions, which saves loading the library.
    const libvips = createRequire(entry)(`@img/sharp-libvips-${process.platform}-${process.arch}/versions`) as {
      vips: string;
    };
    return `sharp ${version}, libvips ${libvips.vips}`;
  } catch {
    const { versions: loaded } = (await import('sharp')).default;
    return `sharp ${loaded.sharp}, libvips ${loaded.vips}`;
  }
}
