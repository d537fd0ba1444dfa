import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DevProcess, startDev } from '../dev-server.ts';
import { squareSvg } from '../images.ts';
import { makeSite, readTree, removeSite, type SiteFolder } from '../site-folder.ts';
import { formOf } from './post-server.ts';

const SVG = squareSvg(30, 30);
const WHITE = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><circle cx="30" cy="30" r="25" fill="#fff"/></svg>',
);
const SCRIPT = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script/></svg>');

const UNDO = '__themecast/undo';
const REDO = '__themecast/redo';

let site: SiteFolder;
let dev: DevProcess;
const file = (name: string): string => path.join(site.themesDir, name);
const yaml = (slug = 'meadow'): Promise<string> => readFile(file(`${slug}/theme.yaml`), 'utf8');

beforeAll(async () => {
  site = await makeSite({ themes: { harbor: {}, meadow: { fields: { id: 7 } } } });
  dev = await startDev(site.root);
});
afterAll(async () => {
  await dev?.stop();
  await removeSite(site);
});

async function send(action: string, form: FormData, headers: Record<string, string> = {}): Promise<[number, unknown]> {
  const response = await fetch(`${dev.url}/${action.startsWith('__') ? '' : 'themes/'}${action}`, {
    method: 'POST',
    body: form,
    headers: { 'X-Themecast-Token': dev.token, ...headers },
  });
  return [response.status, await response.json()];
}

const page = async (name: string): Promise<string> => (await fetch(`${dev.url}/${name}`)).text();

const hash = async (): Promise<string> => {
  return /data-hash="(\w+)"/.exec(await page('themes/meadow/'))?.[1] ?? '';
};

async function edit(
  texts: Readonly<Record<string, string | readonly string[]>>,
  files: Parameters<typeof formOf>[1] = {},
): Promise<[number, unknown]> {
  return send('meadow/edit', formOf({ hash: await hash(), ...texts }, files));
}

test('dark colours are filled from the light ones, edited, shown in dark mode, and removed', async () => {
  const light = Array.from({ length: 9 }, (_, at) => `hsl(${at * 40} 50% 50%)`);
  expect(await page('themes/meadow/')).toContain('The colours of light mode.');
  expect(await edit({ palette_dark: light })).toEqual([200, {}]);
  expect(await edit({ palette_dark: ['navy', ...light.slice(1)] })).toEqual([200, {}]);
  expect(await yaml()).toMatch(/palette_dark:\n\s+- navy\n/);
  const shown = await page('themes/meadow/');
  expect(shown).not.toContain('Unknown fields');
  expect(shown).toMatch(
    /id="f-d1" name="palette_dark" value="navy"[^>]*data-variable="--theme-palette-1" data-mode="dark"/,
  );
  expect(shown).toContain('white text 16.0:1');
  const css = await page('themes/meadow/theme.css');
  expect(css).toMatch(/\.screen\.dark \{[^}]*--theme-palette-1: hsl\(240,100%,25%\);/);
  expect(css).not.toMatch(/\.screen\.light \{[^}]*hsl\(240,100%,25%\)/);
  expect(await edit({ palette_dark: ['nocolour', ...light.slice(1)] })).toMatchObject([
    400,
    { palette_dark: [expect.stringContaining('nocolour')] },
  ]);
  expect(await edit({ palette_dark: '' })).toEqual([200, {}]);
  expect(await yaml()).not.toContain('palette_dark');
});

