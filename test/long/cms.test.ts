import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { MARK } from '../../src/cms/page.ts';
import { themeSchema } from '../../src/theme/schema.ts';
import { makeRepository } from '../cms-repository.ts';
import { run, type Run } from '../command-line.ts';
import { readTree, removeSite, type SiteFolder, type SiteParts, treeHashes } from '../site-folder.ts';

const PACKAGE = path.join(import.meta.dirname, 'node_modules/@sveltia/cms');

interface Field extends Record<string, unknown> {
  name: string;
  widget: string;
  required: boolean;
  hint: string;
}
interface Config {
  backend: Record<string, unknown>;
  media_folder: string;
  collections: [{ folder: string; path: string; slug: { pattern: [string, string] }; fields: Field[] }];
}

let site: SiteFolder;
afterEach(() => removeSite(site));

const cms = (...args: string[]): Promise<Run> => run(['cms', ...args], { cwd: site.root });
const admin = (file: string): string => path.join(site.root, 'admin', file);
const text = (file: string): Promise<string> => readFile(admin(file), 'utf8');
const config = async (): Promise<Config> => parse(await text('config.yml')) as Config;

async function writeCms(remote?: string, parts?: SiteParts, ...args: string[]): Promise<Config> {
  site = await makeRepository(remote, parts);
  const { code, stderr } = await cms(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const result = await config();
  expect(await configProblems(result)).toEqual([]);
  return result;
}

let validator: ValidateFunction | undefined;

/** Validates a configuration with the CMS's own schema. */
async function configProblems(value: unknown): Promise<unknown> {
  const schema = await readFile(path.join(PACKAGE, 'schema/sveltia-cms.json'), 'utf8');
  validator ??= new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
    JSON.parse(schema) as object,
  );
  validator(value);
  return validator.errors ?? [];
}

describe('the form', () => {
  test('has every field of theme.yaml in its order, as in the schema', async () => {
    const { collections, media_folder } = await writeCms();
    const [{ folder, path: file, fields }] = collections;
    expect({ folder, file, media_folder }).toEqual({
      folder: 'themes',
      file: '{{slug}}/theme',
      media_folder: 'themes',
    });
    const order = new Set(['name', 'id', 'extends', ...Object.keys(themeSchema.shape)]);
    expect([...fields.map(({ name }) => name), 'palette_dark', 'accept']).toEqual([...order]);
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(['name', 'id']);
    expect(fields.filter(({ hint }) => hint === '')).toEqual([]);
    expect(fields.flatMap(({ name, default: offered }) => (offered === undefined ? [] : [[name, offered]]))).toEqual([
      ['id', 2],
    ]);
    const field = (name: string): Field | undefined => fields.find((candidate) => candidate.name === name);
    expect(field('logo_height')).toMatchObject({ widget: 'number', value_type: 'int', min: 1, max: 2000, step: 1 });
    expect(field('name')).toMatchObject({ widget: 'string', maxlength: 100 });
    expect(field('is_default')).toMatchObject({ widget: 'boolean' });
    expect(field('extends')).toMatchObject({ widget: 'relation', collection: 'themes', value_field: '{{slug}}' });
    expect(field('favicon')).toMatchObject({ widget: 'image', accept: expect.stringContaining('.ico') });
    expect(field('default_group_banner')).toMatchObject({ widget: 'image', choose_url: false });
    expect(field('logo')?.['accept']).toBe('.png,.jpg,.jpeg,.webp,.avif,.gif,.svg');
    expect(field('palette_preview')).toMatchObject({ widget: 'list', min: 9, max: 9 });
  });

  test('has the lists and limits of the site', async () => {
    const result = await writeCms(undefined, {
      site: {
        base_url: 'https://community.example.org',
        logo_types: ['NORMAL', 'INVERSE', 'MONO'],
        logo_alignments: ['start', 'left'],
        allowed_hosts: ['images.example.org'],
        limits: { picture_bytes: 123_456 },
      },
    });
    const { fields } = result.collections[0];
    const options = (name: string) => fields.find((field) => field.name === name)?.['options'];
    expect(options('compact_dark_mode_logo_type')).toEqual(['NORMAL', 'INVERSE', 'MONO']);
    expect(options('logo_alignment')).toEqual(['start', 'left']);
    expect(fields.find(({ name }) => name === 'logo')).toMatchObject({ choose_url: true });
    expect(result).toMatchObject({ media_libraries: { default: { config: { max_file_size: 123_456 } } } });
    expect(await text('index.html')).toContain(' https://images.example.org;');
  });

  test('accepts the colours that themes use, and no other text', async () => {
    const { fields } = (await writeCms()).collections[0];
    const { field } = fields.find(({ name }) => name === 'palette_preview') as {
      field?: { pattern: [string, string] };
    };
    const pattern = new RegExp(field?.pattern[0] ?? '');
    for (const colour of [
      '#0b3954',
      '#fff',
      'navy',
      'hsl(195,53%,79%)',
      'oklch(0.7 0.12 200)',
      'color(display-p3 1 0 0)',
    ])
      expect(colour).toMatch(pattern);
    for (const text of ['', '#12', '0b3954', 'rgb(', '#0b3954;', 'light blue']) expect(text).not.toMatch(pattern);
  });

  test('omits an image set that consists of URLs in a theme, because the CMS would drop it', async () => {
    const urls = { original: 'https://images.example.org/a.png', thumbnail: 'https://images.example.org/b.png' };
    const { fields } = (
      await writeCms(undefined, {
        site: { base_url: 'https://community.example.org', allowed_hosts: ['images.example.org'] },
        themes: { harbor: {}, meadow: { fields: { logo_site: urls } } },
      })
    ).collections[0];
    expect(Object.keys(themeSchema.shape).filter((name) => !fields.some((field) => field.name === name))).toEqual([
      'logo_site',
      'palette_dark',
      'accept',
    ]);
  });
});

