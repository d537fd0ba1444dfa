import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, type Code } from '../src/index.ts';
import { parse } from 'yaml';
import { mapConcurrently } from '../src/io/concurrency.ts';
import { editorSchemas } from '../src/theme/json-schema.ts';
import { SITE_DEFAULTS } from '../src/theme/site.ts';
import { copyFixture, fixtureNames, goldenFile } from './fixture.ts';
import { type Problem, YamlLanguageServer } from './yaml-language-server.ts';

const THEMES = path.join(import.meta.dirname, '../themes');
const valid = await fixtureNames('valid');
const MODELINES = {
  'theme.yaml': '# yaml-language-server: $schema=../theme.schema.json\n',
  'site.yaml': '# yaml-language-server: $schema=site.schema.json\n',
};

/** What a schema of one file can say: nothing of other files, of images, of colours by name, or of how YAML is written. */
const IN_THE_SCHEMA = new Set<Code>([
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

/** Opens a text in the place of a theme, or of site.yaml. Its lines are numbered as without the modeline. */
async function problemsOf(kind: 'theme.yaml' | 'site.yaml', text: string, themes = folder): Promise<Problem[]> {
  opened++;
  const file = path.join(themes, kind === 'site.yaml' ? `site-${opened}.yaml` : `t${opened}/theme.yaml`);
  const problems = await server.open(file, MODELINES[kind] + text);
  return problems.map(({ range, ...problem }) => ({
    ...problem,
    range: { start: { line: range.start.line - 1, character: range.start.character } },
  }));
}
let opened = 0;

describe('an editor with yaml-language-server', () => {
  const file = (): string => path.join(folder, 'harbor/theme.yaml');

  it('completes the fields and the values of the site', async () => {
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

  it('underlines nothing in the example themes and in what init writes', async () => {
    for (const name of ['harbor', 'meadow', 'nightfall'])
      expect(await problemsOf('theme.yaml', readFileSync(path.join(THEMES, name, 'theme.yaml'), 'utf8'))).toEqual([]);
    expect(await problemsOf('site.yaml', readFileSync(path.join(THEMES, 'site.yaml'), 'utf8'))).toEqual([]);
  });

  it('reports a schema that is missing, so an empty list means something', async () => {
    const other = path.join(folder, 'deep/er/theme.yaml');
    expect(await server.open(other, `${MODELINES['theme.yaml']}id: 1\n`)).not.toEqual([]);
  });
});

describe('the schema and check agree', () => {
  it.each(valid)('on the valid fixture %s', async (name) => {
    const { folder: root, themesDir } = await copyFixture('valid', name);
    try {
      const site = parse(readFileSync(path.join(themesDir, 'site.yaml'), 'utf8')) as Partial<typeof SITE_DEFAULTS>;
      const own = path.join(folder, name);
      mkdirSync(own);
      for (const [file, text] of Object.entries(editorSchemas({ ...SITE_DEFAULTS, ...site })))
        writeFileSync(path.join(own, file), text);
      for (const { file, text } of sources(themesDir))
        expect([file, await problemsOf(kindOf(file), text, own)]).toEqual([file, []]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('on invalid fixtures, as far as a schema can say', { timeout: 60_000 }, async () => {
    const missed: string[] = [];
    let compared = 0;
    const compare = async (name: string): Promise<void> => {
      // Checked only where the golden file has such a code.
      const want = readFileSync(goldenFile('invalid', name), 'utf8');
      if (![...IN_THE_SCHEMA].some((code) => want.includes(`[${code}]`))) return;
      const { folder: root, themesDir } = await copyFixture('invalid', name);
      const { diagnostics } = await check({ themesDir, cwd: root });
      for (const { code, location } of diagnostics) {
        if (!IN_THE_SCHEMA.has(code) || !/\/(?:theme|site)\.yaml$/.test(location.file)) continue;
        const text = readFileSync(path.join(root, location.file), 'utf8');
        // Of other errors in the same file the editor may stop at the first.
        const problems = await problemsOf(kindOf(location.file), text);
        const line = (location.start?.line ?? 1) - 1;
        compared++;
        // Of a list the editor marks all of it, and check one entry or its key.
        if (!problems.some(({ range }) => Math.abs(range.start.line - line) <= 1))
          missed.push(`${name} ${code} ${location.file}:${line + 1}`);
      }
      rmSync(root, { recursive: true });
    };
    // A sample, of every area.
    const names = await fixtureNames('invalid');
    const sample = names.filter((_, at) => at % 5 === 0);
    await mapConcurrently(sample, 8, compare);
    expect(compared).toBeGreaterThan(10);
    expect(missed).toEqual([]);
  });
});

function kindOf(file: string): 'theme.yaml' | 'site.yaml' {
  return file.endsWith('site.yaml') ? 'site.yaml' : 'theme.yaml';
}

/** The YAML files of a themes folder that the schemas are for. */
function sources(themesDir: string): { file: string; text: string }[] {
  const files = readdirSync(themesDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?:^site|\/theme)\.yaml$/.test(file),
  );
  return files.map((file) => ({ file, text: readFileSync(path.join(themesDir, file), 'utf8') }));
}
