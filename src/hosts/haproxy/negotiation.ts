import { captured, quote } from './syntax.ts';
import { acceptPatterns, PRECISION_COMMENT, type Rendering } from '../negotiation.ts';

/** Precisions of an `Accept` entry: 3 with parameters, 2 type/subtype, 1 type/*, 0 anything. */
const PRECISIONS = [0, 1, 2, 3] as const;

/** Later renderings override earlier ones: JSON is last, because it wins ties. */
const RENDERINGS = ['html', 'json'] as const;

/** Content negotiation as in `src/edge-runtime/negotiate.ts`, for GET and HEAD: stores the rendering in a variable, which is unset for 406. */
export function negotiationRules(): string[] {
  return [
    '# The first `format` parameter of the query, not decoded. (url_param() would also read after a second question mark.)',
    `http-request set-var(txn.themecast_format) ${quote(`pathq,${captured('[^?]*[?](?:[^&]*&)*?format=([^&]*).*')}`)}`,
    "acl offers_html var(txn.themecast_format) -m reg '^(?:api)?$'",
    "acl offers_json var(txn.themecast_format) -m reg '^(?:json)?$'",
    '',
    ...PRECISION_COMMENT,
    '# Any of several header lines may match.',
    ...RENDERINGS.flatMap(acceptAcls),
    '',
    '# Each of these lines overrides the previous ones.',
    ...PRECISIONS.flatMap((precision) =>
      RENDERINGS.map(
        (name) =>
          `http-request set-var(txn.themecast_rendering) str(${name}) if offers_${name} accepts_${name}_${precision}`,
      ),
    ),
  ];
}

function acceptAcls(rendering: Rendering): string[] {
  const acls = acceptPatterns(rendering).map(
    (pattern, precision) => `acl accepts_${rendering}_${precision} req.fhdr(Accept) -m reg -i ${quote(pattern)}`,
  );
  return [
    `acl accepts_${rendering}_0 req.fhdr_cnt(Accept) eq 0`,
    `acl accepts_${rendering}_0 req.fhdr(Accept) -m len 0`,
    ...acls,
  ];
}
