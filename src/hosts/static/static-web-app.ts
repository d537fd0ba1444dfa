import type { EdgeRules } from '../contract.ts';
import { documentHeaders, ownFiles } from '../headers-file.ts';
import { TYPES_BY_EXTENSION } from '../media.ts';

/**
 * `staticwebapp.config.json`. The first route that matches is the only one, and nothing of a request but its path and method decides
 * whether it does (Microsoft, "Configure Azure Static Web Apps"), so each has all of its headers.
 */
export function staticWebAppConfig(rules: EdgeRules): object {
  const { basePath, endpoints, headers } = rules;
  const image = { ...headers.all, ...headers.media };
  return {
    routes: [
      ...Object.values(endpoints).map((endpoint) => ({
        route: endpoint.path,
        rewrite: `${endpoint.path}index.json`,
        headers: documentHeaders(endpoint, rules),
      })),
      ...ownFiles(rules).map((file) => ({ route: file.path, headers: file.headers })),
      { route: `${basePath}/media/*.{svg}`, headers: { ...image, ...headers.svg } },
      { route: `${basePath}/media/*`, headers: image },
      {
        route: `${endpoints.list.path}*.{html}`,
        headers: { ...headers.all, ...headers.endpoint, ...headers.html },
      },
    ],
    mimeTypes: Object.fromEntries(TYPES_BY_EXTENSION.map(([extension, mediaType]) => [`.${extension}`, mediaType])),
  };
}
