import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** The quick part of long tests; each fails with what it has found, and ends with its figures. */
it.each([
  ['cache', /^stress cache: \d+ entries, \d{3} flipped bits, \d+ images rendered again, 0 wrong, 0 crashes$/],
  ['reproducible', /^stress reproducible: 5 variations .*, \d{3} files each, 0 different$/],
])('stress %s --quick', { timeout: 240_000 }, async (name, summary) => {
  const script = path.join(import.meta.dirname, 'long', `${name}.js`);
  const { stdout, stderr } = await run(process.execPath, [script, '--quick']);
  expect(stderr).toBe('');
  expect(stdout.trimEnd()).toMatch(summary);
});
