import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { NO_CHROMIUM } from './browser/chromium.ts';
import { skip } from './skip.ts';

const run = promisify(execFile);
const folder = path.join(import.meta.dirname, 'long');

/** The quick variants of long tests; each fails with its problems, and prints a summary. */
it.for<[name: string, summary: RegExp]>([
  [
    'hostile-strings',
    /^stress hostile-strings: 20 strings, \d{4} cases, .*(?: 0 scripts run, 0 requests elsewhere|, no browser), 0 failures$/,
  ],
  ['cache', /^stress cache: \d+ entries, \d{3} flipped bits, \d+ images rendered again, 0 wrong, 0 crashes$/],
  ['reproducible', /^stress reproducible: 5 variations .*, \d{3} files each, 0 different$/],
])('stress %s --quick', { timeout: 240_000 }, async ([name, summary], context) => {
  const { stdout, stderr } = await run(process.execPath, [path.join(folder, `${name}.js`), '--quick']);
  expect(stderr).toBe('');
  expect(stdout.trimEnd()).toMatch(summary);
  if (stdout.includes(', no browser,')) skip(context, NO_CHROMIUM);
});
