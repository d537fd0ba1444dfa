import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
  /** An empty repository of Git. */
  let cwd: string;
  beforeEach(async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} } });
    cwd = await mkdtemp(path.join(tmpdir(), 'themecast-terminal-'));
    execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd });
  });
  afterEach(async () => {
    await removeSite(site);
    await rm(cwd, { recursive: true });
  });

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

  test('init asks for what no flag gives, until the answer is valid', { timeout: 30_000 }, async () => {
    const env = { ...process.env, CI: undefined, NO_COLOR: '1' };
    const child = startOnTerminal(['init', 'sub', '--name', 'Club'], { cwd, env });
    child.stdin?.end('example.org\nhttps://club.example.org\nnginx cady\nnginx, caddy\nforgejo\n');
    const { code, stdout } = await finished(child);
    expect(code).toBe(0);
    expect(stdout).toContain('It must be an https URL');
    expect(stdout).toContain('Did you mean `caddy`?');
    expect(await readFile(path.join(cwd, 'sub/themes/site.yaml'), 'utf8')).toMatch(
      /^base_url: "https:\/\/club\.example\.org"\nedge: \[nginx, caddy\]$/m,
    );
    expect(existsSync(path.join(cwd, '.forgejo/workflows/themes-sub.yml'))).toBe(true);
  });

  longTest('init writes nothing if the questions are not answered', { timeout: 30_000 }, async () => {
    const child = startOnTerminal(['init'], { cwd, env: { ...process.env, CI: undefined } });
    // Ctrl+C, once it asks.
    child.stdout?.once('data', () => child.stdin?.write('\u0003'));
    const { code, stdout } = await finished(child);
    expect(code).toBe(2);
    expect(stdout).toContain('so nothing was written');
    expect(await readdir(cwd)).toEqual(['.git']);
  });
}
