import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Code } from '../src/index.ts';
import { parse } from 'yaml';
import { editorSchemas } from '../src/core/theme/json-schema.ts';
import { SITE_DEFAULTS } from '../src/core/theme/site/site.ts';
import { copyFixture, fixtureNames, goldenFile } from './fixture.ts';

const THEMES = path.join(import.meta.dirname, '../themes');
const valid = await fixtureNames('valid');
/** Diagnostics that a schema of one file can express: it knows no other files, images or colour names, and not how YAML is written. */
const SCHEMA_CODES = new Set<Code>([
  'field/unknown',
  'field/type',
  'field/range',
  'field/value',
  'field/repeated',
  'palette/count',
]);

describe('the schema and check agree', () => {
  /** Returns a function that checks a file against the schema of its kind. */
  function schemaValidator(schemas: Readonly<Record<string, string>>): (file: string, text: string) => boolean {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validators = new Map(
      Object.entries(schemas).map(([name, text]) => [name, ajv.compile(JSON.parse(text) as object)]),
    );
    return (file, text) => validators.get(kindOf(file).replace('.yaml', '.schema.json'))?.(parse(text)) === true;
  }

  it('on the example themes', () => {
    const accepts = schemaValidator(editorSchemas());
    expect(yamlFiles(THEMES).filter(({ file, text }) => !accepts(file, text))).toEqual([]);
  });

  it.each(valid)('on the valid fixture %s', async (name) => {
    const { folder: root, themesDir } = await copyFixture('valid', name);
    const site = parse(readFileSync(path.join(themesDir, 'site.yaml'), 'utf8')) as Partial<typeof SITE_DEFAULTS>;
    const accepts = schemaValidator(editorSchemas({ ...SITE_DEFAULTS, ...site }));
    expect(yamlFiles(themesDir).filter(({ file, text }) => !accepts(file, text))).toEqual([]);
    rmSync(root, { recursive: true });
  });

  it('on invalid fixtures, as far as a schema can express their problems', async () => {
    const accepts = schemaValidator(editorSchemas());
    const missedProblems: string[] = [];
    let comparedCount = 0;
    for (const name of await fixtureNames('invalid')) {
      const golden = readFileSync(goldenFile('invalid', name), 'utf8');
      const expectedProblems = [...golden.matchAll(/^themes\/(\S*(?:theme|site)\.yaml):\d+:\d+ .*\[(.*)\]$/gm)];
      const files = expectedProblems.flatMap(([, file = '', code]) => (SCHEMA_CODES.has(code as Code) ? [file] : []));
      if (files.length === 0) continue;
      const { folder: root, themesDir } = await copyFixture('invalid', name);
      for (const file of files)
        if (accepts(file, readFileSync(path.join(themesDir, file), 'utf8'))) missedProblems.push(`${name}: ${file}`);
      comparedCount += files.length;
      rmSync(root, { recursive: true });
    }
    expect(comparedCount).toBeGreaterThan(40);
    expect(missedProblems).toEqual([]);
  });
});

function kindOf(file: string): 'theme.yaml' | 'site.yaml' {
  return file.endsWith('site.yaml') ? 'site.yaml' : 'theme.yaml';
}

/** Returns the YAML files of a themes folder that have a schema. */
function yamlFiles(themesDir: string): { file: string; text: string }[] {
  const files = readdirSync(themesDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?:^site|\/theme)\.yaml$/.test(file),
  );
  return files.map((file) => ({ file, text: readFileSync(path.join(themesDir, file), 'utf8') }));
}
