import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Code } from '../src/index.ts';
import { parse } from 'yaml';
import { editorSchemas } from '../src/core/theme/json-schema.ts';
import { SITE_DEFAULTS } from '../src/core/theme/site.ts';
import { copyFixture, fixtureNames, goldenFile } from './fixture.ts';
import { type Problem, YamlLanguageServer } from './yaml-language-server.ts';

const THEMES = path.join(import.meta.dirname, '../themes');
const valid = await fixtureNames('valid');
const MODELINES = {
  'theme.yaml': '# yaml-language-server: $schema=../theme.schema.json\n',
  'site.yaml': '# yaml-language-server: $schema=site.schema.json\n',
};

/** Diagnostics that a schema of one file can express: it knows no other files, images or colour names, and not how YAML is written. */
const SCHEMA_CODES = new Set<Code>([
  'field/unknown',
  'field/type',
  'field/range',
  'field/value',
  'field/unit',
  'field/yes-no',
  'field/repeated',
  'palette/count',
]);

let folder = '';
let server: YamlLanguageServer;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'themecast-schema-'));
  for (const [name, text] of Object.entries(editorSchemas())) writeFileSync(path.join(folder, name), text);
  server = await YamlLanguageServer.start(folder);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Opens a text as a theme or as site.yaml, and returns its problems. Lines are numbered as without the modeline. */
async function problemsOf(kind: 'theme.yaml' | 'site.yaml', text: string, themes = folder): Promise<Problem[]> {
  openedCount++;
  const file = path.join(themes, kind === 'site.yaml' ? `site-${openedCount}.yaml` : `t${openedCount}/theme.yaml`);
  const problems = await server.open(file, MODELINES[kind] + text);
  return problems.map(({ range, ...problem }) => ({
    ...problem,
    range: { start: { line: range.start.line - 1, character: range.start.character } },
  }));
}
let openedCount = 0;

describe('an editor with yaml-language-server', () => {
  const file = (): string => path.join(folder, 'harbor/theme.yaml');

  it('completes the fields and values of the site', async () => {
    await server.open(file(), `${MODELINES['theme.yaml']}id: 1\nlogo_alignment: \n\n`);
    expect(await server.complete(file(), 3, 0)).toEqual(
      expect.arrayContaining(['name', 'logo_inverse', 'palette_preview', 'extends']),
    );
    expect(await server.complete(file(), 2, 16)).toEqual(expect.arrayContaining(['left', 'center', 'right']));
  });

  it('explains a field', async () => {
    await server.open(path.join(folder, 'hover/theme.yaml'), `${MODELINES['theme.yaml']}logo_inverse: x.svg\n`);
    expect(await server.hover(path.join(folder, 'hover/theme.yaml'), 1, 3)).toContain(
      'The light-on-dark variant of the logo.',
    );
  });

  it('reports no problem in the example themes and in the files that init writes', async () => {
    for (const name of ['harbor', 'meadow', 'nightfall'])
      expect(await problemsOf('theme.yaml', readFileSync(path.join(THEMES, name, 'theme.yaml'), 'utf8'))).toEqual([]);
    expect(await problemsOf('site.yaml', readFileSync(path.join(THEMES, 'site.yaml'), 'utf8'))).toEqual([]);
  });

  it('reports a missing schema, so an empty list of problems is meaningful', async () => {
    const nestedTheme = path.join(folder, 'deep/er/theme.yaml');
    expect(await server.open(nestedTheme, `${MODELINES['theme.yaml']}id: 1\n`)).not.toEqual([]);
  });
});

describe('the schema and check agree', () => {
  /** Returns a function that checks a file against the schema of its kind. */
  function schemaValidator(schemas: Readonly<Record<string, string>>): (file: string, text: string) => boolean {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validators = new Map(
      Object.entries(schemas).map(([name, text]) => [name, ajv.compile(JSON.parse(text) as object)]),
    );
    return (file, text) => validators.get(kindOf(file).replace('.yaml', '.schema.json'))?.(parse(text)) === true;
  }

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
