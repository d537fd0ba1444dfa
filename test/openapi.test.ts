import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_PLATFORMS } from './platforms.ts';
import { skip } from './skip.ts';
import { z } from 'zod';
import { build } from '../src/compiler/build.ts';
import type { EdgeRules } from '../src/hosts/contract.ts';
import { openEnum } from '../src/compiler/openapi/record-schema.ts';
import { SITE_DEFAULTS } from '../src/theme/site.ts';
import { codeBlocks, readPage } from './docs/pages.ts';
import { corpus, type Sample } from './openapi/corpus.ts';
import { HAND_WRITTEN } from './openapi/hand-written.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from './site-folder.ts';

type Json = Record<string, unknown>;
type Kind = Sample['kind'];
const KINDS: readonly Kind[] = ['record', 'list', 'config'];
const BASE = `${BASE_URL}/community`;
const REDOCLY = path.join(import.meta.dirname, 'node_modules/@redocly/cli/bin/cli.js');

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
  samples = [...corpus(JSON.parse(await dist('api/v2/theme/index.json')) as Json[]), ...(await fixtures())];
});
afterAll(() => removeSite(site));

async function fixtures(): Promise<Sample[]> {
  const folder = path.join(import.meta.dirname, '../src/client/fixtures');
  const all = await Promise.all(
    (await readdir(folder)).map(async (title) => {
      const content = JSON.parse(await readFile(path.join(folder, title), 'utf8')) as Json | Json[];
      return [content].flat().map((document): Sample => ({ title, kind: 'record', document, isValid: true }));
    }),
  );
  return all.flat();
}

/** Returns the published schema, with one kind of document as its root. */
const of = (kind: Kind): Json => ({ ...schema, $ref: `#/$defs/${kind}`, $id: `${BASE}/${kind}` });
const verdicts = (validate: (sample: Sample) => boolean): string[] =>
  samples.filter((sample) => validate(sample) !== sample.isValid).map(({ kind, title }) => `${kind}: ${title}`);

describe('the JSON Schema of the responses', () => {
  const compiled = (schemaOf: (kind: Kind) => object): Record<string, ValidateFunction> => {
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    formats.default(ajv);
    return Object.fromEntries(KINDS.map((kind) => [kind, ajv.compile(schemaOf(kind))]));
  };

  it('is the same to ajv', () => {
    const validators = compiled(of);
    expect(verdicts(({ kind, document }) => validators[kind]?.(document) === true)).toEqual([]);
  });

  it('is the same to zod', () => {
    const validators = Object.fromEntries(KINDS.map((kind) => [kind, z.fromJSONSchema(of(kind))]));
    expect(verdicts(({ kind, document }) => validators[kind]?.safeParse(document).success === true)).toEqual([]);
  });

  it('is equivalent to a handwritten description, and to the documents', async () => {
    const validators = compiled((kind) => HAND_WRITTEN[kind]);
    expect(verdicts(({ kind, document }) => validators[kind]?.(document) === true)).toEqual([]);
    const { properties } = (schema['$defs'] as { record: { properties: Json } }).record;
    const fields = Object.keys(HAND_WRITTEN.record.properties);
    expect(Object.keys(properties)).toEqual(fields);
    for (const name of ['', 'config/']) {
      const text = await dist(`api/v2/theme/${name}index.json`);
      const documents = [JSON.parse(text) as Json | Json[]].flat();
      for (const document of documents) expect(Object.keys(document)).toEqual(fields);
      // The JSON is compact: no white space between tokens, no line ending, no needless escapes.
      expect(text).toBe(JSON.stringify(JSON.parse(text)));
    }
  });

  it('has open enums as docs/contract.md shows them', () => {
    const [shown = ''] = codeBlocks(readPage('docs/contract.md'), 'json');
    expect(JSON.parse(shown)).toEqual({ anyOf: openEnum('logo_types', SITE_DEFAULTS)['anyOf'] });
  });

  it('names the values of the site, and no field without a description', () => {
    const { properties } = (schema['$defs'] as { record: { properties: Record<string, Json> } }).record;
    expect(properties['light_mode_logo_type']?.['allOf']).toEqual([{ $ref: '#/$defs/logo_type' }]);
    expect(schema).toMatchObject({ $defs: { logo_alignment: { anyOf: [{ enum: ['left', 'center', 'right'] }, {}] } } });
    expect((schema['$defs'] as { logo_type: Json }).logo_type['anyOf']).toEqual([
      { type: 'string', enum: ['NORMAL', 'INVERSE', 'MONO'] },
      { type: 'string' },
    ]);
    expect(Object.values(properties).every(({ description }) => /\w{3}.*\.$/.test(String(description)))).toBe(true);
    expect(schema).toMatchObject({ $id: `${BASE}/schema/theme.schema.json` });
  });
});

