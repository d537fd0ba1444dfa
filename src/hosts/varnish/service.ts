import { GENERATED_COMMENT, noValidatorsComment } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { deliver, commonHeaders, synthetic } from './responses.ts';
import { backendError, backendFetch, backendResponse } from './origin.ts';
import { STATE } from './state.ts';
import { redirectRequests, redirectSubroutines } from './redirects.ts';
import { block, firstOf, quote, oneOf } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { mediaFilePattern, mediaPath } from '../media.ts';
import { RANGE_HEADERS, VALIDATION_HEADERS } from '../request-headers.ts';

/** `service.vcl`: the two endpoints, all paths below them, and images. */
export function serviceVcl(rules: EdgeRules): string {
  const redirects = redirectSubroutines(rules);
  const sections: readonly (readonly [comment: string, lines: string[]])[] = [
    ['The rules store their state in request headers, which clients must not set.', receive(rules)],
    ['', route(rules)],
    ...(redirects.length === 0 ? [] : [['Old paths of images, and what they lead to.', redirects] as const]),
    ['One object per file, independent of the user and of the Host header.', hash()],
    ['Requests to the origin contain no header of the client.', backendFetch(rules)],
    ['', backendResponse(rules)],
    ['', backendError()],
    ['', deliver(rules)],
    ['', synthetic(rules)],
    ['The headers of every response.', commonHeaders(rules)],
  ];
  return `# themecast: the theme service. Include it before your own subroutines, after a backend named themecast.
# ${GENERATED_COMMENT} Requests for other paths continue with the subroutines that follow.
import std;

include "./requests.vcl";

${sections.map(([comment, lines]) => `${comment === '' ? '' : `# ${comment}\n`}${lines.join('\n')}\n`).join('\n')}`;
}

/** `theme-service.vcl`: a Varnish that serves nothing else. */
export function theService(): string {
  return `# themecast: a dedicated Varnish for the theme service. To use an existing one, include themecast/service.vcl instead.
include "./service.vcl";

${block('sub vcl_recv', ['set req.http.X-Themecast = "nothing";', 'return (synth(404));']).join('\n')}
`;
}

function receive(rules: EdgeRules): string[] {
  const schemas = rules.schemas.map(({ path }) => `|^${escapeRegExp(path)}(?:\\?|$)`).join('');
  const ours = `^${escapeRegExp(rules.endpoints.list.path.slice(0, -1))}(?:[/?]|$)|^${escapeRegExp(mediaPath(rules))}${schemas}`;
  return block('sub vcl_recv', [
    ...STATE.map((name) => `unset req.http.${name};`),
    ...redirectRequests(rules),
    ...block(`if (req.url ~ ${quote(ours)})`, ['call themecast_receive;']),
  ]);
}

function route(rules: EdgeRules): string[] {
  const { basePath, endpoints } = rules;
  const { list, config } = endpoints;
  const withoutSlash = oneOf([list, config].map(({ path }) => path.slice(0, -1)));
  const path = (pattern: string) => `req.url ~ ${quote(`^${pattern}(?:\\?|$)`)}`;
  const image = `(/media/${mediaFilePattern()})`;
  return block('sub themecast_receive', [
    'set req.backend_hint = themecast;',
    'set req.http.X-Themecast = "nothing";',
    '# Files are sent in full and uncompressed.',
    ...unset(...RANGE_HEADERS, 'Accept-Encoding'),
    ...firstOf(
      [
        [path(escapeRegExp(list.path)), 'set req.http.X-Themecast = "list";'],
        [path(escapeRegExp(config.path)), 'set req.http.X-Themecast = "config";'],
        [path(withoutSlash), 'return (synth(301));'],
        [path(escapeRegExp(basePath) + image), 'set req.http.X-Themecast = "picture";'],
        ...rules.schemas.map(
          (schema) =>
            [
              path(escapeRegExp(schema.path)),
              'set req.http.X-Themecast = "schema";',
              `set req.http.X-Themecast-File = ${quote(schema.file)};`,
            ] as const,
        ),
      ],
      ['return (synth(404));'],
    ),
    '',
    ...firstOf([
      [
        'req.http.X-Themecast == "picture"',
        ...block('if (req.method != "GET" && req.method != "HEAD")', ['return (synth(405));']),
        `set req.http.X-Themecast-File = regsub(req.url, ${quote(`^${escapeRegExp(basePath)}([^?]*).*$`)}, "\\1");`,
        'return (hash);',
      ],
      ...(rules.schemas.length === 0 ? [] : [SCHEMA]),
    ]),
    '',
    'call themecast_negotiate;',
    ...firstOf(
      [
        ['req.method == "OPTIONS"', ...unset(...VALIDATION_HEADERS), ...optionsFile(rules)],
        ['req.method == "POST" && req.http.X-Themecast == "list"', 'return (synth(403));'],
        ['req.method != "GET" && req.method != "HEAD"', 'return (synth(405));'],
        ['req.http.X-Themecast-Rendering == "404"', 'return (synth(404));'],
        ['req.http.X-Themecast-Rendering == "406"', 'return (synth(406));'],
        ['req.http.X-Themecast == "list"', ...fileOfRendering(list.folder)],
      ],
      [
        ...noValidatorsComment('The origin'),
        ...unset(...VALIDATION_HEADERS),
        'call themecast_identify;',
        ...fileOfRendering(config.folder),
        ...block('if (req.http.X-Themecast-Theme)', [
          '# If the files of a theme do not exist, the default theme is served.',
          'set req.http.X-Themecast-Instead = req.http.X-Themecast-File;',
          `set req.http.X-Themecast-File = ${quote(config.folder)} + req.http.X-Themecast-Theme + "." + req.http.X-Themecast-Rendering;`,
        ]),
      ],
    ),
    'return (hash);',
  ]);
}

/** Error responses have no file. */
const SCHEMA = [
  'req.http.X-Themecast == "schema"',
  ...block('if (req.method != "GET" && req.method != "HEAD")', [
    'unset req.http.X-Themecast-File;',
    'return (synth(405));',
  ]),
  'return (hash);',
] as const;

function fileOfRendering(folder: string): string[] {
  return firstOf(
    [['req.http.X-Themecast-Rendering == "html"', `set req.http.X-Themecast-File = ${quote(`${folder}browse.html`)};`]],
    [`set req.http.X-Themecast-File = ${quote(`${folder}index.json`)};`],
  );
}

function optionsFile({ endpoints }: EdgeRules): string[] {
  return Object.values(endpoints).flatMap(({ kind, folder }) =>
    block(`if (req.http.X-Themecast == ${quote(kind)})`, [
      `set req.http.X-Themecast-File = ${quote(`${folder}options.json`)};`,
    ]),
  );
}

function hash(): string[] {
  return block('sub vcl_hash', [
    ...block('if (req.http.X-Themecast-File)', [
      'hash_data("themecast");',
      'hash_data(req.http.X-Themecast-File);',
      'return (lookup);',
    ]),
  ]);
}

function unset(...names: readonly string[]): string[] {
  return names.map((name) => `unset req.http.${name};`);
}
