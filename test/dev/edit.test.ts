import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PLACEHOLDER_MARK } from '../../src/image/placeholder.ts';
import { type DevProcess, startDev } from '../dev-server.ts';
import { squareSvg } from '../images.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';

const YAML = `\ufeff# Ask before you change anything.
id: 2   # never change it
name:   "Meadow"

logo: logo.svg # drawn by hand
logo_inverse: 'logo.svg'
compact_logo: logo.svg
compact_logo_inverse: logo.svg
favicon: favicon.png
logo_site: logo.svg
default_group_banner: banner.png
default_event_banner: banner.png
default_user_profile_banner: banner.png
palette_preview:
  - navy
  # the main colour
  - "#0b5fff"   # blue
  - hsl( 10 20% 30% )
  - red
  - green
  - blue
  - teal
  - olive
  - white
logo_height: 40
`;
const SVG = squareSvg(30, 30);
const SCRIPT = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script/></svg>');

let site: SiteFolder;
let dev: DevProcess;
const file = (name: string): string => path.join(site.themesDir, 'meadow', name);
const yaml = (): Promise<string> => readFile(file('theme.yaml'), 'utf8');
let names: string[];

beforeAll(async () => {
  site = await makeSite({ themes: { harbor: {}, meadow: {} } });
  await writeFile(file('theme.yaml'), YAML);
  dev = await startDev(site.root);
  names = await readdir(file(''));
});
afterEach(async () => {
  for (const name of await readdir(file(''))) if (!names.includes(name)) await rm(file(name));
  await writeFile(file('theme.yaml'), YAML);
});
afterAll(async () => {
  await dev?.stop();
  await removeSite(site);
});

/** The form as a browser reads it: the names and values of its inputs. */
async function readForm(slug = 'meadow'): Promise<FormData> {
  const page = await (await fetch(`${dev.url}/themes/${slug}/edit`)).text();
  const text = (html: string) => html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const form = new FormData();
  for (const [input, type = ''] of page.matchAll(/<input type="(\w+)"[^>]*>/g)) {
    const [, name = ''] = / name="([^"]*)"/.exec(input) ?? [];
    const [, value = ''] = / value="([^"]*)"/.exec(input) ?? [];
    if (type === 'file') form.append(name, new Blob([]), '');
    else if (type !== 'checkbox' || input.includes(' checked')) form.append(name, text(value));
  }
  for (const [, name = '', options = ''] of page.matchAll(/<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs))
    form.append(name, /<option value="([^"]*)" selected>/.exec(options)?.[1] ?? '');
  return form;
}

const save = (form: FormData, headers: Record<string, string> = {}, slug = 'meadow') =>
  fetch(`${dev.url}/themes/${slug}/edit`, { method: 'POST', body: form, headers, redirect: 'manual' });

/** Shows the form, changes some inputs, and saves it. */
async function edit(changes: Readonly<Record<string, string | readonly string[] | Blob>>): Promise<Response> {
  const form = await readForm();
  for (const [name, value] of Object.entries(changes)) {
    form.delete(name);
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [value as string | Blob])
      if (typeof one === 'string') form.append(name, one);
      else form.append(name, one, '../../evil name.svg');
  }
  return save(form);
}

async function expectSaved(response: Response): Promise<void> {
  expect([response.status, await response.text()]).toEqual([303, '']);
  expect(response.headers.get('Location')).toBe('/themes/meadow/');
}

/** Expects the response, and that no file has changed. */
async function expectRejected(response: Response, status: number, body: unknown): Promise<void> {
  expect([response.status, await response.json()]).toEqual([status, body]);
  expect(await yaml()).toBe(YAML);
  expect(await readdir(file(''))).toEqual(names);
}

