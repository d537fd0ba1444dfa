import type { IdentityRule } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { loginUrl, rulesFrom } from '../identity-rules.ts';
import { MEDIA_TYPES, mediaFilePattern } from '../media.ts';
import { redirectPairs } from '../redirects.ts';
import { escapeRegExp } from '../regexp.ts';
import { METHOD, namedRows, type Place, type Row, type SentFile, type SentStatus } from '../rows.ts';
import type { View } from '../template.ts';
import { block, headerVariable, quote, quoteTemplate } from './syntax.ts';

/** Timeouts of the login service, in seconds: the request for a theme waits for it, and then continues as anonymous. */
const CONNECT_TIMEOUT = 1;
export const READ_TIMEOUT = 2;

/**
 * What `locations.conf` has, for server{}: the two endpoints, all paths below them, files and images. Every location sets again what the
 * server may set for all: files are sent in full, as the JSON that they are, without stale copies. `gzip_static.con[f]` is a glob, which
 * may match no file: without its module nginx rejects the directive, and configuration cannot test for modules.
 */
export function locationsView(rules: EdgeRules, places: readonly Place[]): View {
  const list = uri(rules.endpoints.list.path);
  // Without its quotes.
  const answer = quote(`${list}answer`).slice(1, -1);
  const folder = places.find(({ isFolder }) => isFolder);
  const mediaFolder = uri(folder?.path ?? '');
  const root = rules.origin.document_root;
  const login = loginUrl(rules.identity);
  return {
    answer,
    moved: redirectPairs(rules).length > 0,
    to_row: `rewrite ^ "${answer}/$themecast_row" last;`,
    paths: places.flatMap(({ path, isFolder }) => (path === undefined || isFolder ? [] : [quote(uri(path))])),
    list: quote(list),
    not_found: quote(rules.refusals.notFound),
    document_root: quote(root),
    rows: namedRows(rules, places).flatMap((row) => rowLocation(row, rules, answer)),
    login: login === undefined ? '' : quote(new URL(login).href),
    login_tls: login?.startsWith('https:') === true,
    connect_timeout: String(CONNECT_TIMEOUT),
    read_timeout: String(READ_TIMEOUT),
    media: quote(mediaFolder),
    media_folder: quote(`${root.replace(/(?<!\/)\/+$/, '')}/media/`),
    image: quoteTemplate(`^${escapeRegExp(mediaFolder)}${mediaFilePattern()}$`),
    not_allowed: folder?.rows.at(-1)?.name ?? '404',
    types: MEDIA_TYPES.map(({ mediaType, extensions }) => ({
      media_type: mediaType,
      extensions: extensions.join(' '),
    })),
  };
}

/** The URI that nginx matches: the path after percent-decoding. */
function uri(path: string): string {
  return decodeURIComponent(path);
}

function rowLocation({ name, send }: Row, { identity }: EdgeRules, answer: string): string[] {
  if ('image' in send) return [];
  const directives =
    'redirect' in send
      ? [`error_page 404 "${answer}";`, 'error_page 418 =301 @themecast_redirect;', 'return 418;']
      : 'status' in send
        ? [statusOf(send)]
        : fileDirectives(send, queryLogin(send.fallback === undefined ? [] : identity, `${answer}/`));
  const location = `location = "${answer}/${name}"`;
  const line = `${location} { ${directives.join(' ')} }`;
  return line.length <= 200 ? [line] : block(location, directives);
}

/** The only variable in a body: nginx rejects methods with characters other than A–Z, `_` and `-`. */
function statusOf({ status, body }: SentStatus): string {
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
    ...(validators
      ? []
      : ['etag off;', 'if_modified_since off;', 'include themecast/headers.conf;', 'add_header Last-Modified "";']),
    ...identity,
    `try_files ${files.join(' ')} =404;`,
  ];
}

/** Queries the login service and stores its response, for the locations that send the theme of a user. */
function queryLogin(identity: readonly IdentityRule[], folder: string): string[] {
  const rules = rulesFrom(identity, 'auth_request');
  if (rules.length === 0) return [];
  return [
    `auth_request ${quote(`${folder}login`)};`,
    // Status and header in one variable: only the header of a 2xx response counts. A status contains no `=`.
    ...rules.map(({ rule, credential }) => {
      const header = headerVariable('upstream_http', credential.header);
      return `auth_request_set $themecast_login_${rule} ${quoteTemplate(`$upstream_status=${header}`)};`;
    }),
  ];
}
