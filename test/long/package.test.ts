import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { packedFiles } from '../docs/package.ts';

const root = path.join(import.meta.dirname, '../..');

describe('the packed package', () => {
  it('has one module for each of src/, and no other file than these', async () => {
    const modules = (await readdir(path.join(root, 'src'), { recursive: true }))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `lib/${file.replace(/\.ts$/, '.js')}`);
    const files = packedFiles();
    expect(files.filter((file) => /^lib\/.*\.js$/.test(file)).toSorted()).toEqual(modules.toSorted());
    await expect(
      `${files
        .filter((file) => !modules.includes(file))
        .toSorted()
        .join('\n')}\n`,
    ).toMatchFileSnapshot('../golden/package/files.txt');
  });
});
