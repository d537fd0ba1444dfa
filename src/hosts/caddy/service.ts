import { preflightHeaders } from '../../edge-runtime/cors.ts';
import { compact } from '../../diagnostics/compact.ts';
import { GENERATED_COMMENT, noValidatorsComment } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { mediaPath } from '../media.ts';
import { redirectPairs } from '../redirects.ts';
import { escapeRegExp } from '../regexp.ts';
import { PRECONDITION_HEADERS, RANGE_HEADERS, VALIDATION_HEADERS } from '../request-headers.ts';
import { METHOD, notFoundRow, type Place, type Row, type SentStatus, withoutPolicy } from '../rows.ts';
import { block, escapePlaceholders, headers, matcher, quote, quoteMapKey, quoteTemplate, respond } from './syntax.ts';

/** `service.caddy`, for a site: the two endpoints, all paths below them, files and images. */
export function serviceCaddy(rules: EdgeRules, places: readonly Place[]): string {
  const { list } = rules.endpoints;
  const files = places.flatMap(({ path, isFolder }) =>
    path === undefined || isFolder || path.startsWith(list.path) ? [] : [`|^${escapeRegExp(path)}$`],
  );
  const ours = `^${escapeRegExp(list.path)}|^${escapeRegExp(mediaPath(rules))}${files.join('')}`;
  const rows = [
    ...new Map([notFoundRow(rules), ...places.flatMap((place) => place.rows)].map((row) => [row.name, row])).values(),
  ];
  const isFile = ({ send }: Row) => 'file' in send || 'image' in send;
  const route = block('route', [
    'import maps.caddy',
    '',
    ...headers({ ...rules.headers.all, ...rules.headers.error, 'Content-Type': rules.contentTypes.json }),
    ...places.flatMap((place) => placeHeaders(place, rules)),
    '',
    ...rows.filter((row) => !isFile(row)).flatMap(statusRow),
    '',
    ...sendFiles(rows.filter(isFile), rules),
  ]);
  return [
    '# themecast: the theme service. Import it into a site.',
    `# ${GENERATED_COMMENT}`,
    '#',
    '# One handle, whose directives run in the order of this file (route). It matches the original path, before rewrites of the site, and sets',
    '# the folder of files, independent of the root of the site.',
    ...oldPaths(rules, places),
    `@themecast vars_regexp {http.request.orig_uri.path} ${quoteTemplate(ours)}`,
    ...block('handle @themecast', route),
    '',
  ].join('\n');
}

/** The headers of every response of a place, and those of the CORS protocol. */
function placeHeaders({ name, headers: own, cors, rows }: Place, { corsOrigins, corsHeaders }: EdgeRules): string[] {
  const lines = headers(own, `@themecast_${name}`);
  const ofOrigins = (use: string, placeholder: string, value: string, values: Readonly<Record<string, string>>) => [
    ...block(`@themecast_${name}_${use}`, [`vars ${placeholder} ${value}`, 'not vars {themecast_cors_origin} ""']),
    ...headers(values, `@themecast_${name}_${use}`),
  ];
  const allowed = {
    'Access-Control-Allow-Origin': '{themecast_cors_origin}',
    ...(cors === 'credentials' && { 'Access-Control-Allow-Credentials': 'true' }),
  };
  const options = rows.find(({ methods }) => methods.includes('OPTIONS'));
  return compact([
    lines.length > 0 && [matcher(name, '{themecast_place}', name), ...lines],
    corsOrigins.length > 0 && cors !== undefined && ofOrigins('cors', '{themecast_place}', name, allowed),
    corsOrigins.length > 0 &&
      options !== undefined &&
      ofOrigins('preflight', '{themecast_row}', options.name, preflightHeaders({ corsHeaders })),
  ]).flat();
}

/** A row that sends no file: a status, or a redirect to the path with a slash, with its query. */
function statusRow({ name, send, headers: own }: Row): string[] {
  const matched = `@themecast_${name}`;
  return [
    matcher(name, '{themecast_row}', name),
    ...headers(own, matched),
    ...('status' in send
      ? [`respond ${matched} ${bodyOf(send)} ${send.status}`]
      : [
          ...['Content-Type', 'Cache-Control'].map((header) => `header ${matched} -${header}`),
          `redir ${matched} "{http.request.orig_uri.path}/{themecast_query}" 301`,
        ]),
  ];
}

