import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { finished } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { skipAll } from './skip.ts';
import { HAS_TERMINAL, NO_TERMINAL, startOnTerminal } from './terminal.ts';
import { longTest } from './long-test.ts';

// All tests that need a terminal are in this file: one of which a test is skipped runs twice in `.ci/run`.
if (HAS_TERMINAL) describe('on a terminal', onTerminal);
else skipAll('commands on a terminal', NO_TERMINAL);

function onTerminal(): void {
  let site: SiteFolder;
  beforeEach(async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} } });
  });
  afterEach(() => removeSite(site));

  longTest('a build has a progress line, cleared at the end', async () => {
    const output = await finished(startOnTerminal(['build', '--no-cache'], { cwd: site.root }));
    expect(output.code).toBe(0);
    expect(output.stdout).toContain('\r\u001b[K1 of 3 images');
    expect(output.stdout).toContain('3 of 3 images\r\u001b[K✔ 2 themes checked');
    const quiet = await finished(startOnTerminal(['build', '--no-cache', '--quiet'], { cwd: site.root }));
    expect(quiet.stdout).toBe('');
  });

  test('dev handles keys', async () => {
    // A browser that logs the URLs that it is asked to open.
    const opened = path.join(site.root, 'opened');
    await mkdir(path.join(site.root, 'bin'));
    await writeFile(
      path.join(site.root, 'bin/xdg-open'),
      `#!/bin/sh\necho "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`,
      {
        mode: 0o755,
      },
    );
    const child = startOnTerminal(['dev', '--port', '0'], {
      cwd: site.root,
      env: { ...process.env, PATH: `${path.join(site.root, 'bin')}:${process.env['PATH']}` },
    });
    const end = finished(child);
    let printed = '';
    const until = (text: string, times = 1): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (printed.split(text).length > times) resolve();
        };
        child.stdout?.on('data', (chunk: string) => {
          printed += chunk;
          look();
        });
        look();
      });
    await until('q to stop');
    child.stdin?.write('r');
    await until('2 themes built', 2);
    child.stdin?.write('o');
    while (!existsSync(opened)) await new Promise((resolve) => setImmediate(resolve));
    expect(await readFile(opened, 'utf8')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    child.stdin?.write('q');
    expect((await end).code).toBe(0);
  });
}
