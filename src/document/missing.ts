import { type Field, LABELS } from '../theme/fields.ts';
import { type Markup, markup, prose } from './html.ts';

/** What a theme lacks, by field, with the reason. */
export type Missing = ReadonlyMap<string, string>;

export const NOTHING_MISSING: Missing = new Map();

const BREAK = markup`_<wbr>`;

/** The name of a field, which may be broken at its underscores. */
export function fieldName(field: string): Markup {
  return markup`<code class="key">${field.split('_').map((part, at) => markup`${at === 0 ? '' : BREAK}${part}`)}</code>`;
}

/** Takes the place of an image or a value that is missing. */
export function missingBox(field: string, missing: Missing): Markup | undefined {
  const reason = missing.get(field);
  return reason === undefined
    ? undefined
    : markup`<span class="missing" data-field="${field}"><b>${LABELS[field as Field] ?? field}</b> ${fieldName(field)}<span>${prose(reason)}</span></span>`;
}