describe('the form that edits a theme', () => {
  test('writes nothing if nothing was changed', async () => {
    await expectSaved(await save(await readForm()));
    expect(await yaml()).toBe(YAML);
  });

  test('changes one value and no other byte', async () => {
    await expectSaved(await edit({ name: 'Wiese: groß' }));
    expect(await yaml()).toBe(YAML.replace('   "Meadow"', ' "Wiese: groß"'));
    expect(await (await fetch(`${dev.url}/themes/meadow/`)).text()).toContain('<bdi>Wiese: groß</bdi></h1>');
  });

  test('changes one colour and no other', async () => {
    const form = await readForm();
    const colours = form.getAll('palette_preview').map(String);
    expect(colours.slice(0, 3)).toEqual(['navy', '#0b5fff', 'hsl( 10 20% 30% )']);
    await expectSaved(await edit({ palette_preview: colours.with(1, 'oklch(60% 0.2 260)') }));
    expect(await yaml()).toBe(YAML.replace('"#0b5fff"', '"oklch(60% 0.2 260)"'));
  });

  test('removes and inserts fields in their places', async () => {
    await expectSaved(await edit({ logo_height: '', dark_mode_logo_type: 'NORMAL', compact_logo_size: '64' }));
    expect(await yaml()).toBe(
      YAML.replace('logo_height: 40\n', 'compact_logo_size: 64\n').replace(
        'logo_site: logo.svg\n',
        'logo_site: logo.svg\ndark_mode_logo_type: NORMAL\n',
      ),
    );
  });

  test('replaces an image by a new file beside it, named by its field', async () => {
    await expectSaved(await edit({ logo_upload: new Blob([SVG]), logo_site_upload: new Blob([SVG]) }));
    expect(await yaml()).toBe(
      YAML.replace('logo: logo.svg #', 'logo: logo-2.svg #').replace('logo_site: logo.svg', 'logo_site: logo-site.svg'),
    );
    expect(await readFile(file('logo-2.svg'))).toEqual(SVG);
    expect(await readFile(file('logo-site.svg'))).toEqual(SVG);
  });

  test('replaces a placeholder by the image that takes its place, unless the image is rejected or another field names it', async () => {
    const drawn = Buffer.from(SVG.toString().replace('<svg', `${PLACEHOLDER_MARK}<svg`));
    await writeFile(file('favicon.svg'), drawn);
    await writeFile(file('shared.svg'), drawn);
    const before = YAML.replace('favicon.png', 'favicon.svg # placeholder')
      .replace('logo_site: logo.svg', 'logo_site: shared.svg # placeholder')
      .replace("'logo.svg'", './shared.svg');
    await writeFile(file('theme.yaml'), before);
    const rejected = await edit({ favicon_upload: new Blob([SVG]), logo_site_upload: new Blob([SCRIPT]) });
    expect([rejected.status, await yaml(), await readFile(file('favicon.svg'))]).toEqual([400, before, drawn]);

    await expectSaved(await edit({ favicon_upload: new Blob([SVG]), logo_site_upload: new Blob([SVG]) }));
    expect(await yaml()).toBe(
      before.replaceAll(' # placeholder', '').replace('logo_site: shared.svg', 'logo_site: logo-site.svg'),
    );
    expect(await readFile(file('favicon.svg'))).toEqual(SVG);
    expect(await readFile(file('shared.svg'))).toEqual(drawn);
  });

  test.each([
    ['name', { name: '' }, 400, { name: [expect.stringMatching(/^The field `name` is missing/) as string] }],
    [
      'logo_height',
      { logo_height: 'tall' },
      400,
      { logo_height: [expect.stringMatching(/must be a whole number/) as string] },
    ],
    ['id', { id: '1' }, 400, expect.objectContaining({}) as object],
    ['logo', { logo: 'nothing.svg' }, 400, { logo: [expect.stringMatching(/^There is no file/) as string] }],
    ['logo', { logo: '../harbor/logo.svg' }, 400, { logo: [expect.any(String) as string] }],
    ['is_default', { is_default: 'true' }, 400, expect.objectContaining({}) as object],
    ['extends', { extends: 'meadow' }, 400, expect.objectContaining({}) as object],
    [
      'palette_preview',
      { palette_preview: ['navy', 'nocolour', 'a', 'red', 'red', 'red', 'red', 'red', 'red'] },
      400,
      { palette_preview: [expect.stringMatching(/nocolour/) as string, expect.stringMatching(/`a`/) as string] },
    ],
  ])('rejects %s: %j', async (_, changes, status, body) => {
    await expectRejected(await edit(changes), status, body);
  });

  test('rejects an image that a build rejects, and leaves no file behind', async () => {
    await expectRejected(await edit({ name: 'X', logo_upload: new Blob([SCRIPT]) }), 400, {
      logo: [expect.stringContaining('The element `<script>` is not allowed') as string],
    });
    await expectRejected(await edit({ logo_upload: new Blob(['text']) }), 400, {
      logo: [expect.any(String) as string, ...([] as string[])],
    });
  });

  test('rejects the form if the file has changed since it was shown', async () => {
    const form = await readForm();
    form.set('name', 'Mine');
    const theirs = YAML.replace('Meadow', 'Theirs');
    await writeFile(file('theme.yaml'), theirs);
    const response = await save(form);
    expect([response.status, await response.json()]).toEqual([
      409,
      { detail: expect.stringContaining('has changed since this form was shown') as string },
    ]);
    expect(await yaml()).toBe(theirs);
    const page = await (await save(form, { Accept: 'text/html' })).text();
    expect(page).toContain('has changed since this form was shown');
    expect(page).toContain('value="Mine"');
  });

  test('shows what was typed, with the errors beside it', async () => {
    const form = await readForm();
    form.set('name', '"><script>');
    form.set('logo_height', 'tall');
    const response = await save(form, { Accept: 'text/html' });
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain('value="&#34;&#62;&#60;script&#62;"');
    expect(page).toMatch(/name="logo_height" aria-describedby="post-logo_height-error[^>]* aria-invalid="true"/);
    expect(page).toContain(' data-given');
    expect(await yaml()).toBe(YAML);
  });

  test('needs the token, and a page of this server', async () => {
    const form = await readForm();
    form.set('name', 'X');
    expect((await save(form, { Origin: 'https://app.example.org' })).status).toBe(403);
    expect((await save(form, { 'Sec-Fetch-Site': 'same-site' })).status).toBe(403);
    form.set('token', 'x');
    expect((await save(form)).status).toBe(403);
    form.delete('token');
    expect((await save(form)).status).toBe(403);
    expect(await yaml()).toBe(YAML);
  });

  test('is there for themes only', async () => {
    for (const slug of ['nothing', '..%2fharbor', '%2e%2e'])
      expect((await fetch(`${dev.url}/themes/${slug}/edit`)).status).toBe(404);
    expect((await save(await readForm(), {}, 'nothing')).status).toBe(404);
  });

  test('completes a theme step by step, whatever it still lacks', async () => {
    const incomplete = 'id: 2\nname: Meadow\nlogo: gone.svg\npalette_preview: [a]\n';
    await writeFile(file('theme.yaml'), incomplete);
    await until('<span class="badge warn">last good version</span>');
    await expectSaved(await edit({ logo: 'logo.svg' }));
    expect(await yaml()).toBe(incomplete.replace('gone', 'logo'));
    await expectSaved(await edit({ extends: 'harbor', palette_preview: '' }));
    expect(await yaml()).toBe('extends: harbor\nid: 2\nname: Meadow\nlogo: logo.svg\n');
    expect(await (await fetch(`${dev.url}/themes/meadow/`)).text()).not.toContain('last good version');
  });

  test('is not offered for YAML that cannot be read', async () => {
    await writeFile(file('theme.yaml'), 'name: [\n');
    await until('last good version');
    const response = await fetch(`${dev.url}/themes/meadow/edit`);
    expect(response.status).toBe(409);
    expect((await response.text()).replace(/<[^>]*>/g, '')).toContain('fix the errors of its YAML first');
    await writeFile(file('theme.yaml'), '{id: 2, name: Meadow, extends: harbor}\n');
    const form = await readForm();
    form.set('name', 'X');
    const refused = await save(form);
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { detail: expect.stringContaining('cannot be made in `meadow/theme.yaml` without rewriting it') as string },
    ]);
  });
});

/** Waits until the page of the theme has a text. */
async function until(text: string): Promise<void> {
  await expect.poll(async () => (await fetch(`${dev.url}/themes/meadow/`)).text()).toContain(text);
}
