import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/core/source/yaml.ts';
import { resolveThemes, type Theme } from '../../../src/core/theme/resolve.ts';
import { type Site, SITE_DEFAULTS } from '../../../src/core/theme/site.ts';
import { validateTheme } from '../../../src/core/theme/validate.ts';
import { diagnosticsOf } from '../collect.ts';

const SITE = { ...SITE_DEFAULTS, base_url: 'https://a.example', media_url: 'https://a.example/media' };
const COMPLETE_THEME = `name: Base
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
palette_preview: [red, lime, blue, yellow, aqua, black, white, gray, navy]
`;

type Texts = readonly (readonly [slug: string, text: string])[];

/** Resolves themes by slug, and returns them with the diagnostics. */
function resolveTexts(texts: Texts, site: Site = SITE, folders = texts.map(([slug]) => slug)) {
  let themes: Theme[] = [];
  const diagnostics = diagnosticsOf((report) => {
    const sources = texts.flatMap(([slug, text]) => {
      const document = parseYaml(`${slug}.yaml`, text, report);
      return document === undefined ? [] : [validateTheme(slug, document, site, report)];
    });
    themes = resolveThemes(sources, new Set(folders), site, report);
  });
  return { themes, diagnostics };
}

/** Resolves themes with ids in the given order, and returns them with the locations of diagnostics. */
function resolveWithIds(texts: Texts): { themes: Theme[]; diagnostics: string[] } {
  const { themes, diagnostics } = resolveTexts(texts.map(([slug, text], index) => [slug, `id: ${index + 1}\n${text}`]));
  return {
    themes,
    diagnostics: diagnostics.map(({ code, location: { file, start } }) => `${code} ${file}:${start?.line}`),
  };
}

/** Returns the diagnostics of themes, without adding ids to their texts. */
function diagnosticsWithoutIds(...texts: Texts): string[] {
  return resolveTexts(texts).diagnostics.map(({ code, message, location: { file } }) => `${code} ${file}: ${message}`);
}

describe('a theme', () => {
  it('needs an accepted value if the site does not accept the default', () => {
    const hints = (lines: string, site: Partial<Site>): string[] =>
      resolveTexts([['a', `id: 1\n${COMPLETE_THEME}${lines}`]], { ...SITE, ...site }).diagnostics.map(
        ({ hint = '' }) => hint,
      );
    expect(hints('', { logo_types: ['MONO'], logo_alignments: ['left'] })).toEqual([
      'Add them, or inherit them: write `extends:` and the folder name of a theme that has them.',
    ]);
    const alignments = { logo_alignments: ['top', 'bottom'] };
    expect(hints('', alignments)).toEqual(['This site does not accept the default `left`: write `top` or `bottom`.']);
    expect(hints('logo_alignment: top\n', alignments)).toEqual([]);
  });
});

describe('missing fields', () => {
  it('are reported in one diagnostic, at the last theme of the chain', () => {
    const { diagnostics } = resolveWithIds([
      ['a', 'extends: b\n'],
      ['b', COMPLETE_THEME.replace(/^(?:name|logo): .*\n/gm, '')],
    ]);
    expect(diagnostics).toEqual(['field/missing b.yaml:1']);
    const withoutPalette = COMPLETE_THEME.replace(/^palette_preview.*\n/m, '');
    expect(resolveWithIds([['a', withoutPalette]]).diagnostics).toEqual(['field/missing a.yaml:1']);
  });

  it('are reported even in a theme that extends another, if the field is never inherited', () => {
    const { themes, diagnostics } = resolveWithIds([
      ['b', COMPLETE_THEME],
      ['a', 'extends: b\n'],
    ]);
    expect([diagnostics, themes.map(({ is_default }) => is_default)]).toEqual([[], [true, false]]);
    expect(diagnosticsWithoutIds(['b', `id: 1\n${COMPLETE_THEME}`], ['a', 'extends: b\n'])).toEqual([
      'field/missing a.yaml: The field `id` is missing.',
    ]);
  });
});

it('an invalid image is reported once, for the theme that refers to it', () => {
  const { themes, diagnostics } = resolveWithIds([
    ['a', 'extends: b\n'],
    ['b', COMPLETE_THEME.replace('logo: a.svg', 'logo: ../a.svg')],
  ]);
  expect([themes, diagnostics]).toEqual([[], ['image/path b.yaml:4']]);
});

describe('several themes', () => {
  const themeDiagnostics = (texts: readonly string[], folders = texts.length): string[] => {
    const slugs = Array.from({ length: folders }, (_, index) => `t${index}`);
    return resolveTexts(
      texts.map((text, index) => [`t${index}`, text]),
      SITE,
      slugs,
    )
      .diagnostics.filter(({ code }) => code.startsWith('theme/'))
      .map(({ code, message, hint, location: { file, start } }) => `${file}:${start?.line} ${code} ${message} ${hint}`);
  };

  it('are in the order of their ids', () => {
    const { themes } = resolveWithIds([
      ['a', COMPLETE_THEME],
      ['b', 'extends: a\n'],
      ['c', 'extends: a\n'],
    ]);
    expect(themes.map(({ slug }) => slug)).toEqual(['a', 'b', 'c']);
    const ids = ['id: 9\nis_default: true\n', 'id: 10\n', 'id: 2\n'];
    const { themes: sorted } = resolveTexts(
      ids.map((id, index) => [`t${index}`, id + COMPLETE_THEME.replace(/is_default.*\n/, '')]),
    );
    expect(sorted.map(({ id }) => id)).toEqual([2, 9, 10]);
  });

  it('may have their default or their parent in a theme that cannot be read', () => {
    expect(themeDiagnostics(['id: 1\nis_default: yes'])).toEqual([]); // The wrong value is reported.
    expect(themeDiagnostics(['id: 1', 'id: 2'], 3)).toEqual([]);
    expect(themeDiagnostics(['is_default: true\nextends: t1'], 2)).toEqual([]);
  });

  it('must not extend each other in a cycle', () => {
    expect(themeDiagnostics(['is_default: true\nextends: t1', 'extends: t2', 'extends: t1'])).toEqual([
      't2.yaml:1 theme/extends-cycle The themes extend each other in a cycle: `t1 → t2 → t1`. Delete `extends` in one of them.',
    ]);
  });

  it('inherit nothing through a broken chain, and report no missing fields', () => {
    expect(
      diagnosticsWithoutIds(['t0', 'id: 1\nis_default: true\nextends: 7\n'], ['t1', 'id: 2\nextends: t0\n']),
    ).toEqual(['field/type t0.yaml: The field `extends` must be text, but it is the number `7`.']);
  });
});

const chain = (length: number, lastText: string): [string, string][] =>
  Array.from({ length }, (_, index) => [`t${index}`, index + 1 < length ? `extends: t${index + 1}\n` : lastText]);

describe('extends', () => {
  it('reports an error only at the line with the field', () => {
    expect(
      resolveWithIds([
        ['a', 'extends: b\n'],
        ['b', `${COMPLETE_THEME}logo_hight: 3\n`.replace('name: Base', 'name: 7')],
      ]).diagnostics,
    ).toEqual(['field/type b.yaml:2', 'field/unknown b.yaml:15']);
  });

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
