import { type Markup, markup, prose } from './html.ts';

/** What a theme lacks, by field, with the reason. */
export type Missing = ReadonlyMap<string, string>;

export const NOTHING_MISSING: Missing = new Map();

/** Names may be broken at their underscores. */
const BREAK = markup`_<wbr>`;

/** Takes the place of an image or a value that is missing. */
export function missingBox(field: string, missing: Missing): Markup | undefined {
  const reason = missing.get(field);
  return reason === undefined
    ? undefined
    : markup`<span class="missing"><code>${field.split('_').map((part, at) => markup`${at === 0 ? '' : BREAK}${part}`)}</code><span>${prose(reason)}</span></span>`;
}
