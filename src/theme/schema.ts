import { z } from 'zod';
import { form } from '../source/validate.ts';

/** Longest `name`, in characters. */
const NAME_LENGTH = 100;
/** Greatest length of a setting, in pixels. */
const PIXELS = 2000;

const picture = (about: string) =>
  z
    .string('a path or an https URL')
    .min(1)
    .max(2000)
    .meta({
      description: `${about} A path beside this file, or an https URL on one of the site's allowed_hosts. Always required: here, or in the theme that this one extends.`,
    });

const imageSet = (about: string) =>
  z
    .union(
      [
        z.string().min(1).max(2000),
        z.strictObject({ original: z.string().min(1).max(2000), thumbnail: z.string().min(1).max(2000) }),
      ],
      {
        error: 'a path, or `{original: URL, thumbnail: URL}`',
      },
    )
    .meta({
      description: `${about} A path beside this file (the thumbnail is made by the build), or {original: URL, thumbnail: URL}. Always required: here, or in the theme that this one extends.`,
    });

const logoType = (mode: string, otherwise: string) =>
  z.string().meta({
    description: `Which variant ${mode} shows. NORMAL, INVERSE or another of the site's logo_types.`,
    examples: ['NORMAL', 'INVERSE'],
    default: otherwise,
  });

const pixels = (about: string, otherwise: number, least = 0) =>
  z
    .int()
    .min(least)
    .max(PIXELS)
    .meta({ description: `${about}, in pixels.`, default: otherwise });

/** What an editor may write in `theme.yaml`: the 22 fields of the interface and `extends`; a field that is absent is inherited or has a default. */
export const themeSchema = z
  .strictObject({
    extends: z.string().min(1).meta({
      description: 'Folder name of the theme that every field absent here is taken from (all but id and is_default).',
    }),
    id: z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ description: 'Unique and permanent number of the theme.' }),
    name: z
      .string()
      .min(1)
      .max(NAME_LENGTH)
      .refine(
        (name) => name.trim() === name && !/[\r\n\t]/.test(name),
        form('a single line without white space at its ends', 'name: Meadow'),
      )
      .meta({ description: 'Short name of the theme.' }),
    favicon: picture('The icon in the browser tab: square, at least 32 pixels.'),
    logo: picture('The logo for light grounds.'),
    logo_inverse: picture('The light-on-dark variant of the logo.'),
    compact_logo: picture('The small logo for light grounds.'),
    compact_logo_inverse: picture('The light-on-dark variant of the small logo.'),
    logo_site: imageSet('The logo of the site; its thumbnail fits 250×250 pixels.'),
    light_mode_logo_type: logoType('light mode', 'NORMAL'),
    dark_mode_logo_type: logoType('dark mode', 'INVERSE'),
    logo_alignment: z.string().meta({
      description: "Where the logo stands: left, center, right or another of the site's logo_alignments.",
      examples: ['left', 'center', 'right'],
      default: 'left',
    }),
    logo_height: pixels('Height of the logo', 40, 1),
    logo_margin_left: pixels('Margin left of the logo', 0),
    logo_margin_top: pixels('Margin above the logo', 0),
    compact_light_mode_logo_type: logoType('light mode, of the small logo,', 'NORMAL'),
    compact_dark_mode_logo_type: logoType('dark mode, of the small logo,', 'INVERSE'),
    compact_logo_size: pixels('Width and height of the small logo', 32, 1),
    default_group_banner: imageSet('The banner of groups that have none; its thumbnail fits 2200×2200 pixels.'),
    default_event_banner: imageSet('The banner of events that have none; its thumbnail fits 2200×2200 pixels.'),
    default_user_profile_banner: imageSet(
      'The banner of user profiles that have none; its thumbnail fits 2200×2200 pixels.',
    ),
    is_default: z.boolean().meta({
      description: 'Whether anonymous and unknown visitors get this theme; true in exactly one theme.',
      default: false,
    }),
    palette_preview: z.array(z.string()).meta({
      description: 'Nine opaque colours in any CSS syntax. Quote those that start with # and those in a [list].',
      minItems: 9,
      maxItems: 9,
    }),
  })
  .partial();

/** What is published for a setting that neither a theme nor what it extends has. Pictures, `id`, `name` and `palette_preview` have no default. */
export const SETTING_DEFAULTS = {
  light_mode_logo_type: 'NORMAL',
  dark_mode_logo_type: 'INVERSE',
  logo_alignment: 'left',
  logo_height: 40,
  logo_margin_left: 0,
  logo_margin_top: 0,
  compact_light_mode_logo_type: 'NORMAL',
  compact_dark_mode_logo_type: 'INVERSE',
  compact_logo_size: 32,
} as const;

export type ThemeFields = z.output<typeof themeSchema>;

/** What a field means, without what is said of every picture. */
export function meaningOf(field: keyof ThemeFields): string {
  const { description = '' } = themeSchema.shape[field].unwrap();
  return description.replace(/ A path beside.*| Always required:.*/, '');
}

/** What JSON Schema says of a field, as far as forms need it. */
export interface FieldSchema {
  type?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: string | number | boolean;
}

/** The fields of `theme.yaml` as JSON Schema has them, in their order. */
export function fieldSchemas(): Record<keyof ThemeFields, FieldSchema> {
  return z.toJSONSchema(themeSchema, { io: 'input', unrepresentable: 'any' }).properties as Record<
    keyof ThemeFields,
    FieldSchema
  >;
}
