import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listThemes } from '../../../src/compiler/walk.ts';

it('treats a folder that is deleted during the walk as empty, not as unreadable', async () => {
  const themesDir = await mkdtemp(path.join(tmpdir(), 'themecast-test-'));
  expect(listThemes(themesDir, ['deleted']).get('deleted')).toEqual({ entries: [], unusable: [], unreadable: [] });
  await rm(themesDir, { recursive: true });
});
