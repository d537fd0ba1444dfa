import type { EdgeEndpoint, EdgeRules } from '../../mapping/edge-rules.ts';

/** The headers of an endpoint where it has one rendering and one answer. */
export function documentHeaders(
  { allow, vary, cacheControl }: EdgeEndpoint,
  { headers, contentTypes }: EdgeRules,
): Record<string, string> {
  return {
    'Content-Type': contentTypes.json,
    'Cache-Control': cacheControl,
    Allow: allow,
    Vary: vary,
    ...headers.all,
    ...headers.endpoint,
  };
}
