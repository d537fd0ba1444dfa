import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { type SourceLogo, newTheme } from '../../../src/document/new-theme.ts';
import { parseYaml } from '../../../src/source/yaml.ts';
import { SITE_DEFAULTS } from '../../../src/theme/site.ts';
import { validateTheme } from '../../../src/theme/validate.ts';

const NOTHING = { isDefault: false, parent: undefined, logo: undefined, palette: undefined };

function yamlOf({ files }: ReturnType<typeof newTheme>): string {
  return String(files.get('theme.yaml'));
}

/** Returns the fields that a theme.yaml sets, parsed like in a build. */
function fieldsOf(text: string) {
  const diagnostics = new Diagnostics();
  const document = parseYaml('theme.yaml', text, diagnostics.report);
  const site = { ...SITE_DEFAULTS, base_url: 'https://x.example', media_url: 'https://x.example/media' };
  const { fields } = validateTheme('x', document!, site, diagnostics.report);
  expect(diagnostics.sorted).toEqual([]);
  return fields;
}

function logoWith(faint: Partial<Record<'light' | 'dark', number>>): SourceLogo {
  const look = { faint: { light: 0, dark: 0, ...faint }, isBoxed: false, isBlank: false, pixels: '' };
  const bytes = Buffer.from('x');
  return { bytes, format: 'png', favicon: Buffer.from('y'), palette: [], drawn: bytes, look };
}

describe('a new theme', () => {
  it('is valid with any name', () => {
    for (const name of ['Aurora', 'Yes', '12:30', '# no comment', 'a: b', '  \u00e4'.trim(), '"quoted"', '@x', '- x'])
      expect(fieldsOf(yamlOf(newTheme({ ...NOTHING, id: 7, name }))).name).toBe(name);
  });

  it('has a logo that is faint on light in dark mode only', () => {
    const palette = Array.from({ length: 9 }, () => ({ hex: '#0b5fff' }));
    const logo = { ...logoWith({ light: 1 }), format: 'svg' } as const;
    const theme = newTheme({ ...NOTHING, id: 2, name: 'B', logo, palette });
    expect(fieldsOf(yamlOf(theme))).toMatchObject({
      logo: 'logo.svg',
      logo_inverse: 'logo-inverse.svg',
      compact_logo: 'compact-logo.svg',
      compact_logo_inverse: 'logo-inverse.svg',
      logo_site: 'logo-inverse.svg',
    });
    expect(theme.files.get('logo-inverse.svg')).toBe(logo.bytes);
    expect(yamlOf(newTheme({ ...NOTHING, id: 2, name: 'B', logo: logoWith({ light: 1, dark: 1 }) }))).toContain(
      '\nlogo: logo.png\n',
    );
  });

  it('has another colour than its neighbour', () => {
    const [one, two] = [1, 2].map((id) => yamlOf(newTheme({ ...NOTHING, id, name: 'D' })).split('palette')[1]);
    expect(one).not.toBe(two);
  });
});
