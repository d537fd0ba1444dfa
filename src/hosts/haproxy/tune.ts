import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';

/** The defaults of `tune.maxrewrite`, the bytes that HAProxy reserves in its buffer for added headers, and of the buffer size. */
const MAX_REWRITE = 1024;
const BUFFER = 16_384;

/** A generous estimate of the bytes of a header besides its name and value. */
const HEADER_OVERHEAD = 16;

/**
 * `tune.cfg`, if the headers of a page exceed what HAProxy reserves for them: a page longer than the buffer would get 500 (measured on
 * 2.6.12). The buffer grows by the same amount, so that requests may be as long as before.
 */
export function tuneCfg(rules: EdgeRules): string | undefined {
  const { list, config } = rules.endpoints;
  const bytes = Math.max(...[list, config].map((endpoint) => headerBytes(endpoint, rules)));
  if (bytes <= MAX_REWRITE) return undefined;
  const room = Math.ceil(bytes / 1024) * 1024;
  return `# themecast: buffer space for the headers of a browsable page, ${bytes} bytes (mostly the allowed hosts of images). By default HAProxy
# reserves ${MAX_REWRITE} bytes and responds with 500 if they do not suffice. Generated from site.yaml. These settings are global to HAProxy: do
# not load this file if your own global section has greater values.
global
    tune.maxrewrite ${room}
    tune.bufsize ${BUFFER + 2 * room}
`;
}

function headerBytes(
  { allow, vary, cacheControl }: EdgeEndpoint,
  { headers, contentTypes, corsOrigins }: EdgeRules,
): number {
  const origin = corsOrigins.toSorted((a, b) => b.length - a.length)[0];
  const page = {
    ...headers.all,
    ...headers.endpoint,
    ...headers.html,
    Allow: allow,
    Vary: vary,
    'Cache-Control': cacheControl,
    'Content-Type': contentTypes.html,
    ...(origin === undefined
      ? {}
      : { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }),
  };
  return Object.entries(page).reduce((sum, [name, value]) => sum + name.length + value.length + HEADER_OVERHEAD, 0);
}