describe('the back end', () => {
  test('is GitHub with a token for a remote at GitHub', async () => {
    const { backend } = await writeCms('https://user:secret@github.com/example/themes.git');
    expect(backend).toEqual({ name: 'github', repo: 'example/themes', branch: 'main', auth_methods: ['token'] });
    expect((await Promise.all(['config.yml', 'README.md', 'index.html'].map(text))).join('')).not.toContain('secret');
    expect(await text('index.html')).toContain('connect-src &#39;self&#39; blob: data: https://api.github.com;');
  });

  test.each<[string, string[], Record<string, unknown>]>([
    [
      'git@github.com:example/themes.git',
      ['--oauth', 'https://auth.example.org', '--branch', 'release'],
      { name: 'github', repo: 'example/themes', branch: 'release', base_url: 'https://auth.example.org' },
    ],
    [
      'git@gitlab.com:group/sub/themes.git',
      [],
      { name: 'gitlab', repo: 'group/sub/themes', branch: 'main', auth_methods: ['token'] },
    ],
    [
      'https://gitlab.example.org:8443/a/b.git',
      ['--oauth', '0123456789abcdef'],
      {
        name: 'gitlab',
        repo: 'a/b',
        branch: 'main',
        base_url: 'https://gitlab.example.org:8443',
        api_root: 'https://gitlab.example.org:8443/api/v4',
        auth_type: 'pkce',
        app_id: '0123456789abcdef',
      },
    ],
  ])('is configured for the remote %s with %j', async (remote, flags, backend) => {
    expect((await writeCms(remote, {}, ...flags)).backend).toEqual(backend);
  });

  test.each(['', 'https://git.example.org/example/themes.git', '/srv/git/themes.git'])(
    'exits with 2 and lists the supported remotes for %j',
    async (remote) => {
      site = await makeRepository(remote);
      const { code, stderr } = await cms();
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^themecast: The CMS edits a repository on GitHub or GitLab, .*`origin`.*\.\n$/),
      });
      expect(await readTree(admin(''))).toEqual(new Map());
    },
  );

  test.each([
    ['git@github.com:example/themes.git', 'Ov23li', /--oauth must be the URL of an OAuth client for GitHub/],
    [
      'git@gitlab.com:example/themes.git',
      'https://auth.example.org',
      /--oauth must be the id of an application at GitLab/,
    ],
  ])('exits with 2 for %s with --oauth %s', async (remote, oauth, message) => {
    site = await makeRepository(remote);
    expect(await cms('--oauth', oauth)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });
});

