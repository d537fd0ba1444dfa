import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';

/** Bytes that HAProxy keeps free in its buffer for the headers that rules add (`tune.maxrewrite`), and the buffer's, by default. */
const MAX_REWRITE = 1024;
const BUFFER = 16_384;

/** What a header takes in the buffer besides its name and value, generously. */
const HEADER_OVERHEAD = 16;

/**
 * `tune.cfg`, if the headers of a page do not fit into what HAProxy keeps free for them: a page that is longer than the buffer
 * would be answered 500 (measured on 2.6.12). The buffer grows with it, so that requests may be as long as before.
 */
export function tuneCfg(rules: EdgeRules): string | undefined {
  const { list, config } = rules.endpoints;
  const bytes = Math.max(...[list, config].map((endpoint) => headerBytes(endpoint, rules)));
  if (bytes <= MAX_REWRITE) return undefined;
  const room = Math.ceil(bytes / 1024) * 1024;
  return `# themecast: room for the headers of a browsable page, ${bytes} bytes (mostly the hosts that pictures may come from). HAProxy keeps
# ${MAX_REWRITE} bytes free, and answers 500 if they do not suffice. Generated from site.yaml. Holds for all of HAProxy: where your own
# global has greater values, do not load this file.
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
