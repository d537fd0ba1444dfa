import { preflightHeaders } from '../../edge-runtime/cors.ts';
import type { EdgeRules } from '../contract.ts';
import { mediaPath } from '../media.ts';
import { redirectPairs } from '../redirects.ts';
import { escapeRegExp } from '../regexp.ts';
import { METHOD, namedRows, type Place, type Row, type SentStatus, withoutPolicy } from '../rows.ts';
import type { View } from '../template.ts';
import { escapePlaceholders, headers, matcher, quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** What `service.caddy` has, for a site: the two endpoints, all paths below them, files and images. */
export function serviceView(rules: EdgeRules, places: readonly Place[]): View {
  const { all, error, html, svg } = rules.headers;
  const { path: list } = rules.endpoints.list;
  const others = places.flatMap(({ paths, isFolder }) =>
    paths.flatMap((path) => (isFolder || path.startsWith(list) ? [] : [`|^${escapeRegExp(path)}$`])),
  );
  const rows = namedRows(rules, places);
  const files = rows.filter(({ send }) => 'file' in send || 'published' in send);
  const refused = { ...error, 'Content-Type': rules.contentTypes.json };
  return {
    ...movedView(rules, places),
    ours: quoteTemplate(`^${escapeRegExp(list)}|^${escapeRegExp(mediaPath(rules))}${others.join('')}`),
    headers: headers({ ...all, ...refused }),
    places: places.map((place) => placeView(place, rules)),
    rows: rows.filter((row) => !files.includes(row)).flatMap(statusRow),
    personal: files.flatMap(({ name, send }) => ('fallback' in send ? [name] : [])).join(' '),
    html_type: quoteTemplate(rules.contentTypes.html),
    html: headers(html, '@themecast_html'),
    svg: headers(svg, '@themecast_svg'),
    files: files.flatMap(({ name, headers: own }) => {
      const varying = ofFile(own);
      if (varying.length === 0) return [];
      const matched = `${name}_file`;
      return [
        matcher(matched, '{themecast_row}', name),
        ...headers(Object.fromEntries(varying), `@themecast_${matched}`),
      ];
    }),
    error: headers(refused),
    missing: files.flatMap(({ name, headers: own }) =>
      ofFile(own).map(([header]) => `header @themecast_${name}_file -${header}`),
    ),
    not_found: quote(rules.refusals.notFound),
  };
}

/** The headers that a row adds to its file, besides those that depend on its type. */
function ofFile(own: Row['headers']): [name: string, value: string][] {
  return withoutPolicy(own).filter(([header]) => header !== 'Cache-Control');
}

/** The headers of every response of a place, and those of the CORS protocol. */
function placeView({ name, headers: own, cors, rows }: Place, { corsOrigins, corsHeaders }: EdgeRules): View {
  const readable = corsOrigins.length > 0 && cors !== undefined;
  const allowed = {
    'Access-Control-Allow-Origin': '{themecast_cors_origin}',
    ...(cors === 'credentials' && { 'Access-Control-Allow-Credentials': 'true' }),
  };
  const preflight = readable && rows.some(({ methods }) => methods.includes('OPTIONS'));
  return {
    name,
    own: headers(own, `@themecast_${name}`),
    cors: readable ? headers(allowed, `@themecast_${name}_cors`) : [],
    preflight: preflight ? headers(preflightHeaders({ corsHeaders }), `@themecast_${name}_preflight`) : [],
  };
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

/** Before the theme service: redirects of old paths, which may be anywhere. Caddy compares them decoded. */
function movedView(rules: EdgeRules, places: readonly Place[]): View {
  const [redirect, notAllowed] = places.find(({ paths }) => paths.length === 0)?.rows ?? [];
  const error = { ...rules.headers.error, 'Content-Type': rules.contentTypes.json, ...notAllowed?.headers };
  return {
    moved: redirectPairs(rules).map(([from, to]) => `${quoteMapKey(decodeURIComponent(from))} ${quote(to)}`),
    moved_headers: headers(rules.headers.all),
    moved_error: headers(error, '@themecast_moved_method'),
    moved_redirect: headers(redirect?.headers ?? {}),
    not_allowed: notAllowed !== undefined && 'status' in notAllowed.send ? bodyOf(notAllowed.send) : '',
  };
}
