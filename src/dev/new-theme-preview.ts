import type { ThemeRecord } from '../document/record.ts';
import { themeStyle } from '../preview/theme-style.ts';
import { newTheme } from '../document/new-theme.ts';
import { normaliseColour } from '../theme/colour.ts';
import { ANY_IMAGE_FIELDS, FIELDS, SETTING_DEFAULTS } from '../theme/fields.ts';
import { paletteOfColour } from '../theme/palette.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import type { GalleryContent } from './pages/content.ts';
import { DEV_PATHS } from './pages/layout.ts';
import { type NewThemeInput, newThemePage } from './pages/new-theme-page.ts';

/** The page of a new theme, its style sheet, or one of its placeholders. @returns nothing for any other path */
export function newThemeAt(
  pathname: string,
  query: URLSearchParams,
  content: GalleryContent,
): { kind: 'html' | 'css' | 'svg'; text: string } | undefined {
  const [name, colour, parent] = ['name', 'colour', 'extends'].map((field) => query.get(field) ?? '') as [
    string,
    string,
    string,
  ];
  const input: NewThemeInput = { name, colour, extends: parent };
  const palette = colour === '' ? undefined : paletteOfColour(colour);
  const { files } = newTheme({
    id: 1 + Math.max(0, ...content.themes.map(({ record }) => record.id)),
    name,
    parent: undefined,
    isDefault: false,
    logo: undefined,
    palette: Array.isArray(palette) ? palette : undefined,
  });
  const [, image = ''] = /^\/themes\/new\.preview\/([a-z-]+\.svg)$/.exec(pathname) ?? [];
  if (image !== '') return files.has(image) ? { kind: 'svg', text: String(files.get(image)) } : undefined;
  const record = previewRecord(input, String(files.get(THEME_FILE)), content);
  if (pathname === '/themes/new.css') return { kind: 'css', text: themeStyle(record) };
  return pathname === DEV_PATHS.newTheme ? { kind: 'html', text: newThemePage(input, record, content) } : undefined;
}

/** The theme that would be made, as far as it is known before its logo is sent. */
function previewRecord({ name, ...input }: NewThemeInput, yaml: string, { themes }: GalleryContent): ThemeRecord {
  const parent = themes.find(({ slug }) => slug === input.extends)?.record;
  const palette_preview = [...yaml.matchAll(/^ +- "?(#[0-9a-f]{6})/gm)].map(([, hex = '']) => {
    const colour = normaliseColour(hex);
    return 'hsl' in colour ? colour.hsl : hex;
  });
  const own = { id: 0, name: name || 'New theme', is_default: false };
  if (parent !== undefined) return { ...parent, ...own, ...(input.colour !== '' && { palette_preview }) };
  const images = ANY_IMAGE_FIELDS.map((field) => {
    const file = field.replace(/^default_/, '').replaceAll('_', '-');
    const url = `/themes/new.preview/${file}.svg?colour=${encodeURIComponent(input.colour)}`;
    return [field, FIELDS[field].kind === 'image' ? url : { original: url, thumbnail: url }];
  });
  return { ...own, ...SETTING_DEFAULTS, palette_preview, ...Object.fromEntries(images) };
}
