import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../src/compiler/build.ts';
import type { EdgeRules } from '../src/hosts/contract/contract.ts';
import { openEnum } from '../src/compiler/openapi/schemas.ts';
import { SITE_DEFAULTS } from '../src/core/theme/site/site.ts';
import { codeBlocks, readPage } from './docs/pages.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from './site-folder.ts';

type Json = Record<string, unknown>;
const KINDS = ['record', 'list', 'config'] as const;
type Kind = (typeof KINDS)[number];
/** A document, and whether the schema of its kind accepts it. */
type Sample = readonly [kind: Kind, isValid: boolean, document: unknown];
const BASE = `${BASE_URL}/community`;

let site: SiteFolder;
let schema: Json;
let samples: Sample[];
const dist = (name: string): Promise<string> => readFile(path.join(site.outDir, name), 'utf8');
const json = async (name: string): Promise<Json> => JSON.parse(await dist(name)) as Json;

beforeAll(async () => {
  site = await makeSite({
    site: {
      base_url: BASE,
      logo_types: ['NORMAL', 'INVERSE', 'MONO'],
      cors: { allowed_origins: ['https://app.example.org'] },
      identity: [
        { theme: { host: { 'sea.example.org': 'harbor' } } },
        { user: { jwt: { claim: 'sub', algorithm: 'HS256', secret_env: 'TOKEN_SECRET' } } },
        { user: { cookie: 'private_name' } },
      ],
    },
    themes: { harbor: {}, meadow: {}, nightfall: {} },
  });
  expect((await build(site)).diagnostics).toEqual([]);
  schema = await json('schema/theme.schema.json');
  samples = [...corpus(JSON.parse(await dist('api/v2/theme/index.json')) as Json[]), ...(await fixtureSamples())];
});
afterAll(() => removeSite(site));

/** Returns documents of a build: unchanged, with changes that clients must tolerate, and with one fault each. */
function corpus(list: readonly Json[]): Sample[] {
  const [first = {}] = list;
  const config = { ...first, palette_preview: [] };
  const changed = (isValid: boolean, changes: Json): Sample => ['record', isValid, { ...first, ...changes }];
  return [
    ['list', true, list],
    ['config', true, config],
    ['config', false, first],
    ['list', false, [first, config]],
    ['record', false, list],
    changed(true, { accent: { hue: 7 }, light_mode_logo_type: 'OUTLINE', name: '👍'.repeat(100) }),
    changed(false, { name: 'x'.repeat(101) }),
    changed(false, { palette_preview: ['red'] }),
    ...Object.keys(first).flatMap((field) => [
      ...[null, {}, [[]], 1.5, -1, 'javascript:alert(1)'].flatMap((value) =>
        typeof value === 'string' && /name|type|alignment/.test(field) ? [] : [changed(false, { [field]: value })],
      ),
      changed(false, { [field]: undefined }),
    ]),
  ];
}

async function fixtureSamples(): Promise<Sample[]> {
  const folder = path.join(import.meta.dirname, '../src/client/fixtures');
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.flatMap((text) => [JSON.parse(text)].flat()).map((document): Sample => ['record', true, document]);
}

describe('the JSON Schema of the responses', () => {
  it('accepts every valid sample and rejects every invalid one, in ajv', () => {
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    formats.default(ajv);
    const validators = Object.fromEntries(
      KINDS.map((kind) => [kind, ajv.compile({ ...schema, $ref: `#/$defs/${kind}`, $id: `${BASE}/${kind}` })]),
    );
    expect(samples.filter(([kind, isValid, document]) => validators[kind]?.(document) !== isValid)).toEqual([]);
  });

  it('has the fields of the published documents, which are compact', async () => {
    const { properties } = (schema['$defs'] as { record: { properties: Json } }).record;
    for (const name of ['', 'config/']) {
      const text = await dist(`api/v2/theme/${name}index.json`);
      for (const document of [JSON.parse(text) as Json | Json[]].flat())
        expect(Object.keys(document)).toEqual(Object.keys(properties));
      expect(text).toBe(JSON.stringify(JSON.parse(text)));
    }
  });

  it('has the open enums that docs/contract.md shows', () => {
    const [block = ''] = codeBlocks(readPage('docs/contract.md'), 'json');
    expect(JSON.parse(block)).toEqual({ anyOf: openEnum('logo_types', SITE_DEFAULTS)['anyOf'] });
  });
});

describe('the OpenAPI description', () => {
  it('satisfies the schema of OpenAPI 3.1', async () => {
    expect(await new Validator().validate(await json('schema/openapi.json'))).toMatchObject({ valid: true });
  });

  it('describes how users are identified, only by headers that are in Vary', async () => {
    const text = await dist('schema/openapi.json');
    expect(text).toContain('identified by these request headers: Authorization, Cookie.');
    expect(text).not.toMatch(/TOKEN_SECRET|HS256|private_name/);
  });
});

describe('both', () => {
  it('depend on the themes only in their examples, and are not published with `schema: false`', async () => {
    const original = [await dist('schema/openapi.json'), await dist('schema/theme.schema.json')];
    const yaml = (slug: string): string => path.join(site.themesDir, slug, 'theme.yaml');
    const rename = async (slug: string): Promise<void> =>
      writeFile(yaml(slug), (await readFile(yaml(slug), 'utf8')).replace(/^name: .*$/m, 'name: Other'));
    await rename('nightfall');
    await build(site);
    expect([await dist('schema/openapi.json'), await dist('schema/theme.schema.json')]).toEqual(original);
    await rename('meadow');
    await build(site);
    expect(await dist('schema/openapi.json')).not.toBe(original[0]);
    expect(await dist('schema/theme.schema.json')).toBe(original[1]);

    const file = path.join(site.themesDir, 'site.yaml');
    await writeFile(file, `${await readFile(file, 'utf8')}\nschema: false\n`);
    expect((await build(site)).diagnostics).toEqual([]);
    await expect(dist('schema/openapi.json')).rejects.toThrow('ENOENT');
    expect(await dist('api/v2/theme/browse.html')).not.toContain('schema/');
    expect(await dist('manifest.json')).not.toContain('schema/');
    const { rules } = JSON.parse(await readFile(path.join(site.edgeOutDir, 'rules.json'), 'utf8')) as {
      rules: EdgeRules;
    };
    expect(rules.schemas).toEqual([]);
    expect(await readFile(path.join(site.edgeOutDir, 'nginx/locations.conf'), 'utf8')).not.toContain('schema');
  });
});
