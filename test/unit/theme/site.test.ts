import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseYaml } from '../../../src/source/yaml.ts';
import { isPublicUrl } from '../../../src/theme/public-url.ts';
import { type Site, SITE_DEFAULTS, siteSchema, validateSite } from '../../../src/theme/site.ts';
import { findings } from '../collect.ts';

const BASE = 'https://a.example';

function validate(text: string, baseUrl?: string): { site: Site | undefined; found: string[] } {
  let site: Site | undefined;
  const found = findings((report) => {
    const document = parseYaml('site.yaml', text, report);
    if (document !== undefined) site = validateSite(document, undefined, baseUrl, report);
  });
  return { site, found: found.map(({ code, message, location: { start } }) => `${code} ${start?.line} ${message}`) };
}

/** Whether a value is taken for a setting. */
const takes = (setting: keyof typeof siteSchema.shape, value: unknown): boolean =>
  siteSchema.shape[setting].safeParse(value).success;

describe('isPublicUrl', () => {
  it.each([
    ...'https://a.example https://a.example/ https://a.example:8443/x/y_z-1.2~/'.split(' '),
    ...'https://a.example/a..b/.c http://localhost:8080 http://127.0.0.1 http://127.255.0.99/x'.split(' '),
    ...'http://[::1]:8080/'.split(' '),
  ])('takes %s', (url) => {
    expect(isPublicUrl(url)).toBe(true);
  });

  it.each([
    '',
    ...'a.example /x ftp://a.example ftp://localhost http://a.example http://localhost.example'.split(' '),
    ...'http://xlocalhost http://127.0.0.1.example http://128.0.0.1 https://u@a.example'.split(' '),
    ...'https://u:p@a.example https://:p@a.example https://a.example?x https://a.example/#x'.split(' '),
    ...'https://a.example/$uri'.split(' '),
    'https://a.example/a b',
    ' https://a.example',
    'https://a.example\n',
    ...'https://a.example/ü https://a.example/%41 https://a.example/.. https://a.example/../b'.split(' '),
    ...'https://a.example/./b https://a.example/x/. https://a.example//x https://a.example/x//'.split(' '),
  ])('refuses %j', (url) => {
    expect(isPublicUrl(url)).toBe(false);
  });
});

