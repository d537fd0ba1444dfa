import type { EdgeRules } from '../contract.ts';
import { redirectPairs } from '../redirects.ts';

/**
 * `_redirects`: path, file, status; 200 serves the file under the URL of the request.
 * Old paths contain neither `:` nor `*`, which would be placeholders. Other paths keep to `A–Z a–z 0–9 . _ ~ / -` (site.yaml), so none has anything that would mean more than itself.
 */
export function pathRewrites(rules: EdgeRules): string {
  const { endpoints, schemas, basePath } = rules;
  const documents = Object.values(endpoints);
  const lines = [
    ...redirectPairs(rules).map(([from, to]) => `${from} ${to} 301`),
    ...documents.map(({ path, folder }) => `${path} ${folder}index.json 200`),
    ...documents.map(({ path }) => `${path.slice(0, -1)} ${path} 301`),
    ...(basePath === ''
      ? []
      : [`${basePath}/media/* /media/:splat 200`, ...schemas.map(({ path, file }) => `${path} ${file} 200`)]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
