import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from './command-line.ts';
import { record, startFakeService } from './import/service.ts';
import { treeHashes } from './site-folder.ts';
import { longTest } from './long-test.ts';

/**
 * A repository of the version before caches were outside the checkout. That version imported it from a service, with
 * `edge: [nginx, varnish]`, built it with `THEMECAST_CACHE_SECRET`, changed a logo and built it again.
 */
const ARCHIVE = path.join(import.meta.dirname, 'upgrade', 'repository.tar.gz');
/** Published by the first build, no longer named by a document after the second. */
const RETIRED = 'media/theme-2/logo.8db986d9538c91dc.svg';

let folder: string;
const build = (...flags: string[]) =>
  run(['build', ...flags], {
    cwd: path.join(folder, 'site'),
    env: { XDG_CACHE_HOME: path.join(folder, 'cache'), XDG_STATE_HOME: path.join(folder, 'state'), ...secret },
  });
let secret: Record<string, string> = { THEMECAST_CACHE_SECRET: 'a secret of the version before' };
const inSite = (name: string): string => path.join(folder, 'site', name);

async function edit(name: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(inSite(name), 'utf8');
  expect(change(text)).not.toBe(text);
  await writeFile(inSite(name), change(text));
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'upgrade-'));
  await mkdir(inSite(''));
  await promisify(execFile)('tar', ['-xzf', ARCHIVE, '-C', inSite('')]);
  // Images are retained for 30 days from the build that last named them.
  await edit('.dist.history.json', (text) => text.replace(/(?<="last_named":")[^"]*/, new Date().toISOString()));
});
afterAll(() => rm(folder, { recursive: true }));

test('the first build names the page about the host that is gone, and writes nothing', async () => {
  const before = await treeHashes(inSite('dist'));
  const { code, stdout } = await build();
  expect(code).toBe(1);
  expect(stdout).toContain('themes/site.yaml:4:15  error  The field `edge[1]` is `varnish`');
  expect(stdout).toContain('see docs/behind-a-proxy.md');
  expect(await treeHashes(inSite('dist'))).toEqual(before);
});

test('without that host it builds, and says once what is left over', async () => {
  await edit('themes/site.yaml', (text) => text.replace(', varnish', ''));
  const { code, stdout } = await build();
  expect(code).toBe(0);
  expect(stdout.split('\n').filter((line) => line.startsWith('! '))).toEqual([
    '! THEMECAST_CACHE_SECRET has no effect any more: remove it.',
    '! .cache is of an earlier version and is not read any more: delete it.',
  ]);
  expect(Object.keys(await treeHashes(inSite('dist')))).toContain(RETIRED);
  expect(Object.keys(await treeHashes(inSite('edge'))).filter((name) => name.startsWith('varnish'))).toEqual([]);
});

test('when that is done, builds are silent', async () => {
  secret = {};
  await rm(inSite('.cache'), { recursive: true });
  await run(['schema'], { cwd: inSite('') });
  expect(await build('--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(Object.keys(await treeHashes(inSite('dist')))).toContain(RETIRED);
});

longTest('an import names themes by their ids', async () => {
  const cwd = inSite('');
  for (const args of [['init'], ['add', '--all'], ['-c', 'user.name=a', '-c', 'user.email=a', 'commit', '-mx']])
    await promisify(execFile)('git', args, { cwd });
  const service = await startFakeService();
  service.records = [record(1), record(2)];
  const { code } = await run(['import', service.url, '--rate', '500'], { cwd });
  await service.close();
  expect(code).toBe(0);
  expect(await readFile(inSite('themes/redirects.csv'), 'utf8')).toContain('/media/2/logo.svg,2,logo\n');
  expect((await build('--quiet')).code).toBe(0);
});
