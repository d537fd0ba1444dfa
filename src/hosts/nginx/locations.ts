import { GENERATED_COMMENT, heading, noValidatorsComment } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { MEDIA_TYPES, mediaFilePattern } from '../media.ts';
import { redirectPairs } from '../redirects.ts';
import { escapeRegExp } from '../regexp.ts';
import { METHOD, notFoundRow, type Place, type Row, type SentFile } from '../rows.ts';
import { loginLocations, queryLogin } from './login.ts';
import { block, quote, quoteTemplate } from './syntax.ts';

/** What every location sets again, whatever the server sets for all: files are sent in full, as the JSON that they are, without stale copies. */
const FILES = [
  'types { }',
  'default_type application/json;',
  'charset off;',
  'expires off;',
  'etag on;',
  'max_ranges 0;',
  // A glob, which may match no file: without its module nginx rejects the directive, and configuration cannot test for modules.
  'include themecast/gzip_static.con[f];',
];
const HEADERS = 'include themecast/headers.conf;';

/** `locations.conf`, for server{}: the two endpoints, all paths below them, files and images. */
export function locationsConf(rules: EdgeRules, places: readonly Place[]): string {
  const { list } = rules.endpoints;
  const answer = `${uri(list.path)}answer`;
  const toRow = `rewrite ^ ${quoteTemplate(`${answer}/$themecast_row`)} last;`;
  const paths = places.filter(({ path, isFolder }) => path !== undefined && !isFolder);
  const rows = new Map([notFoundRow(rules), ...places.flatMap((place) => place.rows)].map((row) => [row.name, row]));
  return [
    '# themecast: the locations of the theme service. Include it in server{}, and maps.conf in http{}.',
    `# ${GENERATED_COMMENT} No directive of the server is inherited: its root, headers, types and error pages do not matter.`,
    '',
    ...(redirectPairs(rules).length > 0 ? [`if ($themecast_place = moved) { ${toRow} }`] : []),
    ...paths.map(({ path = '' }) => `location = ${quote(uri(path))} { ${toRow} }`),
    '',
    '# No other path exists. The published files of the endpoints are served through them alone.',
    ...block(`location ^~ ${quote(uri(list.path))}`, [...FILES, HEADERS, statusOf(notFoundRow(rules))]),
    '',
    heading('The responses: internal locations'),
    '',
    ...block(`location ^~ ${quote(`${answer}/`)}`, [
      'internal;',
      '# For external requests, too.',
      notFound(answer),
      `root ${quote(rules.origin.document_root)};`,
      ...FILES,
      HEADERS,
      '',
      ...noValidatorsComment('nginx'),
      '# If the files of a theme do not exist, the default theme is served.',
      ...[...rows.values()].flatMap((row) => rowLocation(row, rules, answer)),
      ...loginLocations(rules.identity, `${answer}/`, notFound(answer)),
    ]),
    '# Through a named location: `return 301` would send a page that names the version of nginx.',
    ...block('location @themecast_redirect', [
      'types { }',
      'default_type "";',
      'charset off;',
      'expires off;',
      HEADERS,
      'return 200 "";',
    ]),
    '',
    heading('Images'),
    '',
    ...media(rules, places, answer),
    '',
  ].join('\n');
}

/** The URI that nginx matches: the path after percent-decoding. */
function uri(path: string): string {
  return decodeURIComponent(path);
}

function notFound(answer: string): string {
  return `error_page 404 ${quote(answer)};`;
}

function rowLocation({ name, send }: Row, { identity }: EdgeRules, answer: string): string[] {
  if ('image' in send) return [];
  const directives =
    'redirect' in send
      ? [notFound(answer), 'error_page 418 =301 @themecast_redirect;', 'return 418;']
      : 'status' in send
        ? [statusOf({ send })]
        : fileDirectives(send, queryLogin(send.fallback === undefined ? [] : identity, `${answer}/`));
  const location = `location = ${quote(`${answer}/${name}`)}`;
  const line = `${location} { ${directives.join(' ')} }`;
  return line.length <= 200 ? [line] : block(location, directives);
}

/** The only variable in a body: nginx rejects methods with characters other than A–Z, `_` and `-`. */
function statusOf({ send }: Pick<Row, 'send'>): string {
  if (!('status' in send)) throw new Error('Bug: the row has no status.');
  const { status, body } = send;
  return `return ${status} ${status === 405 ? quoteTemplate(body.replace(METHOD, '$request_method')) : quote(body)};`;
}

function fileDirectives({ file, fallback, type, validators }: SentFile, identity: readonly string[]): string[] {
  const [mediaType = '', charset] = type.split('; charset=');
  const files =
    fallback === undefined ? [quote(file)] : [quoteTemplate(file.replace('*', '$themecast_theme_1')), quote(fallback)];
  return [
    ...(mediaType === 'application/json' ? [] : [`default_type ${mediaType};`]),
    // nginx adds the charset to few types by default, and warns if text/html is listed.
    ...(charset === undefined || mediaType === 'text/html' ? [] : [`charset_types ${mediaType};`]),
    ...(charset === undefined ? [] : [`charset ${charset};`]),
    ...(validators ? [] : ['etag off;', 'if_modified_since off;', HEADERS, 'add_header Last-Modified "";']),
    ...identity,
    `try_files ${files.join(' ')} =404;`,
  ];
}

function media(rules: EdgeRules, places: readonly Place[], answer: string): string[] {
  return places.flatMap(({ path, isFolder, rows }) => {
    if (path === undefined || !isFolder) return [];
    const notAllowed = quote(`${answer}/${rows.at(-1)?.name ?? '404'}`);
    return block(`location ^~ ${quote(uri(path))}`, [
      `alias ${quote(`${rules.origin.document_root.replace(/(?<!\/)\/+$/, '')}/media/`)};`,
      ...FILES,
      HEADERS,
      statusOf(notFoundRow(rules)),
      '',
      ...block(`location ~ ${quoteTemplate(`^${escapeRegExp(uri(path))}${mediaFilePattern()}$`)}`, [
        `error_page 404 ${quote(answer)};`,
        `if ($request_method !~ "^(?:GET|HEAD)$") { rewrite ^ ${notAllowed} last; }`,
        ...block(
          'types',
          MEDIA_TYPES.map(({ mediaType, extensions }) => `${mediaType} ${extensions.join(' ')};`),
        ),
      ]),
    ]);
  });
}
