import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { skip } from '../skip.ts';
import { NO_CHROMIUM } from './chromium.ts';

const run = promisify(execFile);

it('stress hostile-strings --quick', { timeout: 240_000 }, async (context) => {
  const script = path.join(import.meta.dirname, '../long/hostile-strings.js');
  const { stdout, stderr } = await run(process.execPath, [script, '--quick']);
  expect(stderr).toBe('');
  expect(stdout.trimEnd()).toMatch(
    /^stress hostile-strings: 20 strings, \d{4} cases, .*(?: 0 scripts run, 0 requests elsewhere|, no browser), 0 failures$/,
  );
  if (stdout.includes(', no browser,')) skip(context, NO_CHROMIUM);
});