describe('a change on the page of a theme', () => {
  test('is written, shown, and undone byte for byte', async () => {
    const before = await readTree(file('meadow'));
    expect(await edit({ name: 'Wiese' })).toEqual([200, {}]);
    expect(await yaml()).toContain('name: Wiese');
    expect(await page('themes/meadow/')).toContain('<bdi>Wiese</bdi></h1>');
    expect(await edit({}, { favicon: ['my icon.svg', SVG] })).toEqual([200, {}]);
    expect(await readFile(file('meadow/favicon.svg'))).toEqual(SVG);
    for (let n = 0; n < 2; n++) expect(await send(UNDO, formOf({}))).toEqual([200, {}]);
    expect(await readTree(file('meadow'))).toEqual(before);
  });

  test('removes an image that no field refers to any more', async () => {
    const before = await readTree(file('meadow'));
    await edit({}, { logo: ['a.svg', SVG] });
    await edit({}, { favicon: ['a.svg', SVG] });
    // The other fields still refer to logo.svg.
    expect(await readdir(file('meadow'))).toEqual([
      'banner.png',
      'favicon.svg',
      'logo-2.svg',
      'logo.svg',
      'theme.yaml',
    ]);
    for (let n = 0; n < 2; n++) expect(await send(UNDO, formOf({}))).toEqual([200, {}]);
    expect(await readTree(file('meadow'))).toEqual(before);
  });

  test.each([
    ['an invalid number', { logo_height: '9999' }, {}, 'logo_height'],
    ['an invalid text', { name: 'a\0b' }, {}, 'name'],
    ['an invalid colour', { palette_from: 'reed' }, {}, 'palette_preview'],
    ['a missing file', { logo: 'none.svg' }, {}, 'logo'],
    ['an invalid image', {}, { logo: ['brochure.svg', SCRIPT] as const }, 'logo'],
  ])('is rejected with a message for its field, and nothing is written: %s', async (_, texts, files, field) => {
    const before = await readTree(site.themesDir);
    expect(await edit(texts, files)).toEqual([400, { [field]: [expect.any(String)] }]);
    expect(await readTree(site.themesDir)).toEqual(before);
  });

  test('derives nine colours from the logo or from a colour', async () => {
    expect(await edit({ palette_from: 'logo' })).toEqual([200, {}]);
    expect(await edit({ palette_from: '#0b5fff' })).toEqual([200, {}]);
    expect((await yaml()).match(/^ *- ["']?#[0-9a-f]{6}|"#[0-9a-f]{6}"/gm)).toHaveLength(9);
  });

  test('accepts a warning, and can be undone', async () => {
    const before = await readTree(file('meadow'));
    expect(await edit({}, { logo: ['white.svg', WHITE] })).toEqual([200, {}]);
    expect(await page('themes/meadow/')).toMatch(/data-accept="logo image\/faint">/);
    expect(await edit({ accepted: 'logo image/faint' })).toEqual([200, {}]);
    expect(await yaml()).toMatch(/^accept:\n {2}logo:\n {4}- image\/faint$/m);
    expect(await page('themes/meadow/')).not.toMatch(/data-accept="logo image\/faint">/);
    expect(await edit({ accepted: 'logo file/too-large' })).toMatchObject([400, { accept: [expect.any(String)] }]);
    for (let n = 0; n < 2; n++) await send(UNDO, formOf({}));
    expect(await readTree(file('meadow'))).toEqual(before);
  });

  test('is rejected if the file has changed, and so is its undo', async () => {
    const old = await hash();
    expect(await edit({ logo_height: '50' })).toEqual([200, {}]);
    expect(await send('meadow/edit', formOf({ hash: old, logo_height: '60' }))).toEqual([
      409,
      { detail: expect.stringMatching(/`logo_height` is .*50.* there, and .*60.* here/) },
    ]);
    const theirs = `${await yaml()}# theirs\n`;
    await writeFile(file('meadow/theme.yaml'), theirs);
    expect(await send(UNDO, formOf({}))).toMatchObject([409, { detail: expect.stringContaining('changed') }]);
    expect(await yaml()).toBe(theirs);
  });

  test('is not found for an unknown theme', async () => {
    expect(await send('none/edit', formOf({ name: 'X' }))).toMatchObject([404, {}]);
  });
});

describe('one logo', () => {
  // A dark blue logo on a transparent background is hardly visible on dark pages.
  const LOGO = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><circle cx="128" cy="128" r="110" fill="#10143a"/></svg>',
  );
  const pixelAt = async (png: Buffer): Promise<number[]> => {
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    const centre = ((info.height >> 1) * info.width + (info.width >> 1)) * info.channels;
    return [...data.subarray(centre, centre + 4), data[3] ?? -1];
  };

  test('shows its colours before a theme is created', async () => {
    const before = await readTree(site.themesDir);
    const [status, reply] = await send('new/colours', formOf({}, { logo: ['a.svg', LOGO] }));
    const { palette } = reply as { palette: string[] };
    expect([status, palette.length, palette[0]]).toEqual([200, 9, '#10143a']);
    expect(await send('new/colours', formOf({}, { logo: ['a.svg', SCRIPT] }))).toMatchObject([
      400,
      { logo: [expect.any(String)] },
    ]);
    const form = await page(`themes/new?palette=${encodeURIComponent(palette.join(' '))}`);
    expect(form).toMatch(/Colours of the logo<\/p><svg class="strip".*hsl\(234,57%,15%\)/);
    expect(await readTree(site.themesDir)).toEqual(before);
  });

  test('provides versions for dark pages and a plain banner, which leave no warning', async () => {
    expect(await send('new', formOf({ name: 'Night' }, { logo: ['a.svg', LOGO] }))).toMatchObject([200, {}]);
    expect(await page('themes/night/')).toContain('value="default_event_banner plain"');
    const made = async (version: string): Promise<number[]> =>
      pixelAt(Buffer.from(await (await fetch(`${dev.url}/themes/night/made/${version}`)).arrayBuffer()));
    expect(await made('dark/best')).toEqual([0xc5, 0xc9, 0xef, 255, 0]);
    expect(await made('dark/other')).toEqual([255, 255, 255, 255, 0]);
    const makeImage = async (value: string): Promise<[number, unknown]> => {
      const [, hash = ''] = /data-hash="(\w+)"/.exec(await page('themes/night/')) ?? [];
      return send('night/edit', formOf({ hash, make: value }));
    };
    expect(await makeImage('logo_inverse other')).toEqual([200, {}]);
    expect(await pixelAt(await readFile(file('night/logo-inverse.png')))).toEqual([255, 255, 255, 255, 0]);
    for (const none of ['logo_inverse worst', 'logo_inverse plain', 'default_event_banner best', 'name best'])
      expect(await makeImage(none)).toMatchObject([409, {}]);
    expect(await makeImage('all')).toEqual([200, { message: '4 placeholders filled from the logo' }]);
    expect(await yaml('night')).not.toContain('placeholder');
    expect(await pixelAt(await readFile(file('night/compact-logo-inverse.png')))).toEqual([0xc5, 0xc9, 0xef, 255, 0]);
    expect(await page('themes/night/')).not.toContain('class="todo"');
    expect(await readFile(file('night/group-banner.svg'), 'utf8')).not.toContain('placeholder');
    for (let n = 0; n < 3; n++) await send(UNDO, formOf({}));
  });

  test('that is white gets its dark version, every placeholder and a palette', async () => {
    const white = Buffer.from(LOGO.toString().replace('#10143a', '#fff'));
    expect(await send('new', formOf({ name: 'Snow' }, { logo: ['a.svg', white] }))).toMatchObject([200, {}]);
    expect(await yaml('snow')).toMatch(/^logo_inverse: logo-inverse\.svg$/m);
    // Both versions would be black.
    expect((await page('themes/snow/')).match(/value="logo (?:best|other)"/g)).toEqual(['value="logo best"']);
    const [, hash = ''] = /data-hash="(\w+)"/.exec(await page('themes/snow/')) ?? [];
    const filled = { message: '5 placeholders filled from the logo' };
    expect(await send('snow/edit', formOf({ hash, make: 'all' }))).toEqual([200, filled]);
    expect(await pixelAt(await readFile(file('snow/logo.png')))).toEqual([0, 0, 0, 255, 0]);
    expect(await yaml('snow')).not.toContain('placeholder');
    const now = await page('themes/snow/');
    expect(now).not.toContain('class="todo"');
    const [, next = ''] = /data-hash="(\w+)"/.exec(now) ?? [];
    expect(await send('snow/edit', formOf({ hash: next, palette_from: 'logo' }))).toEqual([200, {}]);
    expect((await yaml('snow')).match(/#[0-9a-f]{6}/g)).toHaveLength(9);
    for (let n = 0; n < 3; n++) await send(UNDO, formOf({}));
  });

  test('that is wide fills no place where a warning would follow', async () => {
    const wide = Buffer.from(
      LOGO.toString().replace('width="256"', 'width="1600" viewBox="0 0 256 41" preserveAspectRatio="none"'),
    );
    expect(await send('new', formOf({ name: 'Wide' }, { logo: ['a.svg', wide] }))).toMatchObject([200, {}]);
    const [, hash = ''] = /data-hash="(\w+)"/.exec(await page('themes/wide/')) ?? [];
    expect(await send('wide/edit', formOf({ hash, make: 'all' }))).toEqual([
      200,
      { message: '4 placeholders filled from the logo' },
    ]);
    expect(await yaml('wide')).toContain('compact_logo_inverse: compact-logo-inverse.svg');
    expect(await page('themes/wide/')).not.toContain('Fill them');
    for (let n = 0; n < 2; n++) await send(UNDO, formOf({}));
  });
});

test('an unknown field is deleted at the click of a button', async () => {
  const before = await yaml();
  await writeFile(file('meadow/theme.yaml'), `${before}lgoo: a.svg # why\n`);
  await expect.poll(() => page('themes/meadow/')).toContain('Delete this field<span class="unseen">: lgoo');
  expect(await edit({ lgoo: '' })).toEqual([200, {}]);
  expect(await yaml()).toBe(before);
});

describe('themes', () => {
  test('are created as by `themecast new`', async () => {
    expect(await send('new', formOf({ name: 'Blue Dune', colour: 'teal' }))).toEqual([
      200,
      { location: '/themes/blue-dune/' },
    ]);
    expect(await yaml('blue-dune')).toContain('id: 8\nname: Blue Dune\n');
    expect((await page('themes/blue-dune/')).match(/A placeholder: replace it\./g)).toHaveLength(9);
    expect(await readdir(file('blue-dune'))).toContain('logo-inverse.svg');
    const before = await readTree(site.themesDir);
    for (const form of [
      formOf({ name: 'Reed' }, { logo: ['a.svg', SCRIPT] }),
      formOf({ name: 'Reed', extends: 'none' }),
      formOf({ name: `Reed ${'x'.repeat(100)}`, slug: 'reed' }),
    ])
      expect(await send('new', form)).toMatchObject([400, {}]);
    expect(await readTree(site.themesDir)).toEqual(before);
  });

  test('are deleted unless they are needed, which can be undone and done again', async () => {
    expect(await send('new', formOf({ name: 'Heath' }))).toEqual([200, { location: '/themes/heath/' }]);
    const created = await readTree(file('heath'));
    expect(await send('heath/delete', formOf({}))).toEqual([200, { location: '/' }]);
    expect(await readdir(site.themesDir)).not.toContain('heath');
    expect(await page('')).toContain('>: delete theme heath<');
    expect(await send(UNDO, formOf({}))).toEqual([200, {}]);
    expect(await readTree(file('heath'))).toEqual(created);
    // A further undo removes the new theme, and redo restores it with its images.
    expect(await send(UNDO, formOf({ page: '/themes/heath/' }))).toEqual([200, { location: '/' }]);
    expect(await readdir(site.themesDir)).not.toContain('heath');
    expect(await page('')).toContain('>: new theme heath<');
    expect(await send(REDO, formOf({}))).toEqual([200, {}]);
    expect(await readTree(file('heath'))).toEqual(created);
    expect(await send(REDO, formOf({}))).toEqual([200, {}]);
    expect(await readdir(site.themesDir)).not.toContain('heath');
    expect(await send(REDO, formOf({}))).toMatchObject([409, { detail: expect.stringContaining('nothing to redo') }]);
    expect(await send('harbor/delete', formOf({}))).toEqual([
      409,
      { detail: expect.stringContaining('it is the default theme') },
    ]);
  });

  test('become the default in place of another theme in one undo step', async () => {
    const before = await readTree(site.themesDir);
    expect(await send('meadow/default', formOf({}))).toEqual([200, {}]);
    expect(await yaml()).toMatch(/^is_default: true$/m);
    expect(await yaml('harbor')).not.toMatch(/^is_default/m);
    expect(await send(UNDO, formOf({}))).toEqual([200, {}]);
    expect(await readTree(site.themesDir)).toEqual(before);
  });
});

test('themes changed since the last commit have a badge', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Editor', '-c', 'user.email=editor@example.org', ...args], { cwd: site.root });
  git('init', '--quiet');
  git('add', 'themes');
  git('commit', '--quiet', '--message', 'Themes');
  expect(await page('')).not.toContain('changed</a>');
  expect(await edit({ name: 'Heath' })).toEqual([200, {}]);
  await send('new', formOf({ name: 'Dune' }));
  expect(await page('')).toContain('>2 themes changed</a>');
  const gallery = await page('?only=changed');
  expect(gallery.match(/aria-labelledby="theme-[a-z-]+"/g)).toEqual([
    'aria-labelledby="theme-meadow"',
    'aria-labelledby="theme-dune"',
  ]);
});
