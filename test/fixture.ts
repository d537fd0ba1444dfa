import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generatedFixtures, applyChanges } from './generated-fixtures.ts';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');
/** Files that describe a fixture, and do not belong to its themes folder. */
const FIXTURE_FILES = new Set(['without.txt', 'changes.txt', 'want.txt', 'want.json']);

export type Kind = 'valid' | 'invalid';

/** Returns the names of the fixtures of a kind. Fixtures of `generated-fixtures.ts` need no folder. */
export async function fixtureNames(kind: Kind): Promise<string[]> {
  const folders = await readdir(path.join(FIXTURES, kind));
  return [...new Set([...folders, ...(kind === 'invalid' ? Object.keys(generatedFixtures) : [])])].toSorted();
}

/** Returns the path of a fixture's golden file. */
export function goldenFile(kind: Kind, name: string): string {
  return path.join(FIXTURES, kind, name, kind === 'valid' ? 'want.json' : 'want.txt');
}

/** Copies the base fixture and a fixture over it into a temporary folder. The caller removes the folder. */
export async function copyFixture(kind: Kind, name: string): Promise<{ folder: string; themesDir: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-fixture-'));
  const themesDir = path.join(folder, 'themes');
  await cp(path.join(FIXTURES, 'base'), themesDir, { recursive: true });
  const overlay = path.join(FIXTURES, kind, name);
  for (const file of await readdir(overlay).catch(() => [])) {
    if (!FIXTURE_FILES.has(file)) await cp(path.join(overlay, file), path.join(themesDir, file), { recursive: true });
  }
  const without = await readFile(path.join(overlay, 'without.txt'), 'utf8').catch(() => '');
  for (const file of without.split('\n').filter(Boolean)) {
    await rm(path.join(themesDir, file), { recursive: true });
  }
  const changes = await readFile(path.join(overlay, 'changes.txt'), 'utf8').catch(() => '');
  if (kind === 'invalid') await applyChanges(name, changes, themesDir);
  return { folder, themesDir };
}
