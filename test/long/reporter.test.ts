import { spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished } from '../command-line.ts';

const REPOSITORY = path.join(import.meta.dirname, '../..');

const PASSING = `import { expect, it } from 'vitest';
it('passes, and prints', () => {
  console.log('chatter');
  expect(1).toBe(1);
});
it('lacks one tool', (context) => context.skip('One tool is not installed.'));
it('lacks the same tool', (context) => context.skip('One tool is not installed.'));
it('lacks another', (context) => context.skip('Another tool is not installed.'));
it.skip('is skipped', () => undefined);
`;

const FAILING = `import { expect, it } from 'vitest';
it('is fine', () => undefined);
it('fails, and prints', () => {
  console.log('the last words');
  expect('left').toBe('right');
});
`;

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'themecast-reporter-')));
  await symlink(path.join(REPOSITORY, 'node_modules'), path.join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs tests with the settings of this repository, and returns their output. */
async function runTests(
  files: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
): Promise<string[]> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const config = path.join(REPOSITORY, 'test/vitest.config.ts');
  const args = ['run', '--root', folder, '--dir', folder, '--config', config, ...Object.keys(files)];
  const { CI: _, GITHUB_ACTIONS: __, ...env } = process.env;
  const child = spawn(process.execPath, [path.join(REPOSITORY, 'node_modules/vitest/vitest.mjs'), ...args], {
    env: { ...env, NO_COLOR: '1', FORCE_COLOR: undefined, ...added },
  });
  const { stdout, stderr } = await finished(child);
  return (stdout + stderr).split('\n').filter((line) => line !== '');
}

test('prints failures with all their output, the reasons of skipped tests, and nothing of tests that passed', async () => {
  const passed = "import { it } from 'vitest';\nit('is fine', () => undefined);\n";
  const files = { 'failing.test.ts': FAILING, 'passing.test.ts': PASSING, 'passed.test.ts': passed };
  const list = path.join(folder, 'tested.txt');
  const printed = (await runTests(files, { THEMECAST_TESTED_FILES_OUT: list })).join('\n');
  for (const text of [
    ' Skipped   1 × Another tool is not installed.\n Skipped   2 × One tool is not installed.\n',
    ' Skipped   1 × without a reason: passing.test.ts > is skipped\n',
    'the last words',
    'FAIL  failing.test.ts > fails, and prints',
    'Expected: "right"\nReceived: "left"',
    '❯ failing.test.ts:5:18',
    ' Tests  1 failed | 3 passed | 4 skipped (8)',
  ])
    expect(printed).toContain(text);
  expect(printed).not.toMatch(/chatter|is fine|passes, and prints/);
  // For a run that excludes them.
  expect(await readFile(list, 'utf8')).toBe('passed.test.ts\n');
});
