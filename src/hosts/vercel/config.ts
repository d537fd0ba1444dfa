import type { EdgeRules } from '../contract.ts';
import { REDIRECT_HEADERS } from '../../edge-runtime/handler.ts';
import { redirectPairs } from '../redirects.ts';
import { escapeRegExp } from '../regexp.ts';

/**
 * `vercel.json`: what Vercel does without the middleware. The headers of images follow `hit`, so they apply only to existing files.
 * `headers`, or a route before it, would apply to a 404 too, and browsers would cache that for a year
 * (https://github.com/vercel/vercel/pull/14828, https://github.com/sveltejs/kit/issues/16071).
 */
export function vercelJson(rules: EdgeRules): string {
  const { basePath, headers } = rules;
  const base = basePath === '' ? '' : `(?:${escapeRegExp(basePath)})?`;
  const settings = {
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
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}
