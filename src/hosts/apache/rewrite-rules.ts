import { heading } from '../config-file.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { identityRules } from './identity.ts';
import { negotiationRules } from './negotiation.ts';
import { condition, exactly, respondWithError, rewriteRule } from './rewrite-rule.ts';
import { quote } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { mediaFilePattern, mediaPath } from '../media.ts';
import { ERROR_STATUSES } from '../error-responses.ts';

const STATUS = '%{ENV:REDIRECT_STATUS}';
const METHOD = '%{REQUEST_METHOD}';

/** The rewrite rules: from a request to the file of its response. */
export function rewriteRules(rules: EdgeRules): string[] {
  const { list, config } = rules.endpoints;
  return [
    heading('Error responses: requests that come back from ErrorDocument as a GET'),
    '# (OPTIONS is an "error" with status 200: httpd itself responds to it without a body.) Only httpd can set REDIRECT_STATUS.',
    '',
    ...errorRules(rules),
    '',
    heading('Paths and methods: the two endpoints, and images'),
    '',
    '# No other path exists. The published files of the endpoints are served through them alone.',
    ...pathRules(rules),
    '',
    heading('Content negotiation'),
    '',
    ...negotiationRules(exactly(list, config)),
    '',
    heading('Identity'),
    '',
    ...identityRules(rules),
    '',
    heading('The file'),
    '',
    '# The theme is a slug from a map or a rule above; no part of a request becomes part of a path. If the files of the theme do not',
    '# exist, the default theme (index, browse) is served.',
    ...fileRules(rules),
  ];
}

function errorRules(rules: EdgeRules): string[] {
  const { list, config } = rules.endpoints;
  return [
    ...[list, config].flatMap((endpoint) =>
      rewriteRule({
        when: [condition(STATUS, '=200')],
        path: exactly(endpoint),
        to: published(endpoint, 'options.json'),
        flags: ['L'],
      }),
    ),
    ...rewriteRule({
      when: [condition(STATUS, `^(${ERROR_STATUSES.join('|')})$`)],
      path: `^(?:${escapeRegExp(list.path)}|${escapeRegExp(mediaPath(rules))})`,
      to: '${THEMECAST_DIR}/answers/%1.json',
      flags: ['L'],
    }),
  ];
}

function pathRules(rules: EdgeRules): string[] {
  const { list, config } = rules.endpoints;
  const both = exactly(list, config);
  const media = escapeRegExp(mediaPath(rules));
  return [
    ...respondWithError(`^${escapeRegExp(list.path)}(?!(?:${below(list, config)}/?)?$)`, 404),
    ...respondWithError(`^${media}`, 405, [condition(METHOD, '!^(?:GET|HEAD)$')]),
    ...respondWithError(`^${media}(?!${mediaFilePattern()}$)`, 404),
    '',
    ...schemaRules(rules),
    '# Images and paths without their slash: no later rule applies.',
    ...rewriteRule({
      path: `^(?:${media}|(?:${[list, config].map(withoutSlash).join('|')})$)`,
      to: '-',
      flags: ['L'],
    }),
    '',
    ...respondWithError(both, 200, [condition(METHOD, '=OPTIONS')]),
    ...[list, config]
      .filter(({ methods }) => methods.includes('POST'))
      .flatMap((endpoint) => respondWithError(exactly(endpoint), 403, [condition(METHOD, '=POST')])),
    ...respondWithError(both, 405, [condition(METHOD, '!^(?:GET|HEAD)$')]),
  ];
}

function schemaRules({ schemas }: EdgeRules): string[] {
  if (schemas.length === 0) return [];
  return [
    ...respondWithError(exactly(...schemas), 405, [condition(METHOD, '!^(?:GET|HEAD)$')]),
    ...schemas.flatMap((schema) =>
      rewriteRule({ path: exactly(schema), to: `\${THEMECAST_ROOT}${schema.file}`, flags: ['L'] }),
    ),
    '',
  ];
}

function fileRules({ endpoints: { list, config } }: EdgeRules): string[] {
  return [
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

/** Everything below LIST has the type of JSON unless a rule sets another. */
const RENDERINGS = [
  { rendering: 'html', file: 'browse.html', type: ['T=text/html; charset=utf-8'] },
  { rendering: 'json', file: 'index.json', type: [] },
] as const;

function withoutSlash({ path }: EdgeEndpoint): string {
  return escapeRegExp(path.slice(0, -1));
}

/** The path of CONFIG below LIST: `config`. */
export function below(list: EdgeEndpoint, config: EdgeEndpoint): string {
  return escapeRegExp(config.path.slice(list.path.length, -1));
}

function published({ folder }: EdgeEndpoint, file: string): string {
  return `\${THEMECAST_ROOT}${folder}${file}`;
}
