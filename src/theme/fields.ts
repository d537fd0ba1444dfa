/** The 22 fields of the interface's theme record, in its order, by what they hold. */
export const FIELDS = {
  id: 'setting',
  name: 'setting',
  favicon: 'picture',
  logo: 'picture',
  logo_inverse: 'picture',
  compact_logo: 'picture',
  compact_logo_inverse: 'picture',
  logo_site: 'image_set',
  light_mode_logo_type: 'setting',
  dark_mode_logo_type: 'setting',
  logo_alignment: 'setting',
  logo_height: 'setting',
  logo_margin_left: 'setting',
  logo_margin_top: 'setting',
  compact_light_mode_logo_type: 'setting',
  compact_dark_mode_logo_type: 'setting',
  compact_logo_size: 'setting',
  default_group_banner: 'image_set',
  default_event_banner: 'image_set',
  default_user_profile_banner: 'image_set',
  is_default: 'setting',
  palette_preview: 'setting',
} as const;

export type Field = keyof typeof FIELDS;
type FieldsOf<Kind> = { [F in Field]: (typeof FIELDS)[F] extends Kind ? F : never }[Field];
/** The fields that hold the URL of an image. */
export type PictureField = FieldsOf<'picture'>;
/** The fields that hold an image set. */
export type ImageSetField = FieldsOf<'image_set'>;

export const PICTURE_FIELDS = fieldsOf('picture');
export const IMAGE_SET_FIELDS = fieldsOf('image_set');

function fieldsOf<Kind extends (typeof FIELDS)[Field]>(kind: Kind): readonly FieldsOf<Kind>[] {
  return (Object.keys(FIELDS) as Field[]).filter((field): field is FieldsOf<Kind> => FIELDS[field] === kind);
}
