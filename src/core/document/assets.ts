import type { Assets, Bitmap, ColourValue, ThemeAssets, ThemeColour } from '../../client/types.ts';
import { hexOf } from '../theme/colour/palette.ts';
import { fieldsWhere } from '../theme/fields/fields.ts';
import type { Theme } from '../theme/resolve.ts';
import type { Site } from '../theme/site/site.ts';
import {
  COMPACT_LOGO_BITMAP,
  ICON,
  LARGE_ICON,
  LOGO_BITMAP,
  MASKABLE_ICON,
  type ThumbnailSpec,
} from '../theme/fields/thumbnail-spec.ts';
import { chosenLogo, LOGO_CHOICES, type Mode } from './logo-choice.ts';
import type { BitmapOf } from './files/media.ts';
import { textOn } from './variables.ts';

const ICONS = { icon: ICON, large_icon: LARGE_ICON, maskable_icon: MASKABLE_ICON };

/** Returns the logos, icons and colours of a theme, for mails, native apps and web apps. */
export function themeAssets(theme: Theme, bitmapOf: BitmapOf, { roles }: Pick<Site, 'roles'>): ThemeAssets {
  const { name, palette_preview: palette, palette_dark: dark } = theme;
  const logos = fieldsWhere({ page: 'logos' }).map((field) => [field, logoSpecOf(field), field] as const);
  const icons = Object.entries(ICONS).map(([icon, spec]) => ['favicon', spec, icon] as const);
  const bitmaps = (list: readonly (readonly [Parameters<BitmapOf>[0], ThumbnailSpec, string])[]) =>
    Object.fromEntries(
      list.flatMap(([field, spec, key]): [string, Bitmap][] => {
        const { url, width, height } = bitmapOf(field, spec) ?? {};
        return url === undefined ? [] : [[key, { url, width, height } as Bitmap]];
      }),
    );
  return {
    name,
    logos: bitmaps(logos),
    icons: bitmaps(icons) as ThemeAssets['icons'],
    modes: { light: shownIn('light', theme), dark: shownIn('dark', theme) },
    palette: palette.map(themeColour),
    roles: rolesOf(palette, roles),
    ...(dark && { palette_dark: dark.map(themeColour), roles_dark: rolesOf(dark, roles) }),
  };
}

/** Returns which of the logos a mode shows. */
function shownIn(mode: Mode, { settings }: Theme): ThemeAssets['modes'][Mode] {
  const choices = LOGO_CHOICES.filter((choice) => choice.mode === mode);
  return Object.fromEntries(
    choices.map((choice) => [choice.normal, chosenLogo(settings, choice)]),
  ) as ThemeAssets['modes'][Mode];
}

function rolesOf(palette: readonly string[], roles: Site['roles']): Record<string, ThemeColour> {
  return Object.fromEntries(
    Object.entries(roles).map(([role, number]) => [role, themeColour(palette[number - 1] ?? '')]),
  );
}

export function logoSpecOf(field: string): ThumbnailSpec {
  return field.startsWith('compact') ? COMPACT_LOGO_BITMAP : LOGO_BITMAP;
}

function themeColour(colour: string): ThemeColour {
  return { colour: colourValue(hexOf(colour)), text: colourValue(textOn(colour) === '#fff' ? '#ffffff' : '#000000') };
}

/** Returns a colour in the Design Tokens format (https://www.designtokens.org/tr/2025.10/color/). @param hex - `#rrggbb` */
function colourValue(hex: string): ColourValue {
  const components = [1, 3, 5].map((at) => Number((Number.parseInt(hex.slice(at, at + 2), 16) / 255).toFixed(4)));
  return { colorSpace: 'srgb', components: components as [number, number, number], hex };
}

/** Yields `assets.json`, theme by theme. */
export function* assetsDocument(themes: readonly { id: number; assets: Assets[string] }[]): Generator<string> {
  yield '{';
  for (const [index, { id, assets }] of themes.entries())
    yield `${index === 0 ? '' : ','}"${id}":${JSON.stringify(assets)}`;
  yield '}';
}

/**
 * Returns a web app manifest (https://www.w3.org/TR/appmanifest/). All themes have the same `id`, so an installed app survives a change of
 * theme.
 */
export function webManifest({ name, icons, palette }: ThemeAssets, webApp: Partial<Site['web_app'] & {}>): string {
  const { short_name = name, start_url, scope, display } = webApp;
  const entries = [
    [icons.icon, 'any'],
    [icons.large_icon, 'any'],
    [icons.maskable_icon, 'maskable'],
  ] as const;
  return JSON.stringify({
    id: start_url,
    name,
    short_name,
    start_url,
    scope,
    display,
    theme_color: palette[0]?.colour.hex,
    background_color: '#ffffff',
    icons: entries.flatMap(([icon, purpose]) =>
      icon === undefined ? [] : [{ src: icon.url, sizes: `${icon.width}x${icon.height}`, type: 'image/png', purpose }],
    ),
  });
}
