import { REDIRECT_HEADERS } from '../../edge-runtime/handler.ts';
import type { OutputFile } from '../../document/output-file.ts';
import { configFile } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { inexpressible } from '../inexpressible.ts';
import { FILE_ALLOW } from '../../edge-runtime/handler.ts';
import { redirectPairs } from '../redirects.ts';

/** What a path was redirected to, if it is an old one. HAProxy expands environment variables only within double quotes. */
export const REDIRECT_TARGET = 'path,map_str("${THEMECAST_DIR-/etc/haproxy/themecast}/redirects.map")';

/** `redirects.map`: an old path and its target per line. */
export function redirectsFile(rules: EdgeRules): OutputFile[] {
  const pairs = redirectPairs(rules);
  if (pairs.length === 0) return [];
  return [configFile('redirects.map', pairs.map(line).join(''))];
}

function line([from, to]: readonly [string, string]): string {
  for (const text of [from, to])
    if (!/^[!-~]+$/.test(text)) throw inexpressible('HAProxy', text, 'it contains a space or a control character');
  return `${from} ${to}\n`;
}

/**
 * The rules that come first.
 * @param methodNotAllowed - writes the rule that responds with 405
 */
export function redirectRules(rules: EdgeRules, methodNotAllowed: (condition: string) => string): string[] {
  if (redirectPairs(rules).length === 0) return [];
  return [
    '# Old paths of images.',
    `http-request set-var(txn.themecast_moved) ${REDIRECT_TARGET}`,
    'acl moved var(txn.themecast_moved) -m found',
    methodNotAllowed('if moved !METH_GET   # METH_GET includes HEAD'),
    'http-request redirect code 301 location %[var(txn.themecast_moved)] if moved',
    '',
  ];
}

/** The headers of a redirect. */
export function redirectHeaders(rules: EdgeRules): string[] {
  if (redirectPairs(rules).length === 0) return [];
  const cacheControl = REDIRECT_HEADERS['Cache-Control'];
  return [
    `http-after-response set-header Allow '${FILE_ALLOW}' if moved { status 405 }`,
    `http-after-response set-header Cache-Control '${cacheControl}' if moved { status 301 }`,
  ];
}
