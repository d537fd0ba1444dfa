import type { EdgeEndpoint, Rendering } from '../edge-runtime/rules.ts';
import type { EdgeRules } from './contract.ts';
import { anyOf } from './regexp.ts';
import type { View } from './template.ts';

// Content negotiation as data, for hosts that negotiate by regular expressions. `src/edge-runtime/negotiate.ts` says what it means.

/** Finds the first `format` parameter of a query string, undecoded; its value follows. */
const FORMAT_PARAMETER = '(?:^|&)format=';

/** Words for no `format`, and for one that there is not. */
const ANY_FORMAT = 'any';
const NO_FORMAT = 'none';

/** A parameter of a media type other than `q` (PCRE). */
const PARAMETER = String.raw`(?!\s*q\s*=)[^,;]*=`;

/** What templates of configurations have for it, whatever the host. */
export function negotiationView({ endpoints }: EdgeRules): View {
  const formats = renderingsOf(Object.values(endpoints)).map(({ format }) => format);
  return {
    format_parameter: FORMAT_PARAMETER,
    any_format: ANY_FORMAT,
    no_format: NO_FORMAT,
    formats,
    format_pattern: formats.join('|'),
    negotiation_comment: NEGOTIATION_COMMENT,
  };
}

/**
 * Content negotiation: case-insensitive regular expressions for `<endpoint>:<format>:<Accept>`, for the formats that some endpoint has, or none,
 * with the rendering of each, or 406. The first that matches decides; none: 404. As in Django REST Framework, the most precise entry of
 * Accept wins: one with a parameter, type/subtype, type/*, anything.
 * @param anyFormat - the host's word for no `format`
 * @param parameter - matches a parameter other than `q`, for engines without look-ahead
 */
export function outcomes(
  { endpoints }: EdgeRules,
  { anyFormat = ANY_FORMAT, parameter = PARAMETER } = {},
): [pattern: string, outcome: string][] {
  const all = Object.values(endpoints);
  const renderings = renderingsOf(all);
  const having = ({ name }: Rendering): string =>
    anyOf(all.filter((endpoint) => endpoint.renderings.some((own) => own.name === name)).map(({ kind }) => kind));
  const negotiated = renderings.filter(({ isExplicit }) => isExplicit !== true);
  return [
    ...renderings
      .filter(({ isExplicit }) => isExplicit === true)
      .map((rendering): [string, string] => [`^${having(rendering)}:${rendering.format}:`, rendering.name]),
    ...[0, 1, 2, 3].flatMap((index) =>
      negotiated.map((rendering): [string, string] => [
        `^${having(rendering)}:(?:${anyFormat}|${rendering.format}):${acceptPatterns(rendering.mediaType, parameter)[index]}`,
        rendering.name,
      ]),
    ),
    ...all.map(({ kind, renderings: own }): [string, string] => [
      `^${kind}:(?:${[anyFormat, ...own.map(({ format }) => format)].join('|')}):`,
      '406',
    ]),
  ];
}

/** The renderings of all endpoints: one has those of the other, in the same order, and may have more. */
function renderingsOf(endpoints: readonly EdgeEndpoint[]): readonly Rendering[] {
  return endpoints.map(({ renderings }) => renderings).toSorted((a, b) => b.length - a.length)[0] ?? [];
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
const NEGOTIATION_COMMENT = `# As in Django REST Framework: the most precise entry of Accept wins (with a parameter, type/subtype, type/*, */*), ties go to
# JSON, and q is ignored (nor does it count as a parameter).`;
