import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { identityRules } from './identity.ts';
import { negotiationRules } from './negotiation.ts';
import { condition, exactly, refuse, rewriteRule } from './rewrite-rule.ts';
import { quote } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { mediaFilePattern, mediaPath } from '../media.ts';
import { ERROR_STATUSES } from '../error-responses.ts';

const REFUSED = '%{ENV:REDIRECT_STATUS}';
const METHOD = '%{REQUEST_METHOD}';

/** The rewrite rules: from a request to the file that it is answered with. */
export function rewriting(rules: EdgeRules): string[] {
  const { list, config } = rules.endpoints;
  const both = exactly(list, config);
  return [
    '# --- What was refused, and comes back from ErrorDocument as a GET ----------------------------------------------------',
    '# (OPTIONS is "refused" with 200: httpd itself answers it without a body.) Only httpd can set REDIRECT_STATUS.',
    '',
    ...[list, config].flatMap((endpoint) =>
      rewriteRule({
        when: [condition(REFUSED, '=200')],
        path: exactly(endpoint),
        to: published(endpoint, 'options.json'),
        flags: ['L'],
      }),
    ),
    ...rewriteRule({
      when: [condition(REFUSED, `^(${ERROR_STATUSES.join('|')})$`)],
      path: `^(?:${escapeRegExp(list.path)}|${escapeRegExp(mediaPath(rules))})`,
      to: '${THEMECAST_DIR}/answers/%1.json',
      flags: ['L'],
    }),
    '',
    '# --- What there is: the two endpoints, and pictures ------------------------------------------------------------------',
    '',
    '# Nothing else lies below. The published files of the endpoints are reached through them alone.',
    ...refuse(`^${escapeRegExp(list.path)}(?!(?:${below(list, config)}/?)?$)`, 404),
    ...refuse(`^${escapeRegExp(mediaPath(rules))}`, 405, [condition(METHOD, '!^(?:GET|HEAD)$')]),
    ...refuse(`^${escapeRegExp(mediaPath(rules))}(?!${mediaFilePattern()}$)`, 404),
    '',
    '# No later rule has a say in the pictures and in the paths that lack their slash.',
    ...rewriteRule({
      path: `^(?:${escapeRegExp(mediaPath(rules))}|(?:${[list, config].map(withoutSlash).join('|')})$)`,
      to: '-',
      flags: ['L'],
    }),
    '',
    ...refuse(both, 200, [condition(METHOD, '=OPTIONS')]),
    ...[list, config]
      .filter(({ methods }) => methods.includes('POST'))
      .flatMap((endpoint) => refuse(exactly(endpoint), 403, [condition(METHOD, '=POST')])),
    ...refuse(both, 405, [condition(METHOD, '!^(?:GET|HEAD)$')]),
    '',
    '# --- Which rendering -------------------------------------------------------------------------------------------------',
    '',
    ...negotiationRules(both),
    '',
    '# --- Who asks --------------------------------------------------------------------------------------------------------',
    '',
    ...identityRules(rules),
    '',
    '# --- The file --------------------------------------------------------------------------------------------------------',
    '',
    '# The theme is a slug that a map or a rule above has named; nothing that a request says becomes part of a path. Should it be',
    '# gone from the published files, the default theme (index, browse) stands in.',
    ...RENDERINGS.flatMap(({ rendering, type }) => {
      const file = published(config, `%{ENV:themecast_theme}.${rendering}`);
      const when = [condition('%{ENV:themecast_rendering}', `=${rendering}`), `${quote(file)} -f`];
      return rewriteRule({ when, path: exactly(config), to: file, flags: [...type, 'L'] });
    }),
    ...[list, config].flatMap((endpoint) =>
      RENDERINGS.flatMap(({ rendering, file, type }) =>
        rewriteRule({
          when: [condition('%{ENV:themecast_rendering}', `=${rendering}`)],
          path: exactly(endpoint),
          to: published(endpoint, file),
          flags: [...type, 'L'],
        }),
      ),
    ),
  ];
}

/** JSON is the type of everything below LIST, unless a rule says otherwise. */
const RENDERINGS = [
  { rendering: 'html', file: 'browse.html', type: ['T=text/html; charset=utf-8'] },
  { rendering: 'json', file: 'index.json', type: [] },
] as const;

function withoutSlash({ path }: EdgeEndpoint): string {
  return escapeRegExp(path.slice(0, -1));
}

/** `config`: what CONFIG is called below LIST. */
export function below(list: EdgeEndpoint, config: EdgeEndpoint): string {
  return escapeRegExp(config.path.slice(list.path.length, -1));
}

function published({ folder }: EdgeEndpoint, file: string): string {
  return `\${THEMECAST_ROOT}${folder}${file}`;
}
