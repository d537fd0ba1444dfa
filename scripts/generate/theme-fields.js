import { meaningOf, RECORD_FIELDS, ROWS } from '../../lib/theme/fields.js';
import { table } from './markdown.js';

/** The fields of `theme.yaml`. */
export function fieldTable() {
  return table(
    ['field', 'default', 'meaning'],
    [
      ['`extends`', 'none', meaningOf('extends')],
      ...RECORD_FIELDS.map((field) => {
        const row = ROWS[field];
        return [`\`${field}\``, 'default' in row ? `\`${row.default}\`` : 'none', meaningOf(field)];
      }),
      ['`accept`', 'none', meaningOf('accept')],
    ],
  );
}
