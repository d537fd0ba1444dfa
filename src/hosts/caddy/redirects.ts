import { FILE_ALLOW } from '../../edge-runtime/handler.ts';
import { REDIRECT_HEADERS } from '../../edge-runtime/handler.ts';
import type { EdgeRules } from '../contract.ts';
import { redirectPairs } from '../redirects.ts';
import { block, headers, quote, quoteMapKey } from './syntax.ts';

/**
 * Before the theme service: redirects of old paths, which may be anywhere. Caddy compares them decoded.
 * @param methodNotAllowed - the body of 405
 */
export function redirectHandle(rules: EdgeRules, methodNotAllowed: string): string[] {
  const pairs = redirectPairs(rules);
  if (pairs.length === 0) return [];
  const rows = pairs.map(([from, to]) => `${quoteMapKey(decodeURIComponent(from))} ${quote(to)}`);
  const error = { ...rules.headers.error, 'Content-Type': rules.contentTypes.json, Allow: FILE_ALLOW };
  return [
    '# Old paths of images, and what they lead to.',
    ...block('map {http.request.orig_uri.path} {themecast_moved}', [...rows, 'default ""']),
    '@themecast_moved not vars {themecast_moved} ""',
    ...block('handle @themecast_moved', [
      ...block('route', [
        ...headers(rules.headers.all),
        '@themecast_moved_method not method GET HEAD',
        ...headers(error, '@themecast_moved_method'),
        `respond @themecast_moved_method ${methodNotAllowed} 405`,
        ...headers(REDIRECT_HEADERS),
        'header -Content-Type',
        'redir {themecast_moved} 301',
      ]),
    ]),
    '',
  ];
}
