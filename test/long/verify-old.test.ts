import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, type Run } from '../command-line.ts';
import { codeBlocks, readPage } from '../docs/pages.ts';
import { skip } from '../skip.ts';
import {
  fillOldService,
  missingForOldService,
  OLD_SERVICE_SETTINGS,
  type OldService,
  oldUsers,
  ROTATED_BANNER,
  startOldService,
} from '../verify/old-service.ts';

const missing = missingForOldService();
if (missing !== undefined)
  it('compares with the service that themecast replaces', (context) =>
    missing.isOptional ? context.skip(missing.reason) : skip(context, missing.reason));

const PAGE = readPage('docs/migrating.md');
/** The accepted differences of the page, and of the themes in this test. */
const ACCEPTED = (codeBlocks(PAGE, 'yaml').find((block) => block.includes('reason:')) ?? '') + ROTATED_BANNER;

let filled = '';
/** The cache folder that all sites of these tests share. */
let cache = '';
beforeAll(async () => {
  if (missing !== undefined) return;
  filled = await fillOldService();
  cache = await mkdtemp(path.join(tmpdir(), 'themecast-compare-cache-'));
}, 240_000);
afterAll(async () => {
  for (const folder of [filled, cache]) if (folder !== '') await rm(folder, { recursive: true, force: true });
});

/** Imports and builds the themes of a service. @returns the folder */
async function importAndBuild(url: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-compare-'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  expect(await run(['import', url, '--rate', '900', '--quiet'], { cwd: folder })).toMatchObject({ code: 0 });
  const users = (await oldUsers()).filter(({ theme }) => existsSync(path.join(folder, 'themes', theme)));
  const rows = users.map(({ user, theme }) => `${user},${theme}`);
  await writeFile(path.join(folder, 'themes/users.csv'), ['user,theme', ...rows, ''].join('\n'));
  // The old service identifies its users by these tokens.
  const tokens = (await oldUsers()).map(({ user, token }) => `${user},Token ${token}`);
  await writeFile(path.join(folder, 'tokens.csv'), ['user,Authorization', ...tokens, ''].join('\n'));
  // A user whom no service knows.
  await writeFile(path.join(folder, 'app.csv'), 'user,X-App\nu-none,x\n');
  await writeFile(path.join(folder, 'accept.yaml'), ACCEPTED);
  expect(await run(['build', '--quiet', '--cache', cache], { cwd: folder })).toMatchObject({ code: 0, stderr: '' });
  return folder;
}

const compare = (url: string, folder: string, ...flags: string[]): Promise<Run> =>
  run(['verify', '--old', url, '--rate', '900', ...flags], { cwd: folder });

/** Expects that the service received only reading requests, and that its database is unchanged. */
async function expectUnchanged(service: OldService, before: Buffer): Promise<void> {
  const requests = await service.requests();
  expect(requests.length).toBeGreaterThan(50);
  expect(requests.filter((request) => !/^(?:GET|HEAD|OPTIONS) /.test(request))).toEqual([]);
  expect((await service.database()).equals(before)).toBe(true);
}

/** The settings, with all themes only once, because documents of themes do not depend on settings. */
const SETTINGS = OLD_SERVICE_SETTINGS.map((env, index) => ({ env, themes: index === 0 ? 12 : 3 }));

describe.each(missing === undefined ? SETTINGS : [])('an imported service, %j', ({ env, themes }) => {
  it('has no difference that the page does not accept', { timeout: 240_000 }, async () => {
    const service = await startOldService(filled, env, themes);
    const before = await service.database();
    let folder = '';
    try {
      folder = await importAndBuild(service.url);
      const flags = '--accept accept.yaml --sample app.csv:1'.split(' ');
      const { code, stdout, stderr } = await compare(service.url, folder, ...flags);
      expect({ code, stderr, stdout }, stdout).toEqual({ code: 0, stderr: '', stdout: expect.any(String) as string });
      expect(stdout).toMatch(/✔ (?:\d+ accepted, )?0 differ\n$/);
      expect(stdout).toMatch(/^✔ themes +\d+ same, \d+ images with equal pixels$/m);
      await expectUnchanged(service, before);
    } finally {
      await service.stop();
      if (folder !== '') await rm(folder, { recursive: true, force: true });
    }
  });
});

describe.each(missing === undefined ? ['tokens'] : [])('a service that identifies users by %s', () => {
  let service: OldService;
  let folder = '';
  beforeAll(async () => {
    service = await startOldService(filled, { OLD_SERVICE_VARIANT: 'token' }, 4);
    folder = await importAndBuild(service.url);
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    if (folder !== '') await rm(folder, { recursive: true, force: true });
  });

  it('returns the same themes to sampled users, whom the report does not reveal', { timeout: 120_000 }, async () => {
    const before = await service.database();
    const flags = ['--accept', 'accept.yaml', '--sample', 'tokens.csv:20'];
    const { code, stdout } = await compare(service.url, folder, ...flags);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^✔ users +\d+ same$/m)]);
    for (const { user, token } of await oldUsers())
      expect([stdout.includes(user), stdout.includes(token)]).toEqual([false, false]);
    await expectUnchanged(service, before);
  });

  it('gets a warning if it knows none of the sampled users', { timeout: 120_000 }, async () => {
    await writeFile(path.join(folder, 'expired.csv'), 'user,Cookie\nu-none,sessionid=9f2c\n');
    const { stdout } = await compare(service.url, folder, '--sample', 'expired.csv:1');
    expect(stdout).toContain('! OLD gave every user its default theme.');
  });

  it('has the users that the documented queries return', async () => {
    const [sql = '', django = ''] = ['psql --csv', 'manage.py shell'].map((command) =>
      (new RegExp(`${command} -c "(.*)"`).exec(PAGE)?.[1] ?? '').replaceAll(
        /\btheme(?=\.models|_usertheme)/g,
        'service',
      ),
    );
    // The query for PostgreSQL also runs on SQLite, which this service uses.
    const asCsv = `import csv, sys; from django.db import connection; c = connection.cursor(); c.execute(${JSON.stringify(sql)}); w = csv.writer(sys.stdout); w.writerow(d[0] for d in c.description); w.writerows(c)`;
    const [fromDjango = [], fromSql] = await Promise.all(
      [django, asCsv].map(async (code) => (await service.manage('shell', '-c', code)).trim().split(/\r?\n/).toSorted()),
    );
    expect(fromSql).toEqual(fromDjango);
    expect(fromDjango.length).toBeGreaterThan(2);
  });
});
