import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { themeSchema } from '../src/core/theme/schema.ts';
import { run, type Run } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder, type SiteParts, treeHashes } from './site-folder.ts';

// test/long/cms.test.ts opens the page with the real CMS.

interface Field extends Record<string, unknown> {
  name: string;
}
interface Config {
  backend: Record<string, unknown>;
  media_folder: string;
  collections: [{ folder: string; path: string; fields: Field[] }];
}

let site: SiteFolder;
afterEach(() => removeSite(site));

const init = (): Promise<Run> => run(['init', '--cms'], { cwd: site.root });
const text = (file: string): Promise<string> => readFile(path.join(site.root, 'admin', file), 'utf8');

/** Makes a repository with a stand-in for the package of the CMS. */
async function makeRepository(remote = 'git@github.com:example/themes.git', parts: SiteParts = {}): Promise<void> {
  site = await makeSite(parts);
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: site.root });
  git('init', '--quiet', '--initial-branch=main');
  if (remote !== '') git('remote', 'add', 'origin', remote);
  const folder = path.join(site.root, 'node_modules/@sveltia/cms');
  await mkdir(path.join(folder, 'npm'), { recursive: true });
  await mkdir(path.join(folder, 'dist'));
  await writeFile(path.join(folder, 'package.json'), '{"name":"@sveltia/cms","exports":"./npm/index.js"}');
  await writeFile(path.join(folder, 'npm/index.js'), '');
  await writeFile(path.join(folder, 'dist/sveltia-cms.js'), 'the CMS');
}

async function writeCms(remote?: string, parts?: SiteParts): Promise<Config> {
  await makeRepository(remote, parts);
  const { code, stderr } = await init();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return parse(await text('config.yml')) as Config;
}

describe('init --cms', () => {
  test('writes a form with every field of theme.yaml in its order', async () => {
    const { collections, media_folder } = await writeCms();
    const [{ folder, path: file, fields }] = collections;
    expect([folder, file, media_folder]).toEqual(['themes', '{{slug}}/theme', 'themes']);
    const order = new Set(['name', 'id', 'extends', ...Object.keys(themeSchema.shape)]);
    expect([...fields.map(({ name }) => name), 'accept']).toEqual([...order]);
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(['name', 'id']);
    expect(fields.filter(({ hint, label }) => hint === '' || label === '')).toEqual([]);
    const field = (name: string): Field | undefined => fields.find((candidate) => candidate.name === name);
    expect(field('logo_height')).toMatchObject({ widget: 'number', value_type: 'int', min: 1, max: 2000, step: 1 });
    expect(field('name')).toMatchObject({ widget: 'string', maxlength: 100 });
    expect(field('is_default')).toMatchObject({ widget: 'boolean' });
    expect(field('extends')).toMatchObject({ widget: 'relation', collection: 'themes', value_field: '{{slug}}' });
    expect(field('default_group_banner')).toMatchObject({ widget: 'image', choose_url: false });
    expect(field('logo')).toMatchObject({ label: 'Logo', accept: '.png,.jpg,.jpeg,.webp,.avif,.gif,.svg' });
    for (const name of ['palette_preview', 'palette_dark'])
      expect(field(name)).toMatchObject({ widget: 'list', min: 9, max: 9 });
  });

  test('offers the lists and limits of the site, without image sets that a theme has as URLs', async () => {
    const urls = { original: 'https://images.example.org/a.png', thumbnail: 'https://images.example.org/b.png' };
    const config = await writeCms(undefined, {
      site: {
        base_url: 'https://community.example.org',
        logo_types: ['NORMAL', 'INVERSE', 'BLACK_AND_WHITE'],
        allowed_hosts: ['images.example.org'],
        limits: { picture_bytes: 123_456 },
      },
      themes: { harbor: {}, meadow: { fields: { logo_site: urls } } },
    });
    const { fields } = config.collections[0];
    expect(fields.find(({ name }) => name === 'compact_dark_mode_logo_type')?.['options']).toEqual([
      { label: 'Normal', value: 'NORMAL' },
      { label: 'Inverse', value: 'INVERSE' },
      { label: 'Black and white', value: 'BLACK_AND_WHITE' },
    ]);
    expect(fields.find(({ name }) => name === 'logo')).toMatchObject({ choose_url: true });
    expect(fields.some(({ name }) => name === 'logo_site')).toBe(false);
    expect(config).toMatchObject({ media_libraries: { default: { config: { max_file_size: 123_456 } } } });
    expect(await text('index.html')).toContain(' https://images.example.org;');
  });

  test.each([
    ['https://user:secret@github.com/example/themes.git', { name: 'github', repo: 'example/themes' }],
    ['git@gitlab.com:group/sub/themes.git', { name: 'gitlab', repo: 'group/sub/themes' }],
    [
      'https://gitlab.example.org:8443/a/b.git',
      {
        name: 'gitlab',
        repo: 'a/b',
        base_url: 'https://gitlab.example.org:8443',
        api_root: 'https://gitlab.example.org:8443/api/v4',
      },
    ],
  ])('edits the repository at %s', async (remote, backend) => {
    expect((await writeCms(remote)).backend).toEqual({ ...backend, branch: 'main', auth_methods: ['token'] });
    expect(`${await text('config.yml')}${await text('index.html')}`).not.toContain('secret');
    const api =
      backend.name === 'github'
        ? 'api.github.com'
        : new URL(remote.replace('git@gitlab.com:', 'https://gitlab.com/')).host;
    expect(await text('index.html')).toContain(`connect-src &#39;self&#39; blob: data: https://${api} `);
  });

  test('writes a page that runs only the script of the package, and never changes an existing file', async () => {
    await writeCms();
    const page = await text('index.html');
    expect([...page.matchAll(/<script[^]*?<\/script>/g)].map(String)).toEqual([
      '<script src="sveltia-cms.js"></script>',
    ]);
    expect(page).toContain('script-src &#39;self&#39;;');
    expect(await text('sveltia-cms.js')).toBe('the CMS');
    await writeFile(path.join(site.root, 'admin/config.yml'), 'mine: true\n');
    const before = await treeHashes(site.root);
    expect(await init()).toMatchObject({ code: 0, stdout: expect.stringContaining('admin/config.yml (not changed)') });
    expect(await treeHashes(site.root)).toEqual(before);
  });

  test.each(['', 'https://git.example.org/example/themes.git'])('writes nothing for the remote %j', async (remote) => {
    await makeRepository(remote);
    const before = await treeHashes(site.root);
    expect(await init()).toMatchObject({ code: 2, stderr: expect.stringMatching(/GitHub or GitLab.*`origin`/) });
    expect(await treeHashes(site.root)).toEqual(before);
  });

  test('says how to install the CMS', async () => {
    await makeRepository();
    await rm(path.join(site.root, 'node_modules'), { recursive: true });
    const stderr = expect.stringContaining('`npm install --save-dev @sveltia/cms@0.221.1`');
    expect(await init()).toMatchObject({ code: 2, stderr });
  });
});
