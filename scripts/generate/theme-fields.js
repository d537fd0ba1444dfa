import { meaningOf, SETTING_DEFAULTS, themeSchema } from '../../lib/theme/schema.js';
import { table } from './markdown.js';

/** The fields of `theme.yaml`. */
export function fieldTable() {
  return table(
    ['field', 'default', 'meaning'],
    themeSchema
      .keyof()
      .options.map((field) => [
        `\`${field}\``,
        field in SETTING_DEFAULTS
          ? `\`${SETTING_DEFAULTS[/** @type {keyof typeof SETTING_DEFAULTS} */ (field)]}\``
          : field === 'is_default'
            ? '`false`'
            : 'none',
        meaningOf(field),
      ]),
  );
}
