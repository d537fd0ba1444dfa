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
      mapping: { keyed: false, shards: 4096 },
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

  it.each([
    ['list_max_age', { list_max_age: 0 }, { list_max_age: -1 }],
    ['list_max_age', { list_max_age: 86_400 }, { list_max_age: 86_401 }],
    ['list_max_age', { list_max_age: 1 }, { list_max_age: 1.5 }],
    ['list_max_age', {}, { max_age: 1 }],
  ])('cache: %s %j, but not %j', (_, right, wrong) => {
    expect([takes('cache', right), takes('cache', wrong)]).toEqual([true, false]);
  });

  it.each([
    [256, 255],
    [65_536, 131_072],
    [1024, 1025],
    [512, 128],
    [4096, 300],
  ])('mapping: %i shards, but not %i', (right, wrong) => {
    expect([takes('mapping', { shards: right }), takes('mapping', { shards: wrong })]).toEqual([true, false]);
  });

  it.each([
    ['80', '80000000'],
    ['8080', ''],
    ['127.0.0.1:8080', 'a.example:8080'],
    ['[::1]:80', '::1:80'],
    ['1', '80x'],
    ['65535', 'x80'],
    ['[fe80::ABCD]:1', '80; evil'],
  ])('origin: listens to %j, not %j', (right, wrong) => {
    expect([takes('origin', { listen: right }), takes('origin', { listen: wrong })]).toEqual([true, false]);
  });

  it.each([
    ['/', ''],
    ['/srv/a_b-c.d/E9', 'srv'],
    ['/a', '/a b'],
    ['/a', '/a;'],
    ['/a', '../a'],
  ])('origin: serves %j, not %j', (right, wrong) => {
    expect([takes('origin', { document_root: right }), takes('origin', { document_root: wrong })]).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['https://a.example', 'https://a.example/'],
    ['https://a.example:8443', 'https://a.example/x'],
    ['http://localhost:3000', 'http://a.example'],
    ['https://a.example', 'https://A.example'],
    ['https://a.example', '*'],
    ['https://a.example', 'https://a.example:443'],
  ])('cors: the origin %j, not %j', (right, wrong) => {
    expect([takes('cors', { allowed_origins: [right] }), takes('cors', { allowed_origins: [wrong] })]).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['images.example.org', 'Images.example.org'],
    ['a', ''],
    ['a-1.b', 'a..b'],
    ['a.b', 'a.b.'],
    ['a.b', '.a.b'],
    ['a', 'a b'],
    ['a', 'a:443'],
    ['a', '*.a'],
    ['a'.repeat(253), 'a'.repeat(254)],
  ])('allowed_hosts: %j, not %j', (right, wrong) => {
    expect([takes('allowed_hosts', [right]), takes('allowed_hosts', [wrong])]).toEqual([true, false]);
  });

  it.each([
    ['A', ''],
    ['a-B_9', 'a b'],
    ['a', 'ä'],
    ['a'.repeat(64), 'a'.repeat(65)],
    ['a', 'a\n'],
  ])('logo_types and logo_alignments: %j, not %j', (right, wrong) => {
    for (const setting of ['logo_types', 'logo_alignments'] as const)
      expect([takes(setting, [right]), takes(setting, [wrong])]).toEqual([true, false]);
  });

  it.each([
    ['edge', [], ['nginx', 'nginx']],
    ['edge', ['static'], ['iis']],
    ['allowed_hosts', [], ['a', 'a']],
    ['allowed_hosts', names(50), names(51)],
    ['logo_types', ['A', 'B'], ['A', 'A']],
    ['logo_types', ['A'], []],
    ['logo_alignments', ['A', 'B'], ['A', 'A']],
    ['logo_alignments', ['A'], []],
    ['repository_url', 'https://git.example/themes', 'git@git.example:themes'],
    ['media_url', 'https://cdn.example', '/media'],
  ] as const)('%s: %j, but not %j', (setting, right, wrong) => {
    expect([takes(setting, right), takes(setting, wrong)]).toEqual([true, false]);
  });

  it('allows fifty origins, none of them twice', () => {
    const origins = (count: number): string[] => names(count).map((name) => `https://${name}.example`);
    expect(takes('cors', { allowed_origins: origins(50) })).toBe(true);
    expect(takes('cors', { allowed_origins: origins(51) })).toBe(false);
    expect(takes('cors', { allowed_origins: [...origins(1), ...origins(1)] })).toBe(false);
  });

  it('describes the expected value, with an example', () => {
    const text = [
      'base_url: a',
      'mapping: {shards: 3}',
      'origin: {listen: x, document_root: x}',
      'cors: {allowed_origins: [x]}',
      'allowed_hosts: [X]',
      'logo_types: ["a b"]',
    ].join('\n');
    const reported = findings((report) => {
      const document = parseYaml('site.yaml', text, report);
      validateSite(document, undefined, undefined, report);
    }).map(({ message, hint }) => [message.replace(/^.*, but it must be /, ''), hint]);
    expect(reported).toEqual([
      [
        'an https URL without user name, query or fragment (http only for localhost).',
        'Write it like `https://community.example.org`.',
      ],
      ['a power of two from 256 to 65536.', 'Write it like `4096`.'],
      ['a port, or address:port.', 'Write it like `127.0.0.1:8080`.'],
      ['an absolute path made of A–Z, a–z, 0–9, `.`, `_`, `-` and `/`.', 'Write it like `/srv/themecast/dist`.'],
      ['an https origin without a path (http only for localhost).', 'Write it like `https://app.example.org`.'],
      ['a host name in lower case.', 'Write it like `images.example.org`.'],
      ['a word made of A–Z, a–z, 0–9, `-` and `_`.', 'Write it like `INVERSE`.'],
    ]);
  });

  it('has a description of every setting, and a default of all but three, for editors that know JSON Schema', () => {
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
    expect(without('default')).toEqual(['base_url', 'media_url', 'repository_url']);
  });
});

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `h${at}`);
}
