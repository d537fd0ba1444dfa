import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { check } from '../../src/compiler/build.ts';
import { makeSite, readTree, removeSite, type SiteFolder } from '../site-folder.ts';
import { PALETTE } from '../theme-yaml.js';
import { RECORD_FIELDS } from '../../src/core/theme/fields/fields.ts';
import type { DevServer } from '../../src/commands/dev/server.ts';
import { formOf, post, serve } from './post-server.ts';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8z"/></svg>');
const SCRIPT = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">\n<script>alert(1)</script></svg>',
);
/** The parent of a new theme, from which it inherits everything but its name. */
const INHERITED = { extends: 'harbor' };

let site: SiteFolder;
let server: DevServer;

const open = async (): Promise<void> => {
  site = await makeSite({ themes: { harbor: {}, meadow: { fields: { id: 7 } } } });
  server = await serve(site);
};
const close = async (): Promise<void> => {
  await server.close();
  await removeSite(site);
};

const file = (name: string): Promise<string> => readFile(path.join(site.themesDir, name), 'utf8');
const folders = (): Promise<string[]> => readdir(site.themesDir);

/** Checks that a request is rejected with this response, and that no file is written. */
async function expectRejected(
  body: Parameters<typeof post>[1],
  headers: Record<string, string>,
  status: number,
  expected: unknown,
): Promise<void> {
  const before = await readTree(site.themesDir);
  const build = server.session.build;
  const response = await post(server, body, headers);
  expect(response).toMatchObject({ status, json: expected });
  expect([...(await readTree(site.themesDir)).keys()]).toEqual([...before.keys()]);
  expect(await folders()).toEqual(['harbor', 'meadow', 'site.yaml']);
  expect(server.session.build).toBe(build);
}

describe('creates a theme', () => {
  beforeEach(open);
  afterEach(close);

  test('from JSON, with the next free id', async () => {
    const response = await post(server, { ...INHERITED, name: 'Café du Port', logo_height: 48, is_default: false });
    expect(response.status).toBe(201);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      allow: 'GET, POST, HEAD, OPTIONS',
      vary: 'Accept',
      location: '/themes/cafe-du-port/',
      'cache-control': 'no-store',
    });
    const record = response.json as Record<string, unknown>;
    expect(Object.keys(record)).toEqual(RECORD_FIELDS);
    expect(record).toMatchObject({ id: 8, name: 'Café du Port', logo_height: 48, palette_preview: PALETTE.published });
    expect(await file('cafe-du-port/theme.yaml')).toBe(
      '# yaml-language-server: $schema=../theme.schema.json\nextends: harbor\nid: 8\nname: Café du Port\nlogo_height: 48\nis_default: false\n',
    );
    expect(await check(site)).toMatchObject({ diagnostics: [] });
    expect(server.session.goodBuild?.slugs).toContain('cafe-du-port');
  });

  test('even if another theme has errors, with the next free id', async () => {
    await writeFile(path.join(site.themesDir, 'meadow/theme.yaml'), 'id: 41\nname: [\n');
    const response = await post(server, { ...INHERITED, name: 'Wood' });
    expect(response).toMatchObject({ status: 201, json: { id: 42, name: 'Wood' } });
    expect(server.session.problems).toMatchObject({ ok: false });
    await writeFile(path.join(site.themesDir, 'meadow/theme.yaml'), 'id: 41\nextends: nowhere\n');
    expect(await post(server, { ...INHERITED, name: 'Moss' })).toMatchObject({ status: 201, json: { id: 43 } });
  });

  test('with any names of uploaded files', async () => {
    for (const name of ['../../../x.png', '.htaccess']) {
      const response = await post(server, formOf({ ...INHERITED, name: 'Wood' }, { logo: [name, SVG] }));
      expect(response.status).toBe(201);
      expect((await readdir(path.join(site.themesDir, 'wood'))).toSorted()).toEqual(['logo.svg', 'theme.yaml']);
      await rm(path.join(site.themesDir, 'wood'), { recursive: true });
    }
  });

  test('unless the theme that it extends has errors', async () => {
    await writeFile(path.join(site.themesDir, 'meadow/theme.yaml'), 'id: 41\nname: [\n');
    const response = await post(server, { extends: 'meadow', name: 'Wood' });
    expect(response).toMatchObject({
      status: 400,
      json: { extends: ['The theme `meadow`, or one that it extends, has errors. Fix them first.'] },
    });
  });

  test('once, for two concurrent requests', async () => {
    const both = await Promise.all([1, 2].map(() => post(server, { ...INHERITED, name: 'Wood' })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    const many = await Promise.all(['A', 'B', 'C'].map((name) => post(server, { ...INHERITED, name })));
    expect(new Set(many.map(({ json }) => (json as { id: number }).id))).toEqual(new Set([9, 10, 11]));
  });
});

