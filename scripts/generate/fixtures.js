import { createHash } from 'node:crypto';
import { VALUE_LISTS } from '../../lib/core/theme/fields/field-rows.js';
import {
  CHOICE_FIELDS,
  FIELDS,
  fieldsWhere,
  imageFileName,
  LOGO_TYPE_FIELDS,
  RECORD_FIELDS,
  SETTING_DEFAULTS,
} from '../../lib/core/theme/fields/fields.js';
import { sizeMarker } from '../../lib/core/theme/fields/thumbnail-spec.js';

/** @typedef {Record<string, unknown>} Theme */

const PALETTE =
  'hsl(209,78%,15%) hsl(208,67%,27%) hsl(207,60%,40%) hsl(206,55%,52%) hsl(205,62%,66%) hsl(204,70%,80%) hsl(43,96%,56%) hsl(14,80%,50%) hsl(0,0%,100%)'.split(
    ' ',
  );
const EXTREME_PALETTE = ['hsl(0,0%,0%)', 'hsl(0,100%,100%)', 'hsl(359,99%,1%)', ...PALETTE.slice(3)];

/** @param {string} slug @param {string} name @param {string} marker - of a thumbnail */
function url(slug, name, marker = '') {
  const hash = createHash('sha256').update(`${slug}/${name}${marker}`).digest('hex').slice(0, 16);
  return `https://community.example.org/media/${slug}/${name.replace('.', `.${hash}${marker}.`)}`;
}

/**
 * Returns a record: images of the theme, the defaults of its settings, and the given values.
 *
 * @param {number} id
 * @param {string} slug
 * @param {string} name
 * @param {Theme} changes
 * @returns {Theme}
 */
function theme(id, slug, name, changes = {}) {
  const images = fieldsWhere({ kind: 'image' }).map((field) => {
    const extension = field === 'favicon' ? 'png' : 'svg';
    return [field, url(slug, imageFileName(field, extension))];
  });
  const sets = fieldsWhere({ kind: 'image_set' }).map((field) => {
    const { page, thumbnail } = FIELDS[field];
    const [original, small] = page === 'banners' ? ['jpg', 'jpg'] : ['svg', 'png'];
    const marker = `-thumbnail-${sizeMarker(thumbnail)}`;
    const urls = {
      original: url(slug, imageFileName(field, original)),
      thumbnail: url(slug, imageFileName(field, small), marker),
    };
    return [field, urls];
  });
  /** @type {Theme} */
  const values = { ...Object.fromEntries([...images, ...sets]), ...SETTING_DEFAULTS, is_default: false };
  const record = RECORD_FIELDS.map((field) => [field, values[field] ?? []]);
  return { ...Object.fromEntries(record), id, name, ...changes };
}

/** @param {'min' | 'max'} end */
function lengths(end) {
  return Object.fromEntries(fieldsWhere({ type: 'pixels' }).map((field) => [field, FIELDS[field][end]]));
}

/** Every value of every list, and the shortest and longest lengths. */
function everyValue() {
  return Array.from({ length: 12 }, (_, n) => {
    const values = CHOICE_FIELDS.map((field, at) => {
      const list = VALUE_LISTS[FIELDS[field].values];
      return [field, list[(at % 2 === 0 ? n : n >> 1) % list.length]];
    });
    const isLong = n % 2 === 0;
    return theme(10 + n, `value-${10 + n}`, `Values ${n + 1}`, {
      ...Object.fromEntries(values),
      ...lengths(isLong ? 'max' : 'min'),
      is_default: n === 0,
      palette_preview: isLong ? EXTREME_PALETTE : PALETTE,
    });
  });
}

const LONGEST_NAME = `Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen ${'W'.repeat(41)}`;
/** Emoji of several code points, a combining accent, and a letter outside of the first plane. */
const EMOJI = '🦊🏳️\u200d🌈 Family 👩\u200d👩\u200d👧\u200d👦 \u00e9 e\u0301 \u{1d518}';

/** Returns the responses for tests of front ends, by the name of their file. */
export function clientFixtures() {
  const harbor = theme(1, 'harbor', 'Harbor', { is_default: true });
  const meadow = theme(2, 'meadow', 'Meadow');
  const longest = theme(3, 'longest-name', LONGEST_NAME);
  const rightToLeft = theme(4, 'right-to-left', 'מגדלור (Lighthouse) منارة 42');
  const motion = url('unknown-field', 'logo-motion.webm');
  const fixtures = {
    default: harbor,
    'empty-palette': meadow,
    list: [harbor, meadow, longest, rightToLeft].map((record) => ({ ...record, palette_preview: PALETTE })),
    'longest-name': { ...longest, ...lengths('max') },
    'right-to-left': rightToLeft,
    emoji: theme(5, 'emoji', EMOJI),
    'every-value': everyValue(),
    'unknown-value': theme(6, 'unknown-value', 'Unknown value', {
      ...Object.fromEntries(LOGO_TYPE_FIELDS.map((field) => [field, 'OUTLINE'])),
      logo_alignment: 'justify',
      palette_preview: PALETTE,
    }),
    'unknown-field': {
      ...theme(7, 'unknown-field', 'Unknown field'),
      logo_motion: { original: motion, loop: true },
      tags: ['winter', null, 4],
    },
  };
  return Object.fromEntries(
    Object.entries(fixtures).map(([name, value]) => [`src/client/fixtures/${name}.json`, `${json(value)}\n`]),
  );
}

/** @param {unknown} value */
function json(value) {
  // Short lists in one line, as the formatter has them.
  return JSON.stringify(value, null, 2).replaceAll(/\[\n\s+("winter"),\n\s+null,\n\s+4\n\s+\]/g, '[$1, null, 4]');
}
