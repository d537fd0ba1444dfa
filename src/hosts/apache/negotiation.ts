import { assign, condition, respondWithError } from './rewrite-rule.ts';
import {
  acceptPatterns,
  FORMAT_PARAMETER,
  HTML_WINS,
  notAcceptable,
  PRECISION_COMMENT,
  type Rendering,
} from '../negotiation.ts';

/** The requested format, then the precision with which Accept names JSON and HTML. */
const CHOICE = '%{ENV:themecast_format}:%{ENV:themecast_accepts_json}%{ENV:themecast_accepts_html}';

/**
 * Content negotiation as in `src/edge-runtime/negotiate.ts`.
 * @param path - regular expression for the paths of the endpoints
 */
export function negotiationRules(path: string): string[] {
  return [
    '# The first `format` parameter of the query, not decoded.',
    ...assign(path, 'format', '%1', [condition('%{QUERY_STRING}', `${FORMAT_PARAMETER}([^&]*)`)]),
    ...respondWithError(path, 404, [condition('%{ENV:themecast_format}', '!^(?:json|api)?$')]),
    '',
    ...PRECISION_COMMENT,
    '# A later rule overrides an earlier one.',
    ...(['json', 'html'] as const).flatMap((rendering) => [
      ...assign(path, `accepts_${rendering}`, '-'),
      ...precisions(rendering).flatMap((pattern, precision) =>
        assign(path, `accepts_${rendering}`, String(precision), [condition('%{HTTP:Accept}', pattern, 'NC')]),
      ),
    ]),
    '',
    ...respondWithError(path, 406, [condition(CHOICE, notAcceptable({ both: '', json: 'json', html: 'api' }))]),
    ...assign(path, 'rendering', 'json'),
    ...assign(path, 'rendering', 'html', [condition(CHOICE, `^(?::${HTML_WINS}|api:..)$`)]),
  ];
}

/** Regular expressions for Accept, by precision; an empty header counts as absent. */
function precisions(rendering: Rendering): string[] {
  const [anything, ...others] = acceptPatterns(rendering);
  return [`^$|${anything}`, ...others];
}
