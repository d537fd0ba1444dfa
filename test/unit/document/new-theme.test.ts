import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { newTheme, type SourceLogo, type ThemeFiles } from '../../../src/core/document/new-theme.ts';

/** Returns a new theme for a logo that is faint in some modes. */
function themeOf(faint: Partial<Record<'light' | 'dark', number>>): ThemeFiles & { yaml: unknown } {
  const analysis = { faint: { light: 0, dark: 0, ...faint }, isBoxed: false, isBlank: false, pixels: '' };
  const bytes = Buffer.from('x');
  const logo: SourceLogo = {
    bytes,
    format: 'svg',
    favicon: Buffer.from('y'),
    palette: [],
    drawn: bytes,
    look: analysis,
  };
  const palette = Array.from({ length: 9 }, () => '#0b5fff');
  const theme = newTheme({ id: 2, name: 'B', isDefault: false, parent: undefined, logo, palette });
  return { ...theme, yaml: parse(String(theme.files.get('theme.yaml'))) };
}

it('a new theme shows a logo that is faint on light only in dark mode, and a logo that is faint on both in both', () => {
  const { yaml, files } = themeOf({ light: 1 });
  expect(yaml).toMatchObject({
    logo: 'logo.svg',
    logo_inverse: 'logo-inverse.svg',
    compact_logo: 'compact-logo.svg',
    compact_logo_inverse: 'logo-inverse.svg',
    logo_site: 'logo-inverse.svg',
  });
  expect(files.get('logo-inverse.svg')).toEqual(Buffer.from('x'));
  expect(themeOf({ light: 1, dark: 1 }).yaml).toMatchObject({ logo: 'logo.svg', compact_logo: 'logo.svg' });
});
