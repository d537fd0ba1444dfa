import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/diagnostics/diagnostic.ts';
import { parseYaml } from '../../../src/source/yaml.ts';
import { resolveThemes, type Theme } from '../../../src/theme/resolve.ts';
import { SITE_DEFAULTS } from '../../../src/theme/site.ts';
import { type ThemeSource, validateTheme } from '../../../src/theme/validate.ts';
import { findings } from '../collect.ts';

const SITE = { ...SITE_DEFAULTS, base_url: 'https://a.example', media_url: 'https://a.example/media' };
const WHOLE = `name: Base
favicon: a.png
logo: a.svg
logo_inverse: a.svg
compact_logo: a.svg
compact_logo_inverse: a.svg
logo_site: a.svg
default_group_banner: a.svg
default_event_banner: a.svg
default_user_profile_banner: a.svg
is_default: true
logo_height: 60
palette_preview: [red, red, red, red, red, red, red, red, red]
`;

/** Themes by slug, with ids in their order. */
function resolve(texts: readonly (readonly [slug: string, text: string])[]): { themes: Theme[]; found: string[] } {
  let themes: Theme[] = [];
  const source = (slug: string, text: string, report: Report): ThemeSource[] => {
    const document = parseYaml(`${slug}.yaml`, text, report);
    return document === undefined ? [] : [validateTheme(slug, document, SITE, report)];
  };
  const found = findings((report) => {
    const sources = texts.flatMap(([slug, text], index) => source(slug, `id: ${index + 1}\n${text}`, report));
    themes = resolveThemes(sources, new Set(texts.map(([slug]) => slug)), SITE, report);
  });
  return { themes, found: found.map(({ code, location: { file, start } }) => `${code} ${file}:${start?.line}`) };
}

/** Each theme extends the next. */
const chain = (length: number, last: string): [string, string][] =>
  Array.from({ length }, (_, at) => [`t${at}`, at + 1 < length ? `extends: t${at + 1}\n` : last]);

describe('extends', () => {
  it('takes a field from the nearest theme that has it, and pictures from the folder where they are', () => {
    const { themes, found } = resolve([
      ['a', 'extends: b\nname: A\n'],
      ['b', 'extends: c\nlogo: b.svg\nlogo_height: 50\n'],
      ['c', WHOLE],
    ]);
    expect(found).toEqual([]);
    const [a] = themes;
    expect([a?.name, a?.settings.logo_height, a?.is_default]).toEqual(['A', 50, false]);
    expect([a?.pictures.logo, a?.pictures.favicon]).toMatchObject([
      { slug: 'b', path: 'b.svg' },
      { slug: 'c', path: 'a.png' },
    ]);
  });

  it('says what is wrong where it is written, and nothing more', () => {
    expect(
      resolve([
        ['a', 'extends: b\n'],
        ['b', `${WHOLE}logo_hight: 3\n`.replace('name: Base', 'name: 7')],
      ]).found,
    ).toEqual(['field/type b.yaml:2', 'field/unknown b.yaml:15']);
  });

  it('follows chains of thousands of themes', () => {
    const { themes, found } = resolve(chain(5000, WHOLE));
    expect(found).toEqual([]);
    expect(themes).toHaveLength(5000);
    expect(themes[0]).toMatchObject({ slug: 't0', name: 'Base', pictures: { logo: { slug: 't4999' } } });
  });

  it('reports a circle of thousands once, and a broken chain where it breaks', () => {
    expect(resolve([...chain(3000, 'extends: t5\n'), ['z', WHOLE]]).found).toEqual([
      'theme/extends-cycle t2999.yaml:2',
    ]);
    expect(resolve([...chain(3000, 'extends: nowhere\n'), ['z', WHOLE]]).found).toEqual([
      'theme/extends-unknown t2999.yaml:2',
    ]);
  });
});
