import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renumbered, writePhotoThemes } from '../../../scripts/bench/photo-themes.js';
import { writeSmallThemes } from '../../../scripts/bench/small-themes.js';
import { row } from '../../../scripts/bench/users.js';
import { check } from '../../../src/build.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const COUNT = 40;

describe('sets of themes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'themecast-bench-sets-'));
    await writeSmallThemes(path.join(folder, 'small'), COUNT);
    await writePhotoThemes(path.join(ROOT, 'themes'), path.join(folder, 'copies'), 2);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['small', COUNT],
    ['copies', 6],
  ])('are valid, and no two images are alike: %s', async (name, themes) => {
    const themesDir = path.join(folder, name);
    const result = await check({ themesDir });
    expect(result.diagnostics).toEqual([]);
    const files = readdirSync(themesDir, { recursive: true, encoding: 'utf8' });
    const images = files.filter((file) => /\.(?:svg|png|jpg)$/.test(file));
    const contents = images.map((file) => readFileSync(path.join(themesDir, file), 'base64'));
    expect(images.length).toBeGreaterThanOrEqual(8 * themes);
    expect(new Set(contents).size).toBe(images.length);
  });

  it('have one default theme and ids in order', () => {
    const yaml = 'name: Harbor\nid: 7\nis_default: true\nlogo: a.svg\n';
    expect(renumbered(yaml, 1, 0)).toBe('id: 1\nis_default: true\nname: Harbor\nlogo: a.svg\n');
    expect(renumbered(yaml, 13, 1)).toBe('id: 13\nis_default: false\nname: 1 Harbor\nlogo: a.svg\n');
  });
});

describe('rows of users', () => {
  it('are unique, in no order, and 100 million fit into 2 GB', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => row(index * 9999));
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows).not.toEqual(rows.toSorted());
    expect(Math.max(...rows.map((text) => text.length))).toBeLessThanOrEqual(24);
    expect(rows.join('').length / rows.length).toBeLessThan(20);
  });
});
