import { newTheme } from '../../core/document/new-theme.ts';
import { recordWith, type ThemeRecord } from '../../core/document/record.ts';
import { screenStyle } from '../../core/document/stylesheet.ts';
import { normaliseColour } from '../../core/theme/colour/colour.ts';
import { SETTING_DEFAULTS } from '../../core/theme/fields/fields.ts';
import { paletteOfColour } from '../../core/theme/colour/palette.ts';
import type { GalleryContent } from './pages/content.ts';
import { DEV_PATHS } from './pages/layout.ts';
import { newThemePage } from './pages/new-theme-page.ts';

/** Returns the page of a new theme or its style sheet; undefined for any other path. */
export function newThemeAt(
  pathname: string,
  query: URLSearchParams,
  content: GalleryContent,
): { kind: 'html' | 'css'; text: string } | undefined {
  if (pathname !== DEV_PATHS.newTheme && pathname !== DEV_PATHS.newStyle) return undefined;
  const record = previewRecord(query, content);
  return pathname === DEV_PATHS.newStyle
    ? { kind: 'css', text: screenStyle({ record }, { roles: {} }) }
    : { kind: 'html', text: newThemePage(query, record, content) };
}

/** Returns the record of the new theme, with placeholders for its images. */
function previewRecord(query: URLSearchParams, { themes }: GalleryContent): ThemeRecord {
  const [name = '', colour = '', ofLogo = '', slug = ''] = ['name', 'colour', 'palette', 'extends'].map(
    (field) => query.get(field) ?? '',
  );
  const parent = themes.find((theme) => theme.slug === slug)?.record;
  const steps = colour === '' ? undefined : paletteOfColour(colour);
  const logoPalette = ofLogo.split(' ').filter((hex) => /^#[0-9a-f]{6}$/.test(hex));
  const chosen = steps ?? (logoPalette.length === 9 ? logoPalette : undefined);
  const id = 1 + Math.max(0, ...themes.map(({ record }) => record.id));
  const facts = { id, name: name || 'New theme', is_default: false };
  const { files, images, palette } = newTheme({
    ...facts,
    isDefault: false,
    logo: undefined,
    palette: chosen,
    parent: undefined,
  });
  const palette_preview = palette.map((hex) => {
    const published = normaliseColour(hex);
    return 'hsl' in published ? published.hsl : '';
  });
  if (parent !== undefined) return { ...parent, ...facts, ...(chosen && { palette_preview }) };
  return recordWith({ ...facts, slug: '', settings: SETTING_DEFAULTS, palette_preview }, (field) => {
    const placeholder = files.get(images.get(field) ?? '');
    return `data:image/svg+xml,${encodeURIComponent(String(placeholder))}`;
  });
}
