import type { PictureField } from '../theme/fields.ts';
import type { ThemeRecord } from './record.ts';

/** Which setting a mode reads to choose between a logo and its inverse variant. */
export const LOGO_CHOICES = [
  { field: 'light_mode_logo_type', mode: 'light', normal: 'logo' },
  { field: 'dark_mode_logo_type', mode: 'dark', normal: 'logo' },
  { field: 'compact_light_mode_logo_type', mode: 'light', normal: 'compact_logo' },
  { field: 'compact_dark_mode_logo_type', mode: 'dark', normal: 'compact_logo' },
] as const satisfies { field: keyof ThemeRecord; mode: string; normal: PictureField }[];

export type LogoChoice = (typeof LOGO_CHOICES)[number];
export type LogoField = LogoChoice['normal'] | `${LogoChoice['normal']}_inverse`;
export type Mode = LogoChoice['mode'];

/** The logo that a mode shows: the inverse one for `INVERSE`, the normal one for any other value. */
export function chosenLogo(theme: ThemeRecord, { field, normal }: LogoChoice): LogoField {
  return theme[field] === 'INVERSE' ? `${normal}_inverse` : normal;
}

/** The logo, or the compact one, that a mode shows. */
export function logoOf(theme: ThemeRecord, mode: Mode, normal: LogoChoice['normal']): LogoField {
  const choice = LOGO_CHOICES.find((one) => one.mode === mode && one.normal === normal);
  return choice === undefined ? normal : chosenLogo(theme, choice);
}
