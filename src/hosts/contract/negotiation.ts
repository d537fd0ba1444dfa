import type { EdgeEndpoint, Rendering } from '../../core/edge-runtime/rules.ts';
import type { EdgeRules } from './contract.ts';
import { anyOf } from '../adapter/regexp.ts';
import type { View } from '../adapter/template.ts';

// Content negotiation as data, for hosts that negotiate by regular expressions. `src/core/edge-runtime/negotiate.ts` explains the rules.

/** Matches the beginning of a query string up to the undecoded value of its first `format` parameter. */
const FORMAT_PARAMETER = '(?:^|&)format=';

/** Placeholders for a missing and for an unsupported `format`. */
const ANY_FORMAT = 'any';
const NO_FORMAT = 'none';

/** A parameter of a media type other than `q` (PCRE). */
const PARAMETER = String.raw`(?!\s*q\s*=)[^,;]*=`;

/** Returns the template values for content negotiation that all hosts share. */
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
 * Returns case-insensitive regular expressions for `<endpoint>:<format>:<Accept>`, each with its rendering or 406. The first match
 * decides; without a match the response is 404. As in Django REST Framework, the most precise entry of Accept wins: parameter,
 * type/subtype, type/*, then anything.
 * @param anyFormat - the host's placeholder for a missing `format`
 * @param parameter - matches a parameter other than `q`, for engines without look-ahead
 */
export function outcomes(
  { endpoints }: EdgeRules,
  { anyFormat = ANY_FORMAT, parameter = PARAMETER } = {},
): [pattern: string, outcome: string][] {
  const { theme, ...negotiating } = endpoints;
  const all = Object.values(negotiating);
  const renderings = renderingsOf(all);
  const having = ({ name }: Rendering): string =>
    anyOf(
      all
        .filter((endpoint) => endpoint.renderings.some((rendering) => rendering.name === name))
        .map(({ kind }) => kind),
    );
  const negotiated = renderings.filter(({ isExplicit }) => isExplicit !== true);
  return [
    // A theme by its id: `format` alone.
    ...theme.renderings.map(({ name, format, isExplicit }): [string, string] => [
      `^${theme.kind}:${isExplicit ? format : anyOf([anyFormat, format])}:`,
      name,
    ]),
    ...renderings
      .filter(({ isExplicit }) => isExplicit === true)
      .map((rendering): [string, string] => [`^${having(rendering)}:${rendering.format}:`, rendering.name]),
    ...[0, 1, 2, 3].flatMap((index) =>
      negotiated.map((rendering): [string, string] => [
        `^${having(rendering)}:(?:${anyFormat}|${rendering.format}):${acceptPatterns(rendering.mediaType, parameter)[index]}`,
        rendering.name,
      ]),
    ),
    ...all.map(({ kind, renderings: offered }): [string, string] => [
      `^${kind}:(?:${[anyFormat, ...offered.map(({ format }) => format)].join('|')}):`,
      '406',
    ]),
  ];
}

/** Returns the renderings of all endpoints. One endpoint has all of them, so the longest list is complete. */
function renderingsOf(endpoints: readonly EdgeEndpoint[]): readonly Rendering[] {
  return endpoints.map(({ renderings }) => renderings).toSorted((a, b) => b.length - a.length)[0] ?? [];
}

/** Returns patterns for `Accept`, from the most to the least precise. */
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

/** The explanation of the outcomes, for the configuration of a host. */
const NEGOTIATION_COMMENT = `# As in Django REST Framework: the most precise entry of Accept wins (with a parameter, type/subtype, type/*, */*), ties go to
# JSON, and q is ignored (nor does it count as a parameter).`;
