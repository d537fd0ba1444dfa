import { type AnyImageField, FIELDS, LOGO_TYPE_FIELDS, type LogoTypeField } from '../theme/fields/fields.ts';
import type { ThemeSettings } from '../theme/resolve.ts';

/** The setting that a mode reads to choose between a logo and its inverse variant. */
export interface LogoChoice {
  field: LogoTypeField;
  mode: (typeof FIELDS)[LogoTypeField]['mode'];
  normal: (typeof FIELDS)[LogoTypeField]['logo'];
}

export const LOGO_CHOICES = LOGO_TYPE_FIELDS.map((field): LogoChoice => {
  const { mode, logo } = FIELDS[field];
  return { field, mode, normal: logo };
});

export type LogoField = LogoChoice['normal'] | `${LogoChoice['normal']}_inverse`;
export type Mode = LogoChoice['mode'];

/** Returns the mode whose pages an image is for. */
export function modeOf(field: AnyImageField): Mode {
  return field.endsWith('_inverse') ? 'dark' : 'light';
}

/** Returns the field of the logo that a mode shows: the inverse variant for `INVERSE`, the normal variant for any other value. */
export function chosenLogo(theme: Pick<ThemeSettings, LogoTypeField>, { field, normal }: LogoChoice): LogoField {
  return theme[field] === 'INVERSE' ? `${normal}_inverse` : normal;
}

/** Returns the field of the logo, or compact logo, that a mode shows. */
export function logoOf(theme: Pick<ThemeSettings, LogoTypeField>, mode: Mode, normal: LogoChoice['normal']): LogoField {
  const choice = LOGO_CHOICES.find((entry) => entry.mode === mode && entry.normal === normal);
  return choice === undefined ? normal : chosenLogo(theme, choice);
}
