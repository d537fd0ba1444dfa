import { LABELS, meaningOf, RECORD_FIELDS, ROWS } from '../../lib/core/theme/fields/fields.js';
import { table } from './markdown.js';

/** Lists the fields of `theme.yaml`, with their labels in the browser editor. */
export function fieldTable() {
  return table(
    ['field', 'in the editor', 'default', 'meaning'],
    [
      ['`extends`', LABELS.extends, '', meaningOf('extends')],
      ...RECORD_FIELDS.map((field) => {
        const row = ROWS[field];
        return [`\`${field}\``, LABELS[field], 'default' in row ? `\`${row.default}\`` : 'required', meaningOf(field)];
      }),
      ['`palette_dark`', '', '', meaningOf('palette_dark')],
      ['`accept`', '', '', meaningOf('accept')],
    ],
  );
}
