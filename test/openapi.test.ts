import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../src/compiler/build.ts';
import type { EdgeRules } from '../src/hosts/contract.ts';
import { openEnum } from '../src/compiler/openapi/schemas.ts';
import { SITE_DEFAULTS } from '../src/core/theme/site.ts';
import { codeBlocks, readPage } from './docs/pages.ts';
import { corpus, type Sample } from './openapi/corpus.ts';
import { HAND_WRITTEN } from './openapi/hand-written.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from './site-folder.ts';

type Json = Record<string, unknown>;
type Kind = Sample['kind'];
const KINDS: readonly Kind[] = ['record', 'list', 'config'];
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

async function fixtureSamples(): Promise<Sample[]> {
  const folder = path.join(import.meta.dirname, '../src/client/fixtures');
  const documents = await Promise.all(
    (await readdir(folder)).map(async (title) => {
      const content = JSON.parse(await readFile(path.join(folder, title), 'utf8')) as Json | Json[];
      return [content].flat().map((document): Sample => ({ title, kind: 'record', document, isValid: true }));
    }),
  );
  return documents.flat();
}

/** Returns the published schema with one kind of document as its root. */
const schemaFor = (kind: Kind): Json => ({ ...schema, $ref: `#/$defs/${kind}`, $id: `${BASE}/${kind}` });
const wrongVerdicts = (validate: (sample: Sample) => boolean): string[] =>
  samples.filter((sample) => validate(sample) !== sample.isValid).map(({ kind, title }) => `${kind}: ${title}`);

describe('the JSON Schema of the responses', () => {
  const compileValidators = (schemaOf: (kind: Kind) => object): Record<string, ValidateFunction> => {
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    formats.default(ajv);
    return Object.fromEntries(KINDS.map((kind) => [kind, ajv.compile(schemaOf(kind))]));
  };

  it('accepts every valid sample and rejects every invalid one, in ajv', () => {
    const validators = compileValidators(schemaFor);
    expect(wrongVerdicts(({ kind, document }) => validators[kind]?.(document) === true)).toEqual([]);
  });

  it('agrees with a handwritten description, and has the fields of the published documents', async () => {
    const validators = compileValidators((kind) => HAND_WRITTEN[kind]);
    expect(wrongVerdicts(({ kind, document }) => validators[kind]?.(document) === true)).toEqual([]);
    const { properties } = (schema['$defs'] as { record: { properties: Json } }).record;
    const fields = Object.keys(HAND_WRITTEN.record.properties);
    expect(Object.keys(properties)).toEqual(fields);
    for (const name of ['', 'config/']) {
      const text = await dist(`api/v2/theme/${name}index.json`);
      const documents = [JSON.parse(text) as Json | Json[]].flat();
      for (const document of documents) expect(Object.keys(document)).toEqual(fields);
      // The JSON is compact: it has no white space between tokens, no line ending and no needless escapes.
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
