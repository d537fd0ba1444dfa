import { textFile } from '../../core/document/files/output-file.ts';
import { REDIRECT_HEADERS } from '../../core/edge-runtime/handler.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { jsonFile } from '../contract/config-file.ts';
import { defineFetchHost } from '../adapter/fetch-host.ts';
import { schemaPaths, servicePaths } from '../adapter/handler-modules.ts';
import { redirectPairs } from '../contract/redirects.ts';
import { escapeRegExp } from '../adapter/regexp.ts';

/** Vercel's middleware, with the mapping in its code. */
export const vercel = defineFetchHost({
  title: 'Vercel',
  capabilities: {
    ranOn: 'edge-runtime, the runtime of the platform, behind a stand-in for its routing',
    // Measured: 10,000 keys of the maximum length just fit.
    maxKeys: 10_000,
    maxKeysBecause: 'a middleware is limited to 1 MB, compressed',
    // The limit of Vercel is 2,048 routes; images need five.
    redirects: 2043,
    keyed: { maxKeys: 130_000, maxKeysBecause: 'measured: 0.97 MB of 1, compressed' },
  },
  routing: 'Add each as a domain of the project.',
  entry: 'middleware.js',
  modules: 'themecast/',
  imports: './themecast/',
  secret: (name) => `process.env.${name}`,
  // The redirects are in vercel.json.
  handlerRules(rules) {
    const { redirects: _, ...handlerRules } = rules;
    return handlerRules;
  },
  template: 'vercel/middleware.js.mustache',
  view: (rules) => ({
    paths: JSON.stringify([...servicePaths(rules, '/(.*)'), ...schemaPaths(rules)]),
  }),
  config: ({ rules }) => [
    jsonFile('vercel.json', vercelJson(rules)),
    textFile('package.json', '{ "private": true, "type": "module" }\n'),
  ],
});

/**
 * Returns `vercel.json`, which applies without the middleware. The headers of images follow `hit`, so they apply only to existing files:
 * from `headers` or an earlier route they would be on a 404 too, and browsers would cache that for a year
 * (https://github.com/vercel/vercel/pull/14828, https://github.com/sveltejs/kit/issues/16071).
 */
export function vercelJson(rules: EdgeRules): object {
  const { basePath, headers } = rules;
  const base = basePath === '' ? '' : `(?:${escapeRegExp(basePath)})?`;
  return {
    $schema: 'https://openapi.vercel.sh/vercel.json',
    framework: null,
    buildCommand: '',
    installCommand: '',
    outputDirectory: 'public',
    routes: [
      ...redirectPairs(rules).map(([from, to]) => ({
        src: `^${escapeRegExp(from)}$`,
        methods: ['GET', 'HEAD'],
        status: 301,
        headers: { ...headers.all, ...REDIRECT_HEADERS, Location: to },
      })),
      ...(basePath === '' ? [] : [{ src: `^${escapeRegExp(basePath)}/media/(.*)$`, dest: '/media/$1' }]),
      { handle: 'filesystem' },
      { handle: 'hit' },
      { src: `^${base}/media/.+$`, headers: { ...headers.all, ...headers.media }, continue: true },
      { src: `^${base}/media/.+\\.svg$`, headers: headers.svg, continue: true },
    ],
  };
}
