import { type ImageSetField, type PictureField } from '../theme/fields.ts';
import type { Theme } from '../theme/resolve.ts';

/** An image with its thumbnail (interface, §2). */
export interface ImageSet {
  /** Absolute URL of the image as it was authored. */
  original: string;
  /** Absolute URL of the thumbnail. */
  thumbnail: string;
}

/** The theme record of the interface, §2: 22 fields, in its order. Images are absolute URLs, lengths are in CSS pixels. */
export interface ThemeRecord {
  id: number;
  name: string;
  favicon: string;
  logo: string;
  logo_inverse: string;
  compact_logo: string;
  compact_logo_inverse: string;
  logo_site: ImageSet;
  light_mode_logo_type: string;
  dark_mode_logo_type: string;
  logo_alignment: string;
  logo_height: number;
  logo_margin_left: number;
  logo_margin_top: number;
  compact_light_mode_logo_type: string;
  compact_dark_mode_logo_type: string;
  compact_logo_size: number;
  default_group_banner: ImageSet;
  default_event_banner: ImageSet;
  default_user_profile_banner: ImageSet;
  is_default: boolean;
  palette_preview: string[];
}

/** The absolute URLs under which the pictures of a theme are published. */
export type PictureUrls = Record<PictureField, string> & Record<ImageSetField, ImageSet>;

/** The record as the list has it. */
export function listRecord(theme: Theme, urls: PictureUrls): ThemeRecord {
  const { settings } = theme;
  return {
    id: theme.id,
    name: theme.name,
    favicon: urls.favicon,
    logo: urls.logo,
    logo_inverse: urls.logo_inverse,
    compact_logo: urls.compact_logo,
    compact_logo_inverse: urls.compact_logo_inverse,
    logo_site: urls.logo_site,
    light_mode_logo_type: settings.light_mode_logo_type,
    dark_mode_logo_type: settings.dark_mode_logo_type,
    logo_alignment: settings.logo_alignment,
    logo_height: settings.logo_height,
    logo_margin_left: settings.logo_margin_left,
    logo_margin_top: settings.logo_margin_top,
    compact_light_mode_logo_type: settings.compact_light_mode_logo_type,
    compact_dark_mode_logo_type: settings.compact_dark_mode_logo_type,
    compact_logo_size: settings.compact_logo_size,
    default_group_banner: urls.default_group_banner,
    default_event_banner: urls.default_event_banner,
    default_user_profile_banner: urls.default_user_profile_banner,
    is_default: theme.is_default,
    palette_preview: [...theme.palette_preview],
  };
}

/** The record as the config endpoint has it: the same, with an empty palette (interface, §2). */
export function configRecord(record: ThemeRecord): ThemeRecord {
  return { ...record, palette_preview: [] };
}
