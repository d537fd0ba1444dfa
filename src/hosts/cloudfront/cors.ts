import type { EdgeRules } from '../contract.ts';
import { eventHeaders, jsonLiteral } from './syntax.ts';
import { preflightHeaders } from '../../edge-runtime/cors.ts';

/** `corsHeaders(request, kind)`, for both functions: the CORS protocol for the origins that site.yaml allows. */
export function corsFunction({ corsOrigins, corsHeaders }: EdgeRules): string {
  if (corsOrigins.length === 0) return 'const corsHeaders = () => ({});\n';
  const preflight = eventHeaders(preflightHeaders({ corsHeaders }));
  return `const ORIGINS = ${jsonLiteral(corsOrigins)};
const PREFLIGHT = ${jsonLiteral(preflight)};

// For pages of the origins that site.yaml allows.
function corsHeaders(request, kind) {
  const origin = request.headers.origin;
  if (!origin || origin.multiValue || !ORIGINS.includes(origin.value)) return {};
  const headers = { 'access-control-allow-origin': { value: origin.value } };
  if (kind === 'config') headers['access-control-allow-credentials'] = { value: 'true' };
  return request.method === 'OPTIONS' ? Object.assign(headers, PREFLIGHT) : headers;
}
`;
}
