import { type Field, LABELS } from '../../theme/fields/fields.ts';
import { type Markup, markup, prose } from './html.ts';

/** The fields that a theme lacks, with the reasons. */
export type Missing = ReadonlyMap<string, string>;

export const NOTHING_MISSING: Missing = new Map();

const BREAK = markup`_<wbr>`;

/** Returns the name of a field, with line breaks allowed at its underscores. */
export function fieldName(field: string): Markup {
  return markup`<code class="key">${field.split('_').map((part, at) => markup`${at === 0 ? '' : BREAK}${part}`)}</code>`;
}

/** Returns a box in place of a missing image or value. */
export function missingBox(field: string, missing: Missing): Markup | undefined {
  const reason = missing.get(field);
  return reason === undefined
    ? undefined
    : markup`<span class="missing" data-field="${field}"><b>${LABELS[field as Field] ?? field}</b> ${fieldName(field)}<span>${prose(reason)}</span></span>`;
}
