import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
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

/** The known differences of the page, and the one of these themes. */
const ACCEPTED =
  (codeBlocks(readPage('docs/migrating.md'), 'yaml').find((block) => block.includes('reason:')) ?? '') + ROTATED_BANNER;

let filled = '';
/** An empty folder in which all sites of these tests cache their thumbnails. */
let cache = '';
beforeAll(async () => {
  if (missing !== undefined) return;
  filled = await fillOldService();
  cache = await mkdtemp(path.join(tmpdir(), 'themecast-compare-cache-'));
}, 240_000);
afterAll(async () => {
  for (const folder of [filled, cache]) if (folder !== '') await rm(folder, { recursive: true, force: true });
});

/** A folder with the themes of a service, imported and built. */
async function importAndBuild(url: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-compare-'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  expect(await run(['import', url, '--rate', '900', '--quiet'], { cwd: folder })).toMatchObject({ code: 0 });
  const users = (await oldUsers()).filter(({ theme }) => existsSync(path.join(folder, 'themes', theme)));
  const rows = users.map(({ user, theme }) => `${user},${theme}`);
  await writeFile(path.join(folder, 'themes/users.csv'), ['user,theme', ...rows, ''].join('\n'));
  // What the old service knows its users by.
  const tokens = (await oldUsers()).map(({ user, token }) => `${user},Token ${token}`);
  await writeFile(path.join(folder, 'tokens.csv'), ['user,Authorization', ...tokens, ''].join('\n'));
  await writeFile(path.join(folder, 'accept.yaml'), ACCEPTED);
  await build(folder);
  return folder;
}

async function build(folder: string): Promise<void> {
  const built = await run(['build', '--quiet', '--cache', cache, '--allow-shrink'], { cwd: folder });
  expect(built).toEqual({ code: 0, stdout: expect.any(String) as string, stderr: '' });
}

const compare = (url: string, folder: string, ...flags: string[]): Promise<Run> =>
  run(['compare', url, '--rate', '900', ...flags], { cwd: folder });

async function expectUnharmed(service: OldService, before: Buffer): Promise<void> {
  const requests = await service.requests();
  expect(requests.length).toBeGreaterThan(50);
  expect(requests.filter((request) => !/^(?:GET|HEAD|OPTIONS) /.test(request))).toEqual([]);
  expect((await service.database()).equals(before)).toBe(true);
}

/** All themes in the first setting: only its other responses depend on the setting. */
const SETTINGS = OLD_SERVICE_SETTINGS.map((env, index) => ({ env, themes: index === 0 ? 12 : 3 }));

describe.each(missing === undefined ? SETTINGS : [])('an imported service, %j', ({ env, themes }) => {
  it('differs in nothing that the page does not accept', { timeout: 240_000 }, async () => {
    const service = await startOldService(filled, env, themes);
    const before = await service.database();
    let folder = '';
    try {
      folder = await importAndBuild(service.url);
      const flags = '--accept accept.yaml --header X-App=HOME'.split(' ');
      const { code, stdout, stderr } = await compare(service.url, folder, ...flags);
      expect({ code, stderr, stdout }, stdout).toEqual({ code: 0, stderr: '', stdout: expect.any(String) as string });
      expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
        new RegExp(`^✔ ${themes} themes: \\d+ fields same, \\d+ images with equal pixels, \\d+ accepted, 0 differ$`),
      );
      await expectUnharmed(service, before);
    } finally {
      await service.stop();
      if (folder !== '') await rm(folder, { recursive: true, force: true });
    }
  });
});