describe('the folder', () => {
  test('contains the page without inline scripts, the CMS without source maps, and its licence', async () => {
    site = await makeRepository();
    const { code, stdout, stderr } = await cms();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const tree = await readTree(admin(''));
    const bytes = [...tree.values()].reduce((sum, { length }) => sum + length, 0);
    expect(stdout).toMatch(new RegExp(`^✔ admin/ written: ${tree.size} files, ${(bytes / 1e6).toFixed(1)} MB,`));
    expect(stdout).toContain('example/themes on github.com; every change is a pull request into main\n');
    expect(stdout).toMatch(/\n\nNext: `npx http-server admin -a 127\.0\.0\.1 -p 8090 -c-1`, open .*\n$/);
    const names = [...tree.keys()];
    expect(names.filter((name) => !name.startsWith('sveltia-cms/'))).toEqual([
      'README.md',
      'config.yml',
      'index.html',
      'start.js',
    ]);
    expect(names.filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(await text('sveltia-cms/LICENSE.txt')).toBe(await readFile(path.join(PACKAGE, 'LICENSE.txt'), 'utf8'));
    const page = await text('index.html');
    expect([...page.matchAll(/<script[^]*?<\/script>/g)].map(String)).toEqual([
      '<script type="module" src="start.js"></script>',
    ]);
    expect(page).toContain('<meta name="robots" content="noindex">');
    expect(page).toContain('script-src &#39;self&#39;;');
    for (const name of ['README.md', 'config.yml', 'index.html', 'start.js']) expect(await text(name)).toContain(MARK);
  });

  test('is updated: foreign files stay, and the files of the CMS are replaced', async () => {
    await writeCms();
    const first = await treeHashes(admin(''));
    await writeFile(admin('notes.txt'), 'mine');
    await writeFile(admin('sveltia-cms/npm/old.js'), 'theirs');
    await writeFile(admin('sveltia-cms/npm/index.js'), 'half');
    expect(await cms('--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    const { 'notes.txt': notes, ...files } = await treeHashes(admin(''));
    expect(files).toEqual(first);
    expect(notes).toBeDefined();
  });

  test('preserves files that were edited or are symbolic links, and writes nothing', async () => {
    await writeCms();
    await writeFile(admin('config.yml'), (await text('config.yml')).replace(`# ${MARK}\n`, ''));
    await rm(admin('start.js'));
    const before = await treeHashes(admin(''));
    expect(await cms()).toEqual({
      code: 2,
      stdout: '',
      stderr: `themecast: admin/config.yml is a foreign file: it lacks the line "${MARK}". Nothing was written. Move it away, or choose another folder: \`--admin DIR\`.\n`,
    });
    expect(await treeHashes(admin(''))).toEqual(before);

    await rm(admin('config.yml'));
    const elsewhere = path.join(site.root, 'elsewhere.yml');
    await symlink(elsewhere, admin('config.yml'));
    expect(await cms()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('admin/config.yml is not a regular file'),
    });
    expect((await readTree(site.root)).has('elsewhere.yml')).toBe(false);
  });

  test.each([
    ['themes/admin', /^themecast: themes\/admin is inside the themes folder/],
    ['themes/site.yaml/admin', /^themecast: themes\/site\.yaml\/admin is inside the themes folder/],
    ['file/admin', /^themecast: file\/admin cannot be written: not a directory\.\n$/],
  ])('exits with 2 for --admin %s', async (folder, message) => {
    site = await makeRepository(undefined, { files: { file: '' } });
    expect(await cms('--admin', folder)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });
});

describe('requirements', () => {
  const install = '`npm install --save-dev @sveltia/cms@0.221.1`';

  test.each([
    ['no files', {}],
    [
      'a build without translations to load',
      { 'npm/index.js': 'export {}', 'locales/de.json': '{}', 'LICENSE.txt': '' },
    ],
  ])('exits with 2 for another version of the package, with %s', async (_, files) => {
    site = await makeRepository();
    await rm(path.join(site.root, 'node_modules'));
    const manifest = { name: '@sveltia/cms', version: '9.0.0', exports: { '.': './npm/index.js' } };
    const contents = { 'npm/index.js': undefined, ...files, 'package.json': JSON.stringify(manifest) };
    for (const [file, content] of Object.entries(contents)) {
      const target = path.join(site.root, 'node_modules/@sveltia/cms', file);
      await mkdir(path.dirname(target), { recursive: true });
      if (content !== undefined) await writeFile(target, content);
    }
    const { code, stderr } = await cms();
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(install) });
  });

  test('exits with 1 for an error in site.yaml, but not for an error in a theme, which can be fixed in the CMS', async () => {
    site = await makeRepository(undefined, { themes: { harbor: { fields: { logo_height: 'tall' } } } });
    expect(await cms()).toMatchObject({ code: 0 });
    await writeFile(path.join(site.themesDir, 'site.yaml'), 'base_url: https://x.example.org\nlogo_types: []\n');
    const { code, stdout } = await cms();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^themes\/site\.yaml:2:\d+ {2}error {2}/);
    expect(stdout).not.toContain('theme.yaml');
    expect(await cms('--themes', 'nowhere')).toMatchObject({ code: 1, stdout: expect.stringContaining('nowhere') });
  });
});