describe('the OpenAPI description', () => {
  let description: { paths: Record<string, Record<string, { responses: object }>> } & Json;
  beforeAll(async () => {
    description = (await json('schema/openapi.json')) as typeof description;
  });

  it('satisfies Redocly, except for the trailing slash of the contract and methods that are always refused', async (context) => {
    if (NO_PLATFORMS !== undefined) skip(context, NO_PLATFORMS);
    const folder = await mkdtemp(path.join(tmpdir(), 'themecast-redocly-'));
    const rules = {
      'no-path-trailing-slash': 'off',
      // POST, PUT, PATCH and DELETE.
      'operation-2xx-response': 'off',
      // OPTIONS always succeeds.
      'operation-4xx-response': 'off',
    };
    await writeFile(path.join(folder, 'redocly.yaml'), JSON.stringify({ extends: ['recommended-strict'], rules }));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [REDOCLY, 'lint', path.join(site.outDir, 'schema/openapi.json')],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    await rm(folder, { recursive: true });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toContain('is valid');
  });

  it('satisfies the schema of OpenAPI 3.1', async () => {
    expect(await new Validator().validate(await json('schema/openapi.json'))).toMatchObject({ valid: true });
  });

  it('has a type for each response and each kind of value, for generators', async () => {
    const { license } = description['info'] as Json;
    expect(license).toEqual({ name: 'MIT', identifier: 'MIT' });
    const paths = description.paths as Record<string, { get: { responses: { 200: { content: object } } } }>;
    const media = Object.values(paths).map(({ get }) => Object.keys(get.responses[200].content));
    expect(media).toEqual(media.map(() => ['application/json']));
    // A reference with further properties becomes a separate type: ImageSet1, ImageSet2, …
    for (const text of [await dist('schema/openapi.json'), await dist('schema/theme.schema.json')]) {
      const references = new Set<string>();
      JSON.parse(text, (_, value: unknown) => {
        if (typeof value === 'object' && value !== null && '$ref' in value && !('$defs' in value))
          references.add(Object.keys(value).join());
        return value;
      });
      expect([...references]).toEqual(['$ref']);
    }
  });

  it('has themes of the site as examples, but few', async () => {
    const list = JSON.parse(await dist('api/v2/theme/index.json')) as Json[];
    const config = await json('api/v2/theme/config/index.json');
    const get = (example: unknown) => ({
      get: { responses: { 200: { content: { 'application/json': { example } } } } },
    });
    expect(description.paths).toMatchObject({
      '/api/v2/theme/': get(list.slice(0, 2)),
      '/api/v2/theme/config/': get(config),
    });
  });

  it('describes the identification of the user, by no more than the headers in Vary', async () => {
    const text = await dist('schema/openapi.json');
    expect(text).toContain('identified by these request headers: Authorization, Cookie.');
    expect(text).toContain('The operator of the service knows the name of the cookie.');
    expect(text).toContain('The hostname of the request chooses the theme.');
    expect(description).toMatchObject({ components: { securitySchemes: { bearer: { scheme: 'bearer' } } } });
    expect(text).not.toMatch(/TOKEN_SECRET|HS256|private_name/);
  });
});

describe('both', () => {
  it('are in the manifest, and linked from the browsable pages of both endpoints', async () => {
    const { files } = (await json('manifest.json')) as { files: { path: string }[] };
    const published = new Set(files.map((file) => `${BASE}/${file.path}`));
    for (const page of ['', 'config/']) {
      const html = await dist(`api/v2/theme/${page}browse.html`);
      const links = [...html.matchAll(/<a href="([^"]*schema[^"]*)">(\w+)/g)].map(
        ([, href = '', name]) => [name, new URL(href, `${BASE}/api/v2/theme/${page}`).href] as const,
      );
      expect(links).toEqual([
        ['OpenAPI', `${BASE}/schema/openapi.json`],
        ['JSON', `${BASE}/schema/theme.schema.json`],
      ]);
      for (const [, url] of links) expect(published).toContain(url);
    }
  });

  it('change with the themes of the examples alone, and are gone with `schema: false`', async () => {
    const before = [await dist('schema/openapi.json'), await dist('schema/theme.schema.json')];
    const yaml = (slug: string): string => path.join(site.themesDir, slug, 'theme.yaml');
    const rename = async (slug: string): Promise<void> =>
      writeFile(yaml(slug), (await readFile(yaml(slug), 'utf8')).replace(/^name: .*$/m, 'name: Other'));
    await rename('nightfall');
    await build(site);
    expect([await dist('schema/openapi.json'), await dist('schema/theme.schema.json')]).toEqual(before);
    await rename('meadow');
    await build(site);
    expect(await dist('schema/openapi.json')).not.toBe(before[0]);
    expect(await dist('schema/theme.schema.json')).toBe(before[1]);

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