describe.each(missing === undefined ? ['tokens'] : [])('a service whose users have %s', () => {
  let service: OldService;
  let database: Buffer;
  let folder = '';
  beforeAll(async () => {
    service = await startOldService(filled, { OLD_SERVICE_VARIANT: 'token' }, 4);
    database = await service.database();
    folder = await importAndBuild(service.url);
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    if (folder !== '') await rm(folder, { recursive: true, force: true });
  });

  it('gives sampled users the same themes, and no user is named', { timeout: 60_000 }, async () => {
    const flags = ['--accept', 'accept.yaml', '--sample', 'tokens.csv:20'];
    const { code, stdout } = await compare(service.url, folder, ...flags);
    expect(stdout).toMatch(/✔ users +\d+ same/);
    expect(code).toBe(0);
    for (const { user, token } of await oldUsers())
      expect([stdout.includes(user), stdout.includes(token)]).toEqual([false, false]);
    await expectUnharmed(service, database);
  });

  it('differs in each thing that was changed', { timeout: 120_000 }, async () => {
    const changed = await mkdtemp(path.join(tmpdir(), 'themecast-compare-'));
    await cp(folder, changed, { recursive: true });
    const themes = path.join(changed, 'themes');
    const edit = async (file: string, from: RegExp, to: string): Promise<void> => {
      const text = await readFile(path.join(themes, file), 'utf8');
      expect(text).toMatch(from);
      await writeFile(path.join(themes, file), text.replace(from, to));
    };
    try {
      await edit('birch/theme.yaml', /logo_height: \d+/, 'logo_height: 77');
      await edit('cedar/theme.yaml', /(palette_preview:\n\s+- )\S.*/, '$1"#123456"');
      await rm(path.join(themes, 'dogwood'), { recursive: true });
      await rm(path.join(themes, 'redirects.csv'));
      const users = await readFile(path.join(themes, 'users.csv'), 'utf8');
      const rows = users.split('\n').map((row) => row.replace(',dogwood', ',alder'));
      const at = rows.findIndex((row) => /^u-.*,(?!alder)/.test(row));
      rows[at] = (rows[at] ?? '').replace(/,.*/, ',alder');
      await writeFile(path.join(themes, 'users.csv'), rows.join('\n'));
      const logo = path.join(themes, 'birch/logo-site.png');
      const dot = {
        input: { create: { width: 8, height: 8, channels: 3, background: '#f0f' } },
        top: 9,
        left: 9,
      } as const;
      await writeFile(
        logo,
        await sharp(await readFile(logo))
          .composite([dot])
          .png()
          .toBuffer(),
      );
      await appendFile(
        path.join(themes, 'site.yaml'),
        '\nidentity: [{user: {header: X-User, trusted_proxies: [127.0.0.1]}}]\n',
      );
      await build(changed);
      const result = await compare(service.url, changed, '--accept', 'accept.yaml', '--sample', 'tokens.csv:50');
      const lines = result.stdout.split('\n').filter((line) => line.includes('✘'));
      expect(result.code).toBe(1);
      const found = (text: string): unknown => expect(lines).toContainEqual(expect.stringContaining(text));
      for (const text of [
        'theme 2 logo_height',
        'Accept, Cookie → Accept, X-User',
        '→ 77',
        'theme 3 palette_preview',
        'theme 4 ',
        'theme 2 logo_site.original',
        'other pixels',
        `user tokens.csv:${at + 1}`,
      ])
        found(text);
      const image = lines.find((line) => line.includes('theme 2 logo_site.original'));
      expect(image).toMatch(/ PNG \S+ \/media\/\S+ → PNG \S+, other pixels: .* \/media\/birch\//);
      expect(lines.at(-1)).toMatch(/^✘ 3 themes: .* differ$/);
    } finally {
      await rm(changed, { recursive: true, force: true });
    }
  });

  it('does not take users that it does not know for proof', { timeout: 60_000 }, async () => {
    await writeFile(path.join(folder, 'expired.csv'), 'user,Cookie\nu-none,sessionid=9f2c\n');
    const { stdout } = await compare(service.url, folder, '--sample', 'expired.csv:1');
    expect(stdout).toContain('! OLD gave every user its default theme.');
  });
});
