import { captured, quote } from './syntax.ts';
import { acceptPatterns, type Rendering } from '../negotiation.ts';

/** How precise an entry of `Accept` is that names a media type: 3 with parameters, 2 type/subtype, 1 type/*, 0 anything. */
const PRECISIONS = [0, 1, 2, 3] as const;

/** In the order in which a tie is overruled: JSON last, because it wins. */
const RENDERINGS = ['html', 'json'] as const;

/** Content negotiation as in `src/edge-runtime/negotiate.ts`, for GET and HEAD: leaves the rendering in a variable, none for 406. */
export function negotiationRules(): string[] {
  return [
    '# The first `format` of the query, undecoded. (url_param() would also begin to read after a second question mark.)',
    `http-request set-var(txn.themecast_format) ${quote(`pathq,${captured('[^?]*[?](?:[^&]*&)*?format=([^&]*).*')}`)}`,
    "acl offers_html var(txn.themecast_format) -m reg '^(?:api)?$'",
    "acl offers_json var(txn.themecast_format) -m reg '^(?:json)?$'",
    '',
    '# How precisely Accept names a type: 3 with a parameter, 2 as it is, 1 type/*, 0 anything. As in Django REST Framework q is',
    '# not looked at (nor does it count as a parameter). Any of several header lines may match.',
    ...RENDERINGS.flatMap(acceptAcls),
    '',
    '# The most precise entry wins and ties go to JSON: each of these lines overrules those before it.',
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
