import { RENDERINGS } from '../document/endpoint.ts';

// Content negotiation as data, for hosts that negotiate by regular expressions. `src/edge-runtime/negotiate.ts` says what it means.

export type Rendering = 'json' | 'html';

/** Type and subtype of each rendering. */
const MEDIA_TYPES = { json: RENDERINGS.json, html: RENDERINGS.api } as const;

/** Finds the first `format` parameter of a query string, undecoded; its value follows. */
export const FORMAT_PARAMETER = '(?:^|&)format=';

/** A parameter of a media type other than `q` (PCRE). */
const PARAMETER = String.raw`(?!\s*q\s*=)[^,;]*=`;

/** Regular expressions for `Accept`, by precision: 0 anything, 1 type/*, 2 type/subtype, 3 with a parameter. */
export type AcceptPatterns = readonly [anything: string, type: string, subtype: string, parameter: string];

/**
 * How precisely `Accept` names a rendering: the greatest precision whose pattern matches. A missing or empty header has precision 0.
 * @param parameter - matches a parameter other than `q`, for engines without look-ahead
 */
export function acceptPatterns(rendering: Rendering, parameter = PARAMETER): AcceptPatterns {
  const [type = '', subtype = ''] = MEDIA_TYPES[rendering].split('/');
  const entry = (form: string) => String.raw`(?:^|,)\s*${form}`;
  const end = String.raw`\s*(?:[;,]|$)`;
  return [
    entry(String.raw`\*/(?:\*|${subtype})${end}`),
    entry(String.raw`${type}/\*${end}`),
    entry(`${type}/${subtype}${end}`),
    entry(String.raw`${type}/${subtype}\s*;(?:[^,]*;)?${parameter}`),
  ];
}

/** Matches the precisions of JSON and HTML, one character each and `-` for no match, where HTML wins. Ties go to JSON. */
export const HTML_WINS = '(?:-[0-3]|0[1-3]|1[23]|23)';

/**
 * Matches `<offered>:<precision of JSON><precision of HTML>` where no rendering is acceptable.
 * @param offered - what the `format` parameter offers, as the host writes it
 */
export function notAcceptable({ both, json, html }: Readonly<Record<'both' | Rendering, string>>): string {
  return `^(?:${both}:--|${json}:-.|${html}:.-)$`;
}

/** What `format` offers, for hosts that give it these names. */
export const OFFERED = { both: 'both', json: 'json', html: 'html' } as const;

/** Explains the precisions in the configuration of a host. */
export const PRECISION_COMMENT = [
  '# The precision with which Accept names each rendering: 3 with a parameter, 2 type/subtype, 1 type/*, 0 */* or no Accept, - no',
  '# match. As in Django REST Framework the most precise entry wins, ties go to JSON, and q is ignored (nor does it count as a parameter).',
] as const;
