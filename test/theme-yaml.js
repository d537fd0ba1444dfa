// The theme.yaml of tests, with all required fields. In JavaScript, because some long tests run without a compiler.
import { ANY_IMAGE_FIELDS, FIELDS } from '../lib/core/theme/fields/fields.js';

/** Nine colours, as authored and as published. */
export const PALETTE = {
  authored: [
    '#ff0000',
    'lime',
    'rgb(0 0 255)',
    ...'hsl(60,100%,50%) #0ff black white gray hsl(219,100%,52%)'.split(' '),
  ],
  published: [
    ...'hsl(0,100%,50%) hsl(120,100%,50%) hsl(240,100%,50%) hsl(60,100%,50%) hsl(180,100%,50%)'.split(' '),
    ...'hsl(0,0%,0%) hsl(0,0%,100%) hsl(0,0%,50%) hsl(219,100%,52%)'.split(' '),
  ],
};

/** The file of each image field, unless a test sets another. */
const IMAGES = Object.fromEntries(
  ANY_IMAGE_FIELDS.map((field) => {
    if (FIELDS[field].page === 'banners') return [field, 'banner.png'];
    return [field, field === 'favicon' ? 'favicon.png' : 'logo.svg'];
  }),
);

/**
 * Returns the fields of a theme, with defaults for all required ones.
 * @param {string} slug
 * @param {number} index - the first theme is the default one; ids count from 1
 * @param {Readonly<Record<string, unknown>>} [fields] - override the defaults; `undefined` omits a field
 * @returns {Record<string, unknown>}
 */
export function themeFields(slug, index, fields = {}) {
  return {
    id: index + 1,
    name: slug,
    is_default: index === 0,
    palette_preview: PALETTE.authored,
    ...IMAGES,
    ...fields,
  };
}

/**
 * Returns fields as YAML. JSON is valid YAML, so values need no other quoting.
 * @param {Readonly<Record<string, unknown>>} fields
 */
export function yamlOf(fields) {
  const lines = Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [`${field}: ${JSON.stringify(value)}`],
  );
  return `${lines.join('\n')}\n`;
}
