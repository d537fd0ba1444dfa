/*
 * The JSON Schema of the interface document (version 2), §2, with the limits of docs/themes.md, written by hand. This file imports nothing,
 * so that an error in the table of fields cannot make its own test pass.
 */

const url = { type: 'string', pattern: '^https?://' };
const imageSet = { type: 'object', properties: { original: url, thumbnail: url }, required: ['original', 'thumbnail'] };
const word = { type: 'string' };
const length = (minimum: number) => ({ type: 'integer', minimum, maximum: 2000 });

const properties = {
  id: { type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 },
  name: { type: 'string', minLength: 1, maxLength: 100 },
  favicon: url,
  logo: url,
  logo_inverse: url,
  compact_logo: url,
  compact_logo_inverse: url,
  logo_site: imageSet,
  light_mode_logo_type: word,
  dark_mode_logo_type: word,
  logo_alignment: word,
  logo_height: length(1),
  logo_margin_left: length(0),
  logo_margin_top: length(0),
  compact_light_mode_logo_type: word,
  compact_dark_mode_logo_type: word,
  compact_logo_size: length(1),
  default_group_banner: imageSet,
  default_event_banner: imageSet,
  default_user_profile_banner: imageSet,
  is_default: { type: 'boolean' },
  palette_preview: {
    type: 'array',
    maxItems: 9,
    items: {
      type: 'string',
      pattern: '^hsl\\((0|[1-9][0-9]?|[12][0-9]{2}|3[0-5][0-9]),(0|[1-9][0-9]?|100)%,(0|[1-9][0-9]?|100)%\\)$',
    },
  },
};

const record = { type: 'object', properties, required: Object.keys(properties) };
const palette = (limits: object) => ({
  type: 'object',
  properties: { palette_preview: { type: 'array', ...limits } },
});

/** The schemas by kind of document. */
export const HAND_WRITTEN = {
  record,
  list: { type: 'array', items: { allOf: [record, palette({ minItems: 9 })] } },
  config: { allOf: [record, palette({ maxItems: 0 })] },
};
