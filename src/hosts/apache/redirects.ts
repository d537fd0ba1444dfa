import { REDIRECT_HEADERS } from '../../edge-runtime/handler.ts';
import type { OutputFile } from '../../document/output-file.ts';
import { configFile, heading } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { redirectPairs } from '../redirects.ts';
import { condition, rewriteRule } from './rewrite-rule.ts';
import { mapLine, quote, section, setHeaders } from './syntax.ts';

/** The file of redirects, from which `make-maps.sh` builds a map; httpd looks up decoded paths. */
export function redirectsFile(rules: EdgeRules): OutputFile[] {
  const pairs = redirectPairs(rules);
  if (pairs.length === 0) return [];
  const lines = pairs.map(([from, to]) => mapLine(decodeURIComponent(from), to));
  return [configFile('redirects.txt', lines.join(''))];
}

/** Old paths that a line of the map cannot have. */
export function redirectProblems(paths: readonly string[]): [path: string, reason: string][] {
  return paths.flatMap((path): [string, string][] =>
    decodeURIComponent(path).includes(' ') ? [[path, 'has a space, which maps of Apache httpd cannot have']] : [],
  );
}

/** The rules that come first. The path of the section that redirects is one that no request reaches. */
export function redirectRules(rules: EdgeRules): string[] {
  if (redirectPairs(rules).length === 0) return [];
  return [
    heading('Redirects: old paths of images'),
    '',
    'RewriteMap themecast_redirects "dbm=${THEMECAST_DBM}:${THEMECAST_DIR}/redirects.dbm"',
    ...rewriteRule({
      when: [
        condition('%{REQUEST_METHOD}', '^(?:GET|HEAD)$'),
        // The names of published images are not looked up: httpd caches what it looks up.
        condition('%{REQUEST_URI}', '![.][0-9a-f]{16}[.-]'),
        condition('%{REQUEST_URI}', '^(.+[.][A-Za-z]+)$'),
        condition('${themecast_redirects:%1}', '^(.+)$'),
      ],
      path: '^',
      to: redirectPath(rules),
      flags: ['E=themecast_moved:%1', 'QSD', 'L', 'PT'],
    }),
    '',
  ];
}

/** The section that redirects; it overrides that of the endpoints. */
export function redirectSection(rules: EdgeRules): string[] {
  if (redirectPairs(rules).length === 0) return [];
  return [
    '',
    heading('Redirects'),
    '',
    ...section('Location', quote(redirectPath(rules)), [
      'Require all granted',
      ...section('IfModule', 'proxy_module', ['ProxyPass "!"']),
      ...setHeaders({ ...rules.headers.all, ...REDIRECT_HEADERS }),
      'ErrorDocument 301 "%{reqenv:themecast_nothing}"',
      'Header always unset Content-Type',
      'RedirectRelative On',
      'Redirect 301 "%{reqenv:themecast_moved}"',
    ]),
  ];
}

function redirectPath({ endpoints }: EdgeRules): string {
  return `${decodeURIComponent(endpoints.list.path)}moved`;
}