/** Caddy rejects a method that is not an HTTP token, so it needs no escaping in JSON. */
function bodyOf({ status, body }: SentStatus): string {
  if (status !== 405) return quote(body);
  return quoteTemplate(escapePlaceholders(body).replace(METHOD, '{http.request.orig_method}'));
}

const without = (names: readonly string[]) => names.map((name) => `request_header -${name}`);

/** Only files are left: the maps say which, and what they are sent with. */
function sendFiles(rows: readonly Row[], rules: EdgeRules): string[] {
  const personal = rows.filter(({ send }) => 'file' in send && !send.validators).map(({ name }) => name);
  const own = rows.flatMap(({ name, headers: all }) => {
    const others = withoutPolicy(all).filter(([header]) => header !== 'Cache-Control');
    return others.length === 0 ? [] : [{ name, others: Object.fromEntries(others) }];
  });
  return [
    ...noValidatorsComment('Caddy'),
    matcher('personal', '{themecast_row}', ...personal),
    ...block('route @themecast_personal', [...without(VALIDATION_HEADERS), 'header -Etag', 'header -Last-Modified']),
    '# Files are sent in full. If-Match is rejected for images: if it failed, Caddy would send 412 with the headers of the image, which would',
    '# be cached forever. Browsers do not send it for images.',
    ...block('@themecast_match', ['vars {themecast_row} media', 'header If-Match *']),
    respond('@themecast_match', JSON.stringify({ detail: 'If-Match is not supported.' }), 412),
    ...without([...RANGE_HEADERS, ...PRECONDITION_HEADERS]),
    'header -Accept-Ranges',
    ...headers({ 'Content-Type': '{themecast_type}', 'Cache-Control': '{themecast_cache_control}' }),
    matcher('html', '{themecast_type}', quoteTemplate(rules.contentTypes.html)),
    ...headers(rules.headers.html, '@themecast_html'),
    matcher('svg', '{themecast_type}', 'image/svg+xml'),
    ...headers(rules.headers.svg, '@themecast_svg'),
    ...own.flatMap(({ name, others }) => [
      matcher(`${name}_file`, '{themecast_row}', name),
      ...headers(others, `@themecast_${name}_file`),
    ]),
    'rewrite * {themecast_file}',
    'import files.caddy',
    '# If the files of a theme do not exist, the default theme is served.',
    'rewrite @themecast_personal {themecast_fallback}',
    'import files.caddy',
    ...headers({ ...rules.headers.error, 'Content-Type': rules.contentTypes.json }),
    'header -Content-Security-Policy',
    respond('', rules.refusals.notFound, 404),
  ];
}

/** `files.caddy`: sends a published file, or continues with the next directive if it does not exist. */
export function filesCaddy({ origin }: EdgeRules): string {
  const lines = block('file_server', [
    `root ${quoteTemplate(origin.document_root)}`,
    'disable_canonical_uris',
    'pass_thru',
  ]);
  return ['# themecast: the folder of the published files. Read by service.caddy.', ...lines, ''].join('\n');
}

/** Before the theme service: redirects of old paths, which may be anywhere. Caddy compares them decoded. */
function oldPaths(rules: EdgeRules, places: readonly Place[]): string[] {
  const rows = places.find(({ path }) => path === undefined)?.rows ?? [];
  const pairs = redirectPairs(rules).map(([from, to]) => `${quoteMapKey(decodeURIComponent(from))} ${quote(to)}`);
  if (pairs.length === 0) return [];
  const [redirect, notAllowed] = rows;
  const body = notAllowed !== undefined && 'status' in notAllowed.send ? bodyOf(notAllowed.send) : '""';
  const error = { ...rules.headers.error, 'Content-Type': rules.contentTypes.json, ...notAllowed?.headers };
  return [
    '# Old paths of images, and what they lead to.',
    ...block('map {http.request.orig_uri.path} {themecast_moved}', [...pairs, 'default ""']),
    '@themecast_moved not vars {themecast_moved} ""',
    ...block(
      'handle @themecast_moved',
      block('route', [
        ...headers(rules.headers.all),
        '@themecast_moved_method not method GET HEAD',
        ...headers(error, '@themecast_moved_method'),
        `respond @themecast_moved_method ${body} 405`,
        ...headers(redirect?.headers ?? {}),
        'header -Content-Type',
        'redir {themecast_moved} 301',
      ]),
    ),
    '',
  ];
}
