import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { skip } from './skip.ts';
import { HAS_TERMINAL, NO_TERMINAL, startOnTerminal } from './terminal.ts';

let site: SiteFolder;
beforeAll(async () => {
  site = await makeSite({ themes: { harbor: {}, meadow: {} } });
});
afterAll(() => removeSite(site));

test('a build has a progress line on a terminal, cleared at the end', async (context) => {
  if (!HAS_TERMINAL) skip(context, NO_TERMINAL);
  const output = await finished(startOnTerminal(['build', '--no-cache'], { cwd: site.root }));
  expect(output.code).toBe(0);
  expect(output.stdout).toContain('\r\u001b[K1 of 3 images');
  expect(output.stdout).toContain('3 of 3 images\r\u001b[K✔ 2 themes checked');
  const quiet = await finished(startOnTerminal(['build', '--no-cache', '--quiet'], { cwd: site.root }));
  expect(quiet.stdout).toBe('');
});