describe('site.yaml', () => {
  it('has a default for all but base_url', () => {
    const { site, found } = validate(`base_url: ${BASE}/x/\n`);
    expect(found).toEqual([]);
    expect(site).toEqual({ ...SITE_DEFAULTS, base_url: `${BASE}/x`, media_url: `${BASE}/x/media` });
    expect(SITE_DEFAULTS).toMatchObject({
      cache: { list_max_age: 60 },
      cors: { allowed_origins: [] },
      identity: [{ names: 'user', credential: { from: 'cookie', name: 'uid' } }],
      mapping: { keyed: false },
      edge: ['nginx'],
      origin: { listen: '80', document_root: '/srv/themecast/dist' },
      allowed_hosts: [],
      logo_types: ['NORMAL', 'INVERSE'],
      logo_alignments: ['left', 'center', 'right'],
    });
  });

  it('has the same defaults inside a setting that is written in part', () => {
    const { site } = validate(`base_url: ${BASE}\ncache: {}\ncors: {}\nmapping: {}\norigin: {}\n`);
    const { cache, cors, mapping, origin } = SITE_DEFAULTS;
    expect(site).toMatchObject({ cache, cors, mapping, origin });
  });

  it('gives what is written', () => {
    const { site, found } = validate(
      `base_url: ${BASE}\nmedia_url: https://cdn.example//\nedge: []\nlogo_types: [MONO]\n`.replace('//\n', '/\n'),
    );
    expect(found).toEqual([]);
    expect(site).toMatchObject({ media_url: 'https://cdn.example', edge: [], logo_types: ['MONO'] });
  });

  it('reports a missing base_url once, unless it is given otherwise', () => {
    const missing = 'field/missing 1 The field `base_url` is missing.';
    expect(validate('edge: [nginx]\n').found).toEqual([missing]);
    expect(validate('edge: [nginx]\n', BASE).found).toEqual([]);
    expect(validate('base_ulr: x\n').found).toEqual(['field/unknown 1 Unknown field `base_ulr`.']);
    const { site, found } = validate('base_url: 7\n');
    expect(found).toEqual(['field/type 1 The field `base_url` must be text, but it is the number `7`.']);
    expect(site).toMatchObject({
      base_url: 'https://base-url.invalid',
      media_url: 'https://base-url.invalid/media',
    });
  });

  it('is reported where it should be', () => {
    const of = (baseUrl: string | undefined, missing?: { file: string }): unknown[] =>
      findings((report) => validateSite(undefined, missing, baseUrl, report)).map(({ code, hint, location }) => [
        code,
        hint,
        location,
      ]);
    const hint =
      'Create it with the URL where the service is published, like `base_url: https://community.example.org`.';
    expect(of(undefined, { file: 'site.yaml' })).toEqual([['theme/site-missing', hint, { file: 'site.yaml' }]]);
    expect(of(BASE, { file: 'site.yaml' })).toEqual([]);
    expect(of(undefined)).toEqual([]); // there, and unreadable: that is reported
  });

  it('yields to a base URL from elsewhere', () => {
    const { site } = validate('base_url: https://b.example\n', `${BASE}/x//`);
    expect(site).toMatchObject({ base_url: `${BASE}/x`, media_url: `${BASE}/x/media` });
  });

  const cache = (list_max_age: unknown) => ({ list_max_age });
  const listen = (address: unknown) => ({ listen: address });
  const root = (document_root: unknown) => ({ document_root });
  const origins = (...allowed_origins: unknown[]) => ({ allowed_origins });
  const one = (value: unknown) => [value];
  const all = (value: unknown) => value;
  it.each<[keyof typeof siteSchema.shape, (value: never) => unknown, readonly unknown[], readonly unknown[]]>([
    ['cache', cache, [0, 1, 86_400], [-1, 86_401, 1.5]],
    ['cache', all, [{}], [{ max_age: 1 }]],
    [
      'origin',
      listen,
      ['80', '8080', '127.0.0.1:8080', '[::1]:80', '1', '65535', '[fe80::ABCD]:1'],
      ['80000000', '', 'a.example:8080', '::1:80', '80x', 'x80', '80; evil'],
    ],
    [
      'origin',
      root,
      ['/srv/a_b-c.d/E9', '/a', '/a/', '/..a/.b/c..', '/...'],
      ['', 'srv', '/a b', '/a;', '../a', ...words('/ // /. /.. /a//b //a /a// /a/./b /a/../b /srv/../.. /a/. /a/..')],
    ],
    [
      'cors',
      origins,
      ['https://a.example', 'https://a.example:8443', 'http://localhost:3000'],
      words('https://a.example/ https://a.example/x http://a.example https://A.example * https://a.example:443'),
    ],
    [
      'allowed_hosts',
      one,
      ['images.example.org', 'a', 'a-1.b', 'a.b', 'a'.repeat(253)],
      [...words('Images.example.org a..b a.b. .a.b a:443 *.a'), '', 'a b', 'a'.repeat(254)],
    ],
    ['logo_types', one, ['A', 'a-B_9', 'a'.repeat(64)], ['', 'a b', 'ä', 'a'.repeat(65), 'a\n']],
    ['logo_alignments', one, ['A', 'a-B_9', 'a'.repeat(64)], ['', 'a b', 'ä', 'a'.repeat(65), 'a\n']],
    ['edge', all, [[], ['static']], [['nginx', 'nginx'], ['iis']]],
    ['allowed_hosts', all, [[], names(50)], [['a', 'a'], names(51)]],
    ['logo_types', all, [['A'], ['A', 'B']], [['A', 'A'], []]],
    ['logo_alignments', all, [['A'], ['A', 'B']], [['A', 'A'], []]],
    ['repository_url', all, ['https://git.example/themes'], ['git@git.example:themes']],
    ['media_url', all, ['https://cdn.example'], ['/media']],
  ])('%s takes what is right', (setting, of, right, wrong) => {
    expect(right.filter((value) => !takes(setting, of(value as never)))).toEqual([]);
    expect(wrong.filter((value) => takes(setting, of(value as never)))).toEqual([]);
  });

  it('allows fifty origins, none of them twice', () => {
    const origins = (count: number): string[] => names(count).map((name) => `https://${name}.example`);
    expect(takes('cors', { allowed_origins: origins(50) })).toBe(true);
    expect(takes('cors', { allowed_origins: origins(51) })).toBe(false);
    expect(takes('cors', { allowed_origins: [...origins(1), ...origins(1)] })).toBe(false);
  });

  it('accepts roles that are no other property of the stylesheet, and paths or URLs of an app', () => {
    for (const name of ['primary', 'call-to-action', 'a1']) expect(takes('roles', { [name]: 9 })).toBe(true);
    for (const name of ['Primary', 'on-x', 'logo', 'palette-1', '7up', 'a_b', 'a"; } * { color: red', 'x'.repeat(31)])
      expect(takes('roles', { [name]: 1 })).toBe(false);
    for (const number of [0, 10, 1.5, '1']) expect(takes('roles', { primary: number })).toBe(false);
    for (const url of ['/', '/app/?a=1', 'https://app.example.org/x'])
      expect(takes('manifest', { start_url: url })).toBe(true);
    for (const url of ['x', '//evil.example', '/\\evil.example', 'http://app.example.org', 'javascript:alert(1)', '/"'])
      expect(takes('manifest', { start_url: url })).toBe(false);
  });

  it('has a description of every setting, and a default of most, for editors that know JSON Schema', () => {
    const { properties = {} } = z.toJSONSchema(siteSchema, { io: 'input', unrepresentable: 'any' });
    const settings = Object.entries(properties).flatMap(([name, schema]) =>
      typeof schema === 'object' && schema.properties !== undefined
        ? [[name, schema] as const, ...Object.entries(schema.properties)]
        : [[name, schema] as const],
    );
    const without = (key: 'description' | 'default') =>
      settings.filter(([, schema]) => typeof schema === 'object' && schema[key] === undefined).map(([name]) => name);
    expect(settings.length).toBeGreaterThan(20);
    expect(without('description')).toEqual([]);
    expect(without('default')).toEqual(['base_url', 'media_url', 'repository_url', 'manifest', 'short_name', 'scope']);
  });
});

function words(text: string): string[] {
  return text.split(' ');
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `h${at}`);
}
