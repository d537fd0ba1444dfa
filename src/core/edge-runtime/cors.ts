import type { EdgeEndpoint, EdgeRequest, RuntimeRules } from './rules.ts';

/** Returns the CORS headers for pages of the origins that the site allows (Fetch standard, CORS protocol). */
export function corsHeaders(
  { method, headers }: EdgeRequest,
  endpoint: EdgeEndpoint,
  rules: RuntimeRules,
): Record<string, string> {
  const allowed = originHeader(headers, rules);
  if (Object.keys(allowed).length === 0) return {};
  return {
    ...allowed,
    ...(endpoint.kind === 'config' ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    ...(method === 'OPTIONS' ? preflightHeaders(rules) : {}),
  };
}

/** Returns the header that lets a page of an allowed origin read a response. */
export function originHeader(headers: EdgeRequest['headers'], { corsOrigins }: RuntimeRules): Record<string, string> {
  const origin = headers.get('Origin');
  return origin !== null && corsOrigins.includes(origin) ? { 'Access-Control-Allow-Origin': origin } : {};
}

/** Returns the headers that only a preflight response has; other hosts send the same. */
export function preflightHeaders({ corsHeaders: names }: Pick<RuntimeRules, 'corsHeaders'>): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
    'Access-Control-Max-Age': '600',
    ...(names.length > 0 ? { 'Access-Control-Allow-Headers': names.join(', ') } : {}),
  };
}
