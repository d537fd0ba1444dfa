import { RENDERINGS as MEDIA_TYPES } from '../document/endpoint.ts';

// Content negotiation as data, for hosts that negotiate by regular expressions. `src/edge-runtime/negotiate.ts` says what it means.

export interface Rendering {
  name: 'json' | 'html';
  /** The value of the `format` parameter. */
  format: string;
  mediaType: string;
}

/** The renderings of both endpoints, in the order in which ties go. */
export const RENDERINGS: readonly Rendering[] = [
  { name: 'json', format: 'json', mediaType: MEDIA_TYPES.json },
  { name: 'html', format: 'api', mediaType: MEDIA_TYPES.api },
];

/** Finds the first `format` parameter of a query string, undecoded; its value follows. */
export const FORMAT_PARAMETER = '(?:^|&)format=';

/** Words for no `format`, and for one that there is not. */
export const ANY_FORMAT = 'any';
export const NO_FORMAT = 'none';

/** A parameter of a media type other than `q` (PCRE). */
const PARAMETER = String.raw`(?!\s*q\s*=)[^,;]*=`;

/**
 * Content negotiation: case-insensitive regular expressions for `<format>:<Accept>` with the rendering of each. The first that matches
 * decides; none: 406. As in Django REST Framework, the most precise entry of Accept wins: one with a parameter, type/subtype, type/*, anything.
 * @param anyFormat - the host's word for no `format`
 * @param parameter - matches a parameter other than `q`, for engines without look-ahead
 */
export function outcomes({ anyFormat = ANY_FORMAT, parameter = PARAMETER } = {}): [
  pattern: string,
  rendering: string,
][] {
  return [0, 1, 2, 3].flatMap((index) =>
    RENDERINGS.map(({ name, format, mediaType }): [string, string] => [
      `^(?:${anyFormat}|${format}):${acceptPatterns(mediaType, parameter)[index]}`,
      name,
    ]),
  );
}

/** What `Accept` must have, from the most to the least precise. */
function acceptPatterns(mediaType: string, parameter: string): readonly string[] {
  const [type = '', subtype = ''] = mediaType.split('/');
  const entry = (form: string) => String.raw`(?:.*,)?\s*${form}`;
  const end = String.raw`\s*(?:[;,]|$)`;
  return [
    entry(String.raw`${type}/${subtype}\s*;(?:[^,]*;)?${parameter}`),
    entry(`${type}/${subtype}${end}`),
    entry(String.raw`${type}/\*${end}`),
    `(?:$|${entry(String.raw`\*/(?:\*|${subtype})${end}`)})`,
  ];
}

/** Explains the outcomes in the configuration of a host. */
export const NEGOTIATION_COMMENT = [
  '# As in Django REST Framework: the most precise entry of Accept wins (with a parameter, type/subtype, type/*, */*), ties go to',
  '# JSON, and q is ignored (nor does it count as a parameter).',
] as const;
