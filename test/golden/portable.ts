import { createHash } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { readTree } from '../site-folder.ts';

/** Files by path, with replacements for content that depends on the version of libvips, such as the bytes of thumbnails. */
export type Portable = Map<string, Buffer>;

const THUMBNAIL = /-thumbnail-[^/]+$/;

/** Returns the output that is equal on every machine: thumbnails as format and dimensions, with placeholders for their hashes and bytes. */
export async function portableTree(folder: string): Promise<Portable> {
  const tree = await readTree(folder);
  const files: Portable = new Map();
  for (const [file, bytes] of tree) files.set(withoutHashes(file), await portableBytes(file, bytes));
  const currentTarget = await readlink(path.join(folder, 'current')).catch(() => undefined);
  if (currentTarget !== undefined) files.set('current', Buffer.from(`-> ${withoutHashes(currentTarget)}\n`));
  for (const [file, bytes] of tree) {
    if (path.posix.basename(file) !== 'manifest.json') continue;
    const subfolder = path.posix.dirname(file) === '.' ? '' : `${path.posix.dirname(file)}/`;
    files.set(withoutHashes(file), portableManifest(bytes.toString(), subfolder, tree, files));
  }
  return files;
}

async function portableBytes(file: string, bytes: Buffer): Promise<Buffer> {
  if (THUMBNAIL.test(file)) {
    const { format, width, height, hasAlpha, space } = await sharp(bytes).metadata();
    return Buffer.from(`${format} ${width}x${height} ${space}${hasAlpha ? ' with alpha' : ''}\n`);
  }
  if (/(?:^|\/)media\//.test(file)) return bytes;
  return Buffer.from(withoutHashes(bytes.toString()));
}

function withoutHashes(text: string): string {
  return text.replaceAll(/\.[0-9a-f]{16}-thumbnail/g, '.HASH-thumbnail');
}

/** Replaces the hashes in the manifest with the hashes of the portable files, after checking the published ones. */
function portableManifest(text: string, subfolder: string, tree: ReadonlyMap<string, Buffer>, files: Portable): Buffer {
  const rows = text.replaceAll(/\{"path":"([^"]+)","bytes":(\d+),"sha256":"([^"]+)"/g, (row, file, bytes, hash) => {
    const published = tree.get(subfolder + file);
    if (published === undefined || published.length !== Number(bytes) || sha256(published) !== hash)
      throw new Error(`manifest.json has a wrong entry for ${file}: ${row}`);
    const name = withoutHashes(file);
    const size = THUMBNAIL.test(file) ? 'SIZE' : bytes;
    return `{"path":"${name}","bytes":${size},"sha256":"${sha256(files.get(withoutHashes(subfolder) + name) ?? '')}"`;
  });
  // Entries are sorted by name, and the name contains the hash.
  const lines = rows.replaceAll(/,$/gm, '').split('\n');
  return Buffer.from(lines.toSorted().join('\n'));
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The number of files in the largest folder that is listed file by file. Larger folders, such as shards, have a single line. */
const MAX_LISTED_FILES = 64;

/** Returns a line per file or per large folder: the beginning of the SHA-256, and the path. */
export function listing(files: Portable): string {
  const folders = new Map<string, (readonly [string, Buffer])[]>();
  for (const [file, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const folder = path.posix.dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), [file, bytes]]);
  }
  const lines = [...folders].flatMap(([folder, filesInFolder]) =>
    filesInFolder.length > MAX_LISTED_FILES
      ? [
          line(
            `${folder}/ (${filesInFolder.length} files)`,
            Buffer.from(filesInFolder.map(([file, bytes]) => line(file, bytes)).join('\n')),
          ),
        ]
      : filesInFolder.map(([file, bytes]) => line(file, bytes)),
  );
  return lines.map((text) => `${text}\n`).join('');
}

function line(name: string, bytes: Buffer): string {
  return `${sha256(bytes).slice(0, 16)} ${name}`;
}
