import type { EdgeRules } from '../contract.ts';
import { documentHeaders, ownFiles } from '../headers-file.ts';

/**
 * `firebase.json`. Without `trailingSlash`: with it, Firebase looks for the endpoints as files and answers 404 (superstatic 10.0.0).
 * Where several blocks set a header, the last one holds (firebase-tools#9467).
 */
export function firebaseConfig(rules: EdgeRules): object {
  const { basePath, endpoints, headers } = rules;
  const documents = Object.values(endpoints);
  return {
    hosting: {
      public: 'dist',
      ignore: ['firebase.json', '**/.*', 'manifest.json'],
      rewrites: documents.map(({ path }) => ({ source: path, destination: `${path}index.json` })),
      headers: [
        ...documents.map((endpoint) => block(endpoint.path, documentHeaders(endpoint, rules))),
        block(`${endpoints.list.path}**/*.html`, { ...headers.all, ...headers.endpoint, ...headers.html }),
        ...ownFiles(rules).map((file) => block(file.path, file.headers)),
        block(`${basePath}/media/**`, { ...headers.all, ...headers.media }),
        block(`${basePath}/media/**/*.svg`, headers.svg),
      ],
    },
  };
}

function block(source: string, headers: Readonly<Record<string, string>>): object {
  return { source, headers: Object.entries(headers).map(([key, value]) => ({ key, value })) };
}
