import type { Field } from '../theme/fields.ts';

/** What designers call the fields. */
export const LABELS: Readonly<Record<Field | 'extends', string>> = {
  id: 'Number',
  name: 'Name',
  extends: 'Based on',
  favicon: 'Browser icon',
  logo: 'Logo',
  logo_inverse: 'Logo for dark pages',
  compact_logo: 'Small logo',
  compact_logo_inverse: 'Small logo for dark pages',
  logo_site: 'Site logo',
  light_mode_logo_type: 'Logo in light mode',
  dark_mode_logo_type: 'Logo in dark mode',
  logo_alignment: 'Position',
  logo_height: 'Height',
  logo_margin_left: 'Space to the left',
  logo_margin_top: 'Space above',
  compact_light_mode_logo_type: 'Small logo in light mode',
  compact_dark_mode_logo_type: 'Small logo in dark mode',
  compact_logo_size: 'Size of the small logo',
  default_group_banner: 'Group banner',
  default_event_banner: 'Event banner',
  default_user_profile_banner: 'Profile banner',
  is_default: 'Default theme',
  palette_preview: 'Colours',
};
