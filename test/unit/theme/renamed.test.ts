import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/source/yaml.ts';
import { meantBy, renamedThemes } from '../../../src/theme/renamed.ts';
import { SITE_DEFAULTS } from '../../../src/theme/site.ts';
import type { ThemeSource } from '../../../src/theme/theme-source.ts';
import { validateTheme } from '../../../src/theme/validate.ts';

const SITE = { ...SITE_DEFAULTS, base_url: 'https://example.org', media_url: 'https://example.org/media' };

function source(slug: string, text: string): ThemeSource {
  const ignore = (): void => undefined;
  const document = parseYaml(`${slug}/theme.yaml`, text, ignore);
  if (document === undefined) throw new Error(text);
  return validateTheme(slug, document, SITE, ignore);
}

const SOURCES = [source('port', 'id: 1\nname: Quay'), source('meadow', 'id: 2\nname: Grüne Wiese')];
const SLUGS = SOURCES.map(({ slug }) => slug);

describe('a name that no theme has', () => {
  const meant = (name: string, before: [string, number][] = []) =>
    meantBy(name, SLUGS, renamedThemes(new Map(before), SOURCES));

  it('is that of a theme with the same id in the last build', () => {
    expect(meant('harbor', [['harbor', 1]])).toEqual({ suggestion: 'port', isRenamed: true, fix: 'port' });
    // By its id, whatever looks alike.
    expect(meant('meadwo', [['meadwo', 1]])).toEqual({ suggestion: 'port', isRenamed: true, fix: 'port' });
    // That id is gone as well, and this name is a theme again.
    expect(meant('harbor', [['harbor', 9]])).toEqual({ suggestion: undefined, isRenamed: false });
    expect(meant('port', [['port', 2]])).toEqual({ suggestion: 'port', isRenamed: false, fix: 'port' });
  });

  it('is probably that of a theme whose `name` is still like it', () => {
    expect(meant('grune-wiese')).toEqual({ suggestion: 'meadow', isRenamed: false, fix: 'meadow' });
    expect(meant('Grüne Wiese')).toEqual({ suggestion: 'meadow', isRenamed: false, fix: 'meadow' });
  });

  it('is either of two with that `name`, so neither is certain', () => {
    const twins = [source('a', 'id: 1\nname: Quay'), source('b', 'id: 2\nname: Quay')];
    expect(meantBy('quay', ['a', 'b'], renamedThemes(new Map(), twins)).fix).toBeUndefined();
  });

  it('is otherwise one that is spelt like it, or unknown', () => {
    expect(meant('medow')).toEqual({ suggestion: 'meadow', isRenamed: false, fix: 'meadow' });
    expect(meant('zebra')).toEqual({ suggestion: undefined, isRenamed: false });
  });
});
