import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/core/source/yaml.ts';
import { ANY_IMAGE_FIELDS } from '../../../src/core/theme/fields/fields.ts';
import { resolveThemes, type Theme } from '../../../src/core/theme/resolve.ts';
import { SITE_DEFAULTS } from '../../../src/core/theme/site/site.ts';
import { validateTheme } from '../../../src/core/theme/validate.ts';
import { diagnosticsOf } from '../collect.ts';

const SITE = { ...SITE_DEFAULTS, base_url: 'https://a.example', media_url: 'https://a.example/media' };
const COMPLETE_THEME = `name: Base
${ANY_IMAGE_FIELDS.map((field) => `${field}: a.svg\n`).join('')}is_default: true
palette_preview: [red, lime, blue, yellow, aqua, black, white, gray, navy]
`;

// The fixtures and texts of themes show each mistake; these tests are about thousands of themes.
/** Resolves themes with ids in the given order, and returns them with the locations of diagnostics. */
function resolveWithIds(texts: readonly (readonly [slug: string, text: string])[]) {
  let themes: Theme[] = [];
  const diagnostics = diagnosticsOf((report) => {
    const sources = texts.flatMap(([slug, text], index) => {
      const document = parseYaml(`${slug}.yaml`, `id: ${index + 1}\n${text}`, report);
      return document === undefined ? [] : [validateTheme(slug, document, SITE, report)];
    });
    themes = resolveThemes(sources, new Set(texts.map(([slug]) => slug)), SITE, report);
  });
  return {
    themes,
    diagnostics: diagnostics.map(({ code, location: { file, start } }) => `${code} ${file}:${start?.line}`),
  };
}

const chain = (length: number, lastText: string): [string, string][] =>
  Array.from({ length }, (_, index) => [`t${index}`, index + 1 < length ? `extends: t${index + 1}\n` : lastText]);

describe('extends', () => {
  it('follows chains of thousands of themes', () => {
    const { themes, diagnostics } = resolveWithIds(chain(5000, COMPLETE_THEME));
    expect(diagnostics).toEqual([]);
    expect(themes).toHaveLength(5000);
    expect(themes[0]).toMatchObject({ slug: 't0', name: 'Base', images: { logo: { slug: 't4999' } } });
  });

  it('reports a cycle of thousands of themes once, and a broken chain where it breaks', () => {
    expect(resolveWithIds([...chain(3000, 'extends: t5\n'), ['z', COMPLETE_THEME]]).diagnostics).toEqual([
      'theme/extends-cycle t2999.yaml:2',
    ]);
    expect(resolveWithIds([...chain(3000, 'extends: nowhere\n'), ['z', COMPLETE_THEME]]).diagnostics).toEqual([
      'theme/extends-unknown t2999.yaml:2',
    ]);
  });
});
