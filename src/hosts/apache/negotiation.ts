import { assign, condition, refuse } from './rewrite-rule.ts';
import { acceptPatterns, FORMAT_PARAMETER, HTML_WINS, notAcceptable, type Rendering } from '../negotiation.ts';

/** Format asked for, then how precisely Accept names JSON and HTML. */
const ASKED = '%{ENV:themecast_format}:%{ENV:themecast_accepts_json}%{ENV:themecast_accepts_html}';

/**
 * Content negotiation as in `src/edge-runtime/negotiate.ts`.
 * @param path - regular expression for the paths that it is for
 */
export function negotiationRules(path: string): string[] {
  return [
    '# The first `format` of the query, undecoded.',
    ...assign(path, 'format', '%1', [condition('%{QUERY_STRING}', `${FORMAT_PARAMETER}([^&]*)`)]),
    ...refuse(path, 404, [condition('%{ENV:themecast_format}', '!^(?:json|api)?$')]),
    '',
    '# How precisely Accept names each rendering: 3 with a parameter, 2 type/subtype, 1 type/*, 0 */* or no Accept, - not at all.',
    '# As in Django REST Framework the most precise entry wins, ties go to JSON, and q is not looked at (nor does it count as a',
    '# parameter). The later rule overrides.',
    ...(['json', 'html'] as const).flatMap((rendering) => [
      ...assign(path, `accepts_${rendering}`, '-'),
      ...precisions(rendering).flatMap((pattern, precision) =>
        assign(path, `accepts_${rendering}`, String(precision), [condition('%{HTTP:Accept}', pattern, 'NC')]),
      ),
    ]),
    '',
    ...refuse(path, 406, [condition(ASKED, notAcceptable({ both: '', json: 'json', html: 'api' }))]),
    ...assign(path, 'rendering', 'json'),
    ...assign(path, 'rendering', 'html', [condition(ASKED, `^(?::${HTML_WINS}|api:..)$`)]),
  ];
}

/** Regular expressions for Accept, by precision; empty is as absent. */
function precisions(rendering: Rendering): string[] {
  const [anything, ...others] = acceptPatterns(rendering);
  return [`^$|${anything}`, ...others];
}
