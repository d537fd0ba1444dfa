import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BIN, waitForExit } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { skipAll } from './skip.ts';

/** Whether `script` of util-linux, which runs a command on a pseudo-terminal, is installed. */
const HAS_TERMINAL = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

/** Starts themecast on a pseudo-terminal. */
function startOnTerminal(args: readonly string[], options: Pick<SpawnOptions, 'cwd' | 'env'>): ChildProcess {
  const command = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ');
  return spawn('script', ['-qec', command, '/dev/null'], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
}

// All tests that need a terminal are in this file, because `.ci/run` repeats a file with skipped tests.
if (HAS_TERMINAL) describe('on a terminal', onTerminal);
else skipAll('commands on a terminal', 'script (util-linux) is not installed, so nothing is tested on a terminal.');

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
