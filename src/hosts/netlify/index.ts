import { textFile } from '../../core/document/files/output-file.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { defineFetchHost } from '../adapter/fetch-host.ts';
import { schemaPaths, servicePaths } from '../adapter/handler-modules.ts';
import { redirectPairs } from '../contract/redirects.ts';
import { fillFile } from '../adapter/template.ts';

/** A Netlify edge function with the mapping in its code. */
export const netlify = defineFetchHost({
  title: 'Netlify',
  capabilities: {
    ranOn: 'Deno, the runtime of the platform, behind a stand-in for its routing',
    // Measured: 100,000 keys of the maximum length are 10 MB compressed and load in 0.3 s on a busy machine.
    maxKeys: 100_000,
    maxKeysBecause: 'an edge function is limited to 20 MB and loaded at every cold start',
    keyed: { maxKeys: 1_000_000, maxKeysBecause: 'measured: 6.8 MB of 20, loaded in 0.2 s at every cold start' },
  },
  routing: 'Add each as a domain alias of the site.',
  entry: 'netlify/edge-functions/theme.js',
  // Outside `edge-functions/`, where Netlify treats every file as a function.
  modules: 'netlify/themecast/',
  imports: '../themecast/',
  secret: (name) => `Netlify.env.get('${name}')`,
  template: 'netlify/theme.js.mustache',
  view: (rules) => ({ paths: JSON.stringify(functionPaths(rules)) }),
  config: ({ rules, templates }) => {
    // The path of base_url has no special characters of TOML or Netlify.
    const text = fillFile(templates, 'netlify/netlify.toml.mustache', { base_path: rules.basePath });
    return [textFile('netlify.toml', text)];
  },
});

function functionPaths(rules: EdgeRules): string[] {
  const images = [...new Set([rules.basePath, ''])].map((base) => `${base}/media/`);
  const moved = redirectPairs(rules).map(([from]) => from);
  return [
    ...servicePaths(rules),
    ...images.map((path) => `${path}*`),
    ...schemaPaths(rules),
    ...moved.filter((from) => !images.some((path) => from.startsWith(path))).map(quotePattern),
  ];
}

/** Quotes a path as a URLPattern, in which `+`, `(` and `)` are operators. */
function quotePattern(path: string): string {
  return path.replace(/[+()]/g, '\\$&');
}
