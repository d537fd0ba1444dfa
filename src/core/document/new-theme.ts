import type { LogoAnalysis } from '../image/logo-analysis.ts';
import { FORMATS, type Format } from '../image/format.ts';
import { MAX_FAINT } from '../image/logo-analysis.ts';
import { type AnyImageField, ANY_IMAGE_FIELDS, imageFileName } from '../theme/fields/fields.ts';
import { contrast, paletteOfColour } from '../theme/colour/palette.ts';
import { placeholder, type PlaceholderColours } from '../image/placeholders.ts';
import { type NewTheme, themeFile } from '../theme/theme-file.ts';

/** A logo that a new theme is made from. */
export interface SourceLogo {
  bytes: Uint8Array;
  format: Format;
  /** A square PNG, made from the logo. */
  favicon: Uint8Array;
  /** Nine colours as `#rrggbb`. */
  palette: readonly string[];
  /** The logo as a small PNG. */
  drawn: Buffer;
  look: LogoAnalysis;
}

/** The values and files that a new theme is made from. */
export interface Ingredients extends Pick<NewTheme, 'id' | 'name' | 'isDefault' | 'parent'> {
  logo: SourceLogo | undefined;
  /** Nine colours; by default the colours of the logo. */
  palette: readonly string[] | undefined;
}

/** The files of a new theme by name; `theme.yaml` comes first. */
export interface ThemeFiles {
  files: Map<string, string | Uint8Array>;
  /** Names of the files that are placeholders. */
  placeholders: readonly string[];
  /** The values of its image fields. */
  images: ReadonlyMap<AnyImageField, string>;
  /** Nine colours as `#rrggbb`; empty if they are inherited. */
  palette: readonly string[];
}

/**
 * Makes the files of a new theme. The logo becomes the logo of the site, and the logo and compact logo of the mode in which it is visible;
 * favicon and palette are derived from it. The other mode and the banners are not derived: they are placeholders, or inherited if the
 * theme extends another.
 */
export function newTheme({ logo, palette: chosenPalette, ...theme }: Ingredients): ThemeFiles {
  const colours = chosenPalette ?? logo?.palette ?? (theme.parent === undefined ? defaultPalette(theme.id) : undefined);
  const images = new Map<AnyImageField, string>();
  const files = new Map<string, string | Uint8Array>();
  if (logo !== undefined) {
    const name = `${isForDark(logo.look) ? 'logo-inverse' : 'logo'}.${FORMATS[logo.format].extensions[0]}`;
    files.set(name, logo.bytes).set('favicon.png', logo.favicon);
    images.set('favicon', 'favicon.png');
    for (const field of logosOf(logo)) images.set(field, name);
  }
  const placeholders =
    theme.parent === undefined && colours !== undefined
      ? ANY_IMAGE_FIELDS.filter((field) => !images.has(field)).map((field) => {
          const name = imageFileName(field, 'svg');
          files.set(name, placeholder(field, placeholderColours(colours)));
          images.set(field, name);
          return name;
        })
      : [];
  const yaml = themeFile({ ...theme, images, palette: colours });
  return { files: new Map([['theme.yaml', yaml], ...files]), placeholders, images, palette: colours ?? [] };
}

/** Returns the fields that a logo becomes: those of the mode in which it is visible, and the site logo. */
export function logosOf({ look }: Pick<SourceLogo, 'look'>): AnyImageField[] {
  return isForDark(look)
    ? ['logo_inverse', 'compact_logo_inverse', 'logo_site']
    : ['logo', 'compact_logo', 'logo_site'];
}

/** Whether a logo is visible on dark pages only. */
export function isForDark({ faint }: LogoAnalysis): boolean {
  return faint.light > MAX_FAINT && faint.dark <= MAX_FAINT;
}

/** Returns a default palette. Hues differ by the golden angle, so neighbouring ids differ most. */
function defaultPalette(id: number): readonly string[] {
  return paletteOfColour(`oklch(0.55 0.13 ${Math.round((id * 137.508 + 100) % 360)})`) ?? [];
}

/** Returns two dark and light colours of a palette for placeholders, and a light colour for banners. */
function placeholderColours(palette: readonly string[]): PlaceholderColours {
  const byLightness = palette.toSorted((a, b) => contrast(b, 'white') - contrast(a, 'white'));
  const at = (index: number): string => byLightness.at(index) ?? '#808080';
  return { dark: at(1), light: at(-3), banner: at(-2) };
}
