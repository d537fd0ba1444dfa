import { preflightHeaders } from '../../edge-runtime/cors.ts';
import type { EdgeRules } from '../contract.ts';
import { mediaFilePattern } from '../media.ts';
import { negotiationView, outcomes } from '../negotiation.ts';
import { redirectPairs } from '../redirects.ts';
import { anyOf, escapeRegExp } from '../regexp.ts';
import { type Place, rowPatterns, withoutPolicy } from '../rows.ts';
import type { View } from '../template.ts';
import { identityView } from './identity.ts';
import { headerVariable, match, quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** What `maps.conf` has, for http{}: the row of the contract, its headers, and the theme of the user. */
export function mapsView(rules: EdgeRules, places: readonly Place[]): View {
  const { html, svg } = rules.headers;
  return {
    ...identityView(rules),
    ...negotiationView(rules),
    ...corsView(rules, places),
    moved: redirectPairs(rules).map(([from, to]) => `${quoteMapKey(decodeURIComponent(from))} ${quote(to)}`),
    places: placeLines(rules, places),
    outcomes: outcomes(rules).map(([pattern, outcome]) => match(`*${pattern}`, outcome)),
    rows: rowPatterns(places).map(([pattern, { name }]) => match(pattern, name)),
    headers: headerViews(rules, places),
    html_policy: match('^text/html', html['Content-Security-Policy'] ?? ''),
    svg_policy: match('^image/svg\\+xml', svg['Content-Security-Policy'] ?? ''),
  };
}

/**
 * What a request asks for, by the path as it was sent: nginx normalizes that of a location (//, /./, %74 for t). The hexadecimal digits of
 * percent-encoding, which the path of `base_url` may have, are case-insensitive (RFC 3986, section 6.2.2.1).
 */
function placeLines(rules: EdgeRules, places: readonly Place[]): string[] {
  const { basePath } = rules;
  const start = redirectPairs(rules).length > 0 ? '^ ' : '^';
  const base = escapeRegExp(basePath).replace(/(?:%[\da-f]{2})+/gi, '(?i:$&)');
  return places.map(({ name, paths, isFolder }) => {
    if (paths.length === 0) return match('^[^ ]', name);
    const below = anyOf(paths.map((path) => escapeRegExp(path.slice(basePath.length))));
    return match(`${start}${base}(?<themecast_path>${below}${isFolder ? mediaFilePattern() : ''})(?:\\?|$)`, name);
  });
}

/** A map for each header: its value for each place and row. Files have the headers of their row only with 200 and 304. */
function headerViews({ basePath }: EdgeRules, places: readonly Place[]): View[] {
  const maps = new Map<string, Map<string, Set<string>>>([['Cache-Control', new Map()]]);
  /** Adds a line, or to one with the same value a name that its regular expression has. */
  const add = (header: string, value: string, name: string, [before = '^', after = ':'] = []) => {
    const lines = maps.get(header) ?? new Map<string, Set<string>>();
    const line = JSON.stringify([before, after, value]);
    maps.set(header, lines.set(line, (lines.get(line) ?? new Set()).add(name)));
  };
  for (const { name: place, headers, rows } of places) {
    for (const [header, value] of Object.entries(headers)) add(header, quote(value), place);
    for (const { name, send, headers: own } of rows) {
      const isFile = 'file' in send || 'published' in send;
      for (const [header, value] of withoutPolicy(own))
        if (header === CORS_HEADERS[0]) continue;
        else if ('redirect' in send) add(header, quote(value), `${place}:${name}`);
        else add(header, quote(value), name, [':', isFile ? ':(?:200|304)$' : ':']);
      if (!('redirect' in send)) continue;
      const slash = quoteTemplate(`${basePath}$themecast_path/$is_args$args`);
      add('Location', send.redirect === 'slash' ? slash : '$themecast_moved', `${place}:${name}`);
      if (send.redirect === 'slash') add('Cache-Control', '""', `${place}:${name}`);
    }
  }
  return [...maps].map(([header, lines]) => ({
    variable: variableOf(header),
    otherwise: header === 'Cache-Control' ? 'no-store' : '""',
    values: [...lines].map(([line, names]) => {
      const [before, after, value] = JSON.parse(line) as string[];
      return `${quoteTemplate(`~${before}${anyOf([...names])}${after}`)} ${value}`;
    }),
  }));
}

/** What `headers.conf` has: the headers that every location of themecast sends. */
export function headersView({ headers, corsOrigins }: EdgeRules, places: readonly Place[]): View {
  const own = places.flatMap((place) => [place.headers, ...place.rows.map((row) => row.headers)]).flatMap(Object.keys);
  const cors = corsOrigins.length > 0 ? CORS_HEADERS : [];
  const varying = [...new Set([...own, 'Location', 'Content-Security-Policy', ...cors])];
  return {
    fixed: Object.entries(headers.all).map(([name, value]) => ({ name, value: quote(value) })),
    varying: varying.map((name) => ({ name, variable: variableOf(name) })),
  };
}

const CORS_HEADERS = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Max-Age',
];

function variableOf(header: string): string {
  return headerVariable('', header).slice(2);
}

function corsView({ corsOrigins, corsHeaders }: EdgeRules, places: readonly Place[]): View {
  const [readable, personal] = [['read', 'credentials'], ['credentials']].map((kinds) =>
    anyOf(places.filter(({ cors = '' }) => kinds.includes(cors)).map(({ name }) => name)),
  );
  const preflight = preflightHeaders({ corsHeaders });
  const images = places.flatMap(({ name, isFolder }) => (isFolder ? [name] : []));
  return {
    public: match(`^${anyOf(images)}:(?:200|304):`, '*'),
    origins: corsOrigins.map((origin) => match(`^${readable}:\\d*:${escapeRegExp(origin)}$`, origin)),
    personal: match(`^${personal}:.`, 'true'),
    preflight: CORS_HEADERS.slice(2).map((name) => ({
      variable: variableOf(name),
      value: match('_options:.', preflight[name] ?? ''),
    })),
  };
}

/** What `hash.conf` has, for http{} before any map: the sizes of hash tables. */
export function hashView(users: number, serverNames: readonly string[]): View {
  // Buckets for about four each, as a power of two.
  const buckets = (entries: number): string => String(Math.max(2048, 2 ** Math.ceil(Math.log2(entries / 4))));
  return {
    map_size: buckets(users),
    // The default buckets of nginx hold one name of 46 characters (measured on 1.22), and its table a few names.
    long_names: serverNames.length > 20 || serverNames.some(({ length }) => length > 40),
    names_size: buckets(serverNames.length),
  };
}
