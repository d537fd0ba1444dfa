import type { EdgeRules } from '../contract.ts';

/**
 * `_redirects`: path, file, status; 200 serves the file under the URL of the request.
 * Paths keep to `A–Z a–z 0–9 . _ ~ / -` (site.yaml), so none has anything that would mean more than itself.
 */
export function pathRewrites({ endpoints, schemas, basePath }: EdgeRules): string {
  const documents = Object.values(endpoints);
  const lines = [
    ...documents.map(({ path, folder }) => `${path} ${folder}index.json 200`),
    ...documents.map(({ path }) => `${path.slice(0, -1)} ${path} 301`),
    ...(basePath === ''
      ? []
      : [`${basePath}/media/* /media/:splat 200`, ...schemas.map(({ path, file }) => `${path} ${file} 200`)]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
