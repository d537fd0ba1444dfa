// The fixtures of bad input without what takes time and holds no mutant: nothing is built. Only for Stryker, which runs it for every
// mutant of what `check` reaches; test/fixtures.test.ts is what counts otherwise.
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { formatText } from '../../src/diagnostics/format-text.ts';
import { check } from '../../src/index.ts';
import { fixtureNames, goldenFile, layOut } from '../../test/fixture.ts';

/** What shows when a picture is decoded. */
const DECODED = /^image\.(?:corrupt|too-expensive)/;

const invalid = (await fixtureNames('invalid')).filter((name) => !DECODED.test(name));
const valid = await fixtureNames('valid');
let folder = '';
let cacheDir = '';

beforeAll(async () => {
  cacheDir = await mkdtemp(path.join(tmpdir(), 'themecast-cache-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

afterAll(async () => {
  await rm(cacheDir, { recursive: true, force: true });
});

/**
 * @param {'valid' | 'invalid'} kind
 * @param {string} name
 */
async function checked(kind, name) {
  const laidOut = await layOut(kind, name);
  ({ folder } = laidOut);
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  return check({ themesDir: laidOut.themesDir, cacheDir });
}

describe.each(invalid)('invalid: %s', (name) => {
  it('is found as its golden file says', async () => {
    const { diagnostics, texts } = await checked('invalid', name);
    const golden = await readFile(goldenFile('invalid', name), 'utf8');
    expect(formatText(diagnostics, (file) => texts.get(file), false)).toBe(golden);
  });
});

describe.each(valid)('valid: %s', (name) => {
  it('gives no finding', async () => {
    expect((await checked('valid', name)).diagnostics).toEqual([]);
  });
});
