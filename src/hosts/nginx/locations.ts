import type { EdgeRules } from '../contract.ts';
import { loginUrl, rulesFrom } from '../identity-rules.ts';
import { MEDIA_TYPES } from '../media.ts';
import { redirectPairs } from '../redirects.ts';
import { METHOD, namedRows, type Place, type Row, type SentFile } from '../rows.ts';
import type { View } from '../template.ts';
import { headerVariable, quote, quoteTemplate } from './syntax.ts';

/**
 * What `locations.conf` has, for server{}: every path of the service leads to the internal location of a row. That sets again what the
 * server may set for all: files are sent in full, as the JSON that they are.
 */
export function locationsView(rules: EdgeRules, places: readonly Place[]): View {
  const { list, config } = rules.endpoints;
  const others = places
    .flatMap(({ paths, isFolder }) => paths.map((path) => ({ path, isFolder })))
    .filter(({ path }) => !path.startsWith(list.path));
  const answer = answerFolder(rules);
  const rows = namedRows(rules, places);
  const login = loginUrl(rules.identity);
  return {
    answer,
    moved: redirectPairs(rules).length > 0,
    paths: [{ path: list.path, isFolder: true }, ...others].map(
      ({ path, isFolder }) => `${isFolder ? '^~' : '='} ${quote(uri(path))}`,
    ),
    document_root: quote(rules.origin.document_root),
    rows: rows.filter((row) => !isPersonal(row)).map((row) => rowView(row, answer)),
    personal: `${config.kind}_`,
    personal_rows: rows.filter(isPersonal).map((row) => rowView(row, answer)),
    types: MEDIA_TYPES.map(({ mediaType, extensions }) => `${mediaType} ${extensions.join(' ')}`),
    login: login === undefined ? '' : quote(new URL(login).href),
    login_headers: rulesFrom(rules.identity, 'auth_request').map(({ rule, credential }) => ({
      rule: String(rule),
      header: headerVariable('upstream_http', credential.header),
    })),
    login_tls: login?.startsWith('https:') === true,
  };
}

/** The folder of the internal locations, one for each row, to be written between double quotes. */
export function answerFolder({ endpoints: { list } }: EdgeRules): string {
  return quote(`${uri(list.path)}answer`).slice(1, -1);
}

/** The URI that nginx matches: the path after percent-decoding. */
function uri(path: string): string {
  return decodeURIComponent(path);
}

function isPersonal({ send }: Row): boolean {
  return 'fallback' in send;
}

function rowView({ name, send }: Row, answer: string): View {
  if ('file' in send) return { name, directives: fileDirectives(send) };
  if ('published' in send) return { name, directives: 'try_files $themecast_path =404;' };
  if ('redirect' in send)
    return {
      name,
      directives: `error_page 404 "${answer}/404"; error_page 418 =301 @themecast_redirect; return 418;`,
    };
  const { status, body } = send;
  // The only variable in a body: nginx rejects methods with characters other than A–Z, `_` and `-`.
  const text = status === 405 ? quoteTemplate(body.replace(METHOD, '$request_method')) : quote(body);
  return { name, directives: `return ${status} ${text};` };
}

function fileDirectives({ file, fallback, type }: SentFile): string {
  const [mediaType = '', charset] = type.split('; charset=');
  const files =
    fallback === undefined ? [quote(file)] : [quoteTemplate(file.replace('*', '$themecast_theme_1')), quote(fallback)];
  return [
    ...(mediaType === 'application/json' ? [] : [`default_type ${mediaType};`]),
    // nginx adds the charset to few types by default, and warns if text/html is listed.
    ...(charset === undefined || mediaType === 'text/html' ? [] : [`charset_types ${mediaType};`]),
    ...(charset === undefined ? [] : [`charset ${charset};`]),
    `try_files ${files.join(' ')} =404;`,
  ].join(' ');
}
