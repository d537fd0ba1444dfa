import { preflightHeaders } from '../../core/edge-runtime/cors.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { negotiationView, outcomes } from '../contract/negotiation.ts';
import { redirectPairs } from '../contract/redirects.ts';
import { anyOf, escapeRegExp } from '../adapter/regexp.ts';
import { codedVary, patternOf, type Route, responsePatterns, withoutPolicy } from '../contract/routes.ts';
import type { View } from '../adapter/template.ts';
import { identityView } from './identity.ts';
import { headerVariable, match, quote, quoteMapKey, quoteTemplate } from './syntax.ts';

/** Returns the values of `maps.conf`, for http{}: the response of the contract, its headers, and the theme of the user. */
export function mapsView(rules: EdgeRules, routes: readonly Route[]): View {
  const { html, svg } = rules.headers;
  return {
    ...identityView(rules),
    ...negotiationView(rules),
    ...corsView(rules, routes),
    moved: redirectPairs(rules).map(([from, to]) => `${quoteMapKey(decodeURIComponent(from))} ${quote(to)}`),
    routes: routeLines(rules, routes),
    outcomes: outcomes(rules).map(([pattern, outcome]) => match(`*${pattern}`, outcome)),
    responses: responsePatterns(routes).map(([pattern, { name }]) => match(pattern, name)),
    headers: headerViews(rules, routes),
    html_policy: match('^text/html', html['Content-Security-Policy'] ?? ''),
    svg: match(
      `^${anyOf(routes.flatMap(({ name, isFolder }) => (isFolder ? [name] : [])))}:(?:200|304):.*[.]svg$`,
      'Accept-Encoding',
    ),
    svg_policy: match('^image/svg\\+xml', svg['Content-Security-Policy'] ?? ''),
  };
}

/**
 * Returns the map from undecoded paths to routes: nginx normalises the path of a location (//, /./, %74 for t). The path of `base_url`
 * may be percent-encoded, in hexadecimal digits of either case (RFC 3986, section 6.2.2.1).
 */
function routeLines(rules: EdgeRules, routes: readonly Route[]): string[] {
  const { basePath } = rules;
  const start = redirectPairs(rules).length > 0 ? '^ ' : '^';
  const base = escapeRegExp(basePath).replace(/(?:%[\da-f]{2})+/gi, '(?i:$&)');
  return routes.map((route) => {
    const { name, paths } = route;
    if (paths.length === 0) return match('^[^ ]', name);
    const below = anyOf(paths.map((path) => escapeRegExp(path.slice(basePath.length))));
    return match(`${start}${base}(?<themecast_path>${below}${patternOf(route)})(?:\\?|$)`, name);
  });
}

/** Returns a map for each header: its value for each route and response. Files have the headers of their response only with 200 and 304. */
function headerViews({ basePath }: EdgeRules, routes: readonly Route[]): View[] {
  const maps = new Map<string, Map<string, Set<string>>>([['Cache-Control', new Map()]]);
  /** Adds a line, or adds the name to the line with the same value. */
  const add = (header: string, value: string, name: string, [before = '^', after = ':'] = []) => {
    const lines = maps.get(header) ?? new Map<string, Set<string>>();
    const line = JSON.stringify([before, after, value]);
    maps.set(header, lines.set(line, (lines.get(line) ?? new Set()).add(name)));
  };
  for (const route of routes)
    for (const response of route.responses) {
      const vary = codedVary(route, response);
      if (vary !== undefined) add('Vary', quote(vary), `${route.name}:${response.name}`, ['^', ':(?:200|304)$']);
    }
  for (const { name: route, headers, responses } of routes) {
    for (const [header, value] of Object.entries(headers)) add(header, quote(value), route);
    for (const { name, content, headers: added } of responses) {
      const isFile = 'file' in content || 'published' in content;
      for (const [header, value] of withoutPolicy(added))
        if (header === CORS_HEADERS[0]) continue;
        else if ('redirect' in content) add(header, quote(value), `${route}:${name}`);
        else add(header, quote(value), name, [':', isFile ? ':(?:200|304)$' : ':']);
      if (!('redirect' in content)) continue;
      const slash = quoteTemplate(`${basePath}$themecast_path/$is_args$args`);
      add('Location', content.redirect === 'slash' ? slash : '$themecast_moved', `${route}:${name}`);
      if (content.redirect === 'slash') add('Cache-Control', '""', `${route}:${name}`);
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

/** Returns the values of `headers.conf`, the headers that every location of themecast sends. */
export function headersView({ headers, corsOrigins }: EdgeRules, routes: readonly Route[]): View {
  const contractHeaders = routes
    .flatMap((route) => [route.headers, ...route.responses.map((response) => response.headers)])
    .flatMap(Object.keys);
  const cors = corsOrigins.length > 0 ? CORS_HEADERS : [];
  const varying = [...new Set([...contractHeaders, 'Location', 'Content-Security-Policy', ...cors])];
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

function corsView({ corsOrigins, corsHeaders }: EdgeRules, routes: readonly Route[]): View {
  const [readable, personal] = [['read', 'credentials'], ['credentials']].map((kinds) =>
    anyOf(routes.filter(({ cors = '' }) => kinds.includes(cors)).map(({ name }) => name)),
  );
  const preflight = preflightHeaders({ corsHeaders });
  const images = routes.flatMap(({ name, isFolder }) => (isFolder ? [name] : []));
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

/** Returns the values of `hash.conf`, for http{} before any map: the sizes of hash tables. */
export function hashView(users: number, serverNames: readonly string[]): View {
  // A bucket for about four entries, and a power of two.
  const buckets = (entries: number): string => String(Math.max(2048, 2 ** Math.ceil(Math.log2(entries / 4))));
  return {
    map_size: buckets(users),
    // The default buckets of nginx have room for a name of 46 characters (measured on 1.22), and its table for a few names.
    long_names: serverNames.length > 20 || serverNames.some(({ length }) => length > 40),
    names_size: buckets(serverNames.length),
  };
}
