import type { ThemeRecord } from '../document/record.ts';
import { themeStyle } from '../preview/theme-style.ts';
import { newTheme } from '../document/new-theme.ts';
import { normaliseColour } from '../theme/colour.ts';
import { ANY_IMAGE_FIELDS, SETTING_DEFAULTS } from '../theme/fields.ts';
import { paletteOfColour } from '../theme/palette.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import type { RequestContext } from './context.ts';
import { galleryContent } from './pages.ts';
import { DEV_PATHS } from './pages/layout.ts';
import { type NewThemeInput, newThemePage } from './pages/new-theme-page.ts';
import type { Session } from './session.ts';

/** The page of a new theme, its style sheet, or one of its placeholders. @returns nothing for any other path */
export function newThemeAt(
  pathname: string,
  query: URLSearchParams,
  context: RequestContext,
): { kind: 'html' | 'css' | 'svg'; text: string } | undefined {
  const { session } = context;
  const input: NewThemeInput = {
    name: query.get('name') ?? '',
    colour: query.get('colour') ?? '',
    extends: query.get('extends') ?? '',
  };
  if (pathname === DEV_PATHS.newTheme)
    return {
      kind: 'html',
      text: newThemePage(input, new Map(), previewRecord(input, session), galleryContent(context)),
    };
  if (pathname === '/themes/new.css') return { kind: 'css', text: themeStyle(previewRecord(input, session)) };
  const [, name = ''] = /^\/themes\/new\.preview\/([a-z-]+\.svg)$/.exec(pathname) ?? [];
  const file = placeholders(input, session).get(name);
  return typeof file === 'string' ? { kind: 'svg', text: file } : undefined;
}

function paletteOf({ colour }: NewThemeInput) {
  const palette = colour === '' ? undefined : paletteOfColour(colour);
  return Array.isArray(palette) ? palette : undefined;
}

function nextIdOf({ view }: Session): number {
  return 1 + Math.max(0, ...(view?.themes ?? []).map(({ record }) => record.id));
}

function placeholders(input: NewThemeInput, session: Session): ReadonlyMap<string, string | Uint8Array> {
  const id = nextIdOf(session);
  const given = { parent: undefined, isDefault: false, logo: undefined, palette: paletteOf(input) };
  return newTheme({ id, name: input.name, ...given }).files;
}

/** The theme that would be made, as far as it is known before its logo is sent. */
export function previewRecord(input: NewThemeInput, session: Session): ThemeRecord {
  const id = nextIdOf(session);
  const parent = session.view?.themes.find(({ slug }) => slug === input.extends)?.record;
  const files = placeholders(input, session);
  const yaml = String(files.get(THEME_FILE));
  const written = [...yaml.matchAll(/^ +- "?(#[0-9a-f]{6})/gm)].map(([, hex = '']) => hex);
  const palette = written.map((hex) => {
    const colour = normaliseColour(hex);
    return 'hsl' in colour ? colour.hsl : hex;
  });
  const name = input.name || 'New theme';
  if (parent !== undefined)
    return { ...parent, id, name, is_default: false, ...(input.colour !== '' && { palette_preview: palette }) };
  const colour = encodeURIComponent(input.colour);
  const images = ANY_IMAGE_FIELDS.map((field) => {
    const url = `/themes/new.preview/${field.replace(/^default_/, '').replaceAll('_', '-')}.svg?colour=${colour}`;
    const isSet = field === 'logo_site' || field.startsWith('default_');
    return [field, isSet ? { original: url, thumbnail: url } : url];
  });
  return { id, name, is_default: false, ...SETTING_DEFAULTS, palette_preview: palette, ...Object.fromEntries(images) };
}
