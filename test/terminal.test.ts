import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitForExit } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { skipAll } from './skip.ts';
import { HAS_TERMINAL, NO_TERMINAL, startOnTerminal } from './terminal.ts';

// All tests that need a terminal are in this file: one of which a test is skipped runs twice in `.ci/run`.
if (HAS_TERMINAL) describe('on a terminal', onTerminal);
else skipAll('commands on a terminal', NO_TERMINAL);

function onTerminal(): void {
  let site: SiteFolder;
  beforeEach(async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} } });
  });
  afterEach(() => removeSite(site));

  test('a build has a progress line, cleared at the end', async () => {
    const output = await waitForExit(startOnTerminal(['build', '--no-cache'], { cwd: site.root }));
    expect(output.code).toBe(0);
    expect(output.stdout).toContain('\r\u001b[K1 of 2 themes');
    expect(output.stdout).toContain('2 of 2 themes\r\u001b[K✔ 2 themes checked');
    const quiet = await waitForExit(startOnTerminal(['build', '--no-cache', '--quiet'], { cwd: site.root }));
    expect(quiet.stdout).toBe('');
  });
}