describe('rejects, and leaves no files behind for', () => {
  // Rejected requests change nothing, so a single server is enough.
  beforeAll(open);
  afterAll(close);

  const required = ['This field is required.'];

  test('missing fields', async () => {
    await expectRejected({}, {}, 400, {
      name: required,
      favicon: required,
      logo: required,
      logo_inverse: required,
      compact_logo: required,
      compact_logo_inverse: required,
      logo_site: required,
      default_group_banner: required,
      default_event_banner: required,
      default_user_profile_banner: required,
      palette_preview: required,
    });
    await expectRejected(INHERITED, {}, 400, { name: required });
  });

  test.each<[string, object, object]>([
    [
      'a range',
      { logo_height: 0, compact_logo_size: 9999 },
      {
        logo_height: [expect.stringMatching(/^The field “Logo height” .* at least 1/)],
        compact_logo_size: [expect.stringContaining('at most 2000')],
      },
    ],
    [
      'a property of Object.prototype',
      JSON.parse('{"__proto__":{"a":1},"constructor":1}'),
      { constructor: [expect.stringContaining('Unknown field')] },
    ],
    [
      'a path',
      { logo: '../harbor/logo.svg' },
      { logo: expect.arrayContaining([expect.stringContaining('Send the image itself')]) as string[] },
    ],
    [
      'a second default',
      { is_default: true },
      { is_default: [expect.stringMatching(/^`is_default: true` is already set in .*harbor\/theme\.yaml:\d+`\./)] },
    ],
  ])('%s', async (_, fields, errors) => {
    await expectRejected({ ...INHERITED, name: 'Wood', slug: 'wood', ...fields }, {}, 400, errors);
  });

  test.each(['../x', 'index', 7])('the folder name %j', async (slug) => {
    await expectRejected({ ...INHERITED, name: 'Wood', slug }, {}, 400, { slug: [expect.any(String)] });
  });

  test('a name that no folder name can be derived from', async () => {
    await expectRejected({ ...INHERITED, name: '東京' }, {}, 400, { slug: [expect.stringContaining('Send one')] });
  });

  test.each<[string, Record<string, [string, Buffer]>, object]>([
    ['with a script', { logo: ['logo.svg', SCRIPT] }, { logo: [expect.stringMatching(/^logo\.svg, line 2: /)] }],
    ['for a text field', { is_default: ['a.svg', SVG] }, { is_default: ['This field does not accept an image.'] }],
    [
      'for a field that does not exist',
      { '../../x': ['a.svg', SVG] },
      { '../../x': ['This field does not accept an image.'] },
    ],
  ])('an image %s', async (_, images, errors) => {
    await expectRejected(formOf({ ...INHERITED, slug: 'wood', name: 'Wood' }, images), {}, 400, errors);
  });

  test('values that are in use', async () => {
    await expectRejected({ ...INHERITED, name: 'Harbor' }, {}, 409, {
      slug: ['The folder `harbor` already exists. Give the theme another name, or send another `slug`.'],
    });
    // The id may belong to a theme before or after it in the order of folders.
    for (const name of ['Wood', 'Aspen'])
      await expectRejected({ ...INHERITED, name, id: 7 }, {}, 409, {
        id: [
          expect.stringMatching(/^The id 7 is already used in .*meadow\/theme\.yaml:\d+`\. .* the next free id, 8\.$/),
        ],
      });
  });

  test.each([['text/plain', 'a', { detail: 'Unsupported media type "text/plain" in request.' }]])(
    'the media type %s',
    async (type, body, expected) => {
      await expectRejected(body, { 'Content-Type': type }, 415, expected);
    },
  );

  test.each<[string, string, string | Buffer, string]>([
    ['JSON', 'application/json', '{"a":', 'JSON parse error - '],
    ['JSON that is too deep', 'application/json', `{"logo":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, 'levels'],
    [
      'a form',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
      'Form parse error - ',
    ],
  ])('a malformed body: %s', async (_, type, body, detail) => {
    await expectRejected(body, { 'Content-Type': type }, 400, { detail: expect.stringContaining(detail) });
  });

  test('a request without the token', async () => {
    const detail = { detail: expect.stringContaining('`themecast dev` prints') };
    const wood = { ...INHERITED, name: 'Wood' };
    await expectRejected(wood, { 'X-Themecast-Token': `${server.token}x` }, 403, detail);
    const bare = await fetch(`${server.url}/api/v2/theme/`, {
      method: 'POST',
      body: formOf({ ...wood, token: server.token }),
    });
    expect([bare.status, await bare.json()]).toEqual([403, detail]);
  });
});
