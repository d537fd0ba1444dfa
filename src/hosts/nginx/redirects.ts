import { REDIRECT_HEADERS } from '../../edge-runtime/handler.ts';
import type { EdgeRules } from '../contract.ts';
import { redirectPairs } from '../redirects.ts';
import { addHeaders, block, quote, quoteMapKey } from './syntax.ts';

/** The map from old paths, for maps.conf. nginx compares them decoded, and ignores their case. */
export function redirectsMap(rules: EdgeRules): string {
  const pairs = redirectPairs(rules);
  if (pairs.length === 0) return '';
  const rows = pairs.map(([from, to]) => `    ${quoteMapKey(decodeURIComponent(from))} ${quote(to)};`);
  return `
# Old paths of images, and what they lead to.
map $uri $themecast_moved {
    default "";
${rows.join('\n')}
}
`;
}

/** Old paths that a map cannot have beside an earlier one. */
export function redirectProblems(paths: readonly string[]): [path: string, reason: string][] {
  const seen = new Set<string>();
  return paths.flatMap((path): [string, string][] => {
    const lower = decodeURIComponent(path).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    if (seen.has(lower)) return [[path, 'differs from another one only by case, which nginx ignores']];
    seen.add(lower);
    return [];
  });
}

/** What comes before the locations: it applies to every path of the server. */
export function redirectRewrite(rules: EdgeRules, internal: string): string[] {
  if (redirectPairs(rules).length === 0) return [];
  return ['# Old paths of images.', `if ($themecast_moved) { rewrite ^ ${quote(`${internal}moved`)} last; }`, ''];
}

/**
 * The locations that redirect.
 * @param internal - the folder of internal locations
 * @param notAllowed - the named location that responds with 405
 */
export function redirectLocations(rules: EdgeRules, internal: string, notAllowed: string): string[] {
  if (redirectPairs(rules).length === 0) return [];
  return [
    '',
    ...block(`location = ${quote(`${internal}moved`)}`, [
      'internal;',
      `error_page 404 ${quote(internal.slice(0, -1))};   # external requests for an internal location`,
      `error_page 405 ${notAllowed};`,
      'error_page 418 =301 @themecast_moved;',
      'if ($request_method !~ "^(?:GET|HEAD)$") { return 405; }',
      'return 418;',
    ]),
    ...block('location @themecast_moved', [
      'types { }',
      'default_type "";',
      'charset off;',
      'expires off;',
      ...addHeaders({ ...rules.headers.all, ...REDIRECT_HEADERS, Location: '$themecast_moved' }),
      'return 200 "";',
    ]),
  ];
}
