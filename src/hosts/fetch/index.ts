import { defineFetchHost } from '../adapter/fetch-host.ts';
import { moduleFile } from '../adapter/handler-modules.ts';
import { fillFile } from '../adapter/template.ts';

/** A module with a `fetch` handler for Deno, Bun and Node.js, which serves `dist/` beside it. */
export const fetchHandler = defineFetchHost({
  title: 'fetch handler',
  capabilities: {
    ranOn: 'Node.js and Deno; not Bun',
    // The limit of Netlify, whose functions have the same form.
    maxKeys: 100_000,
    maxKeysBecause: 'they are part of the code',
    keyed: { maxKeys: 1_000_000, maxKeysBecause: 'they are part of the code' },
  },
  routing: 'The server responds to every hostname that leads to it.',
  entry: 'theme.js',
  modules: 'themecast/',
  imports: './themecast/',
  secret: (name) => `process.env.${name}`,
  template: 'fetch/theme.js.mustache',
  // Node.js cannot serve a `fetch` handler itself. The adapter builds the part of a `Request` that the handler reads.
  config: ({ templates }) => [moduleFile('node.js', fillFile(templates, 'fetch/node.js.mustache', {}))],
});
