import { assign, condition, refuse } from './rewrite-rule.ts';

const RENDERINGS = [
  ['json', 'application', 'json'],
  ['html', 'text', 'html'],
] as const;

/** Format asked for, then how precisely Accept names JSON and HTML. */
const ASKED = '%{ENV:themecast_format}:%{ENV:themecast_accepts_json}%{ENV:themecast_accepts_html}';

/**
 * Content negotiation as in `src/edge-runtime/negotiate.ts`.
 * @param path - regular expression for the paths that it is for
 */
export function negotiationRules(path: string): string[] {
  return [
    '# The first `format` of the query, undecoded.',
    ...assign(path, 'format', '%1', [condition('%{QUERY_STRING}', '(?:^|&)format=([^&]*)')]),
    ...refuse(path, 404, [condition('%{ENV:themecast_format}', '!^(?:json|api)?$')]),
    '',
    '# How precisely Accept names each rendering: 3 with a parameter, 2 type/subtype, 1 type/*, 0 */* or no Accept, - not at all.',
    '# As in Django REST Framework the most precise entry wins, ties go to JSON, and q is not looked at (nor does it count as a',
    '# parameter). The later rule overrides.',
    ...RENDERINGS.flatMap(([rendering, type, subtype]) => [
      ...assign(path, `accepts_${rendering}`, '-'),
      ...precisions(type, subtype).flatMap((pattern, precision) =>
        assign(path, `accepts_${rendering}`, String(precision), [condition('%{HTTP:Accept}', pattern, 'NC')]),
      ),
    ]),
    '',
    ...refuse(path, 406, [condition(ASKED, '^(?::--|json:-.|api:.-)$')]),
    ...assign(path, 'rendering', 'json'),
    ...assign(path, 'rendering', 'html', [condition(ASKED, '^(?::(?:-[0-3]|0[1-3]|1[23]|23)|api:..)$')]),
  ];
}

/** Regular expressions for Accept, by precision. */
function precisions(type: string, subtype: string): string[] {
  return [
    `^$|(?:^|,)\\s*\\*/(?:\\*|${subtype})\\s*(?:[;,]|$)`,
    `(?:^|,)\\s*${type}/\\*\\s*(?:[;,]|$)`,
    `(?:^|,)\\s*${type}/${subtype}\\s*(?:[;,]|$)`,
    `(?:^|,)\\s*${type}/${subtype}\\s*;(?:[^,]*;)?(?!\\s*q\\s*=)[^,;]*=`,
  ];
}
