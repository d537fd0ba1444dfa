import type { EdgeRules } from '../contract.ts';
import { GENERATED, embeddedLookUp, schemaPaths, servicePaths } from '../handler-modules.ts';

/** Folder of the modules, beside `middleware.js`. */
export const MODULES = 'themecast/';

/** `middleware.js`: connects Vercel to the handler. */
export function middlewareModule(rules: EdgeRules, ownRequestHeaders: Readonly<Record<string, string>>): string {
  const matcher = [...servicePaths(rules).flatMap((path) => [path, `${path}/(.*)`]), ...schemaPaths(rules)];
  const { imports, setUp, themeOf } = embeddedLookUp(rules, './themecast/', (name) => `process.env.${name}`);
  return `${GENERATED}
import { handle, notFound } from './themecast/handler.js';
import { fetchJwks } from './themecast/jwks.js';
${imports}import { rules } from './themecast/rules.js';
import { siteFile } from './themecast/site-file.js';

// If Vercel runs this middleware for its own requests, it recognizes them by this header and lets them pass.
const OWN_REQUEST = ${JSON.stringify(ownRequestHeaders)};
${setUp}
export default async function middleware(request) {
  if (Object.entries(OWN_REQUEST).every(([name, value]) => request.headers.get(name) === value)) return pass();
  const response = await handle(request, rules, {
    readFile: (path) => siteFile(new URL(path, request.url), { ...OWN_REQUEST, ...protectionBypass() }),
    themeOf: ${themeOf},
    secret: (name) => process.env[name],
    jwks: fetchJwks,
    // Vercel provides the addresses of clients, never that of the proxy in front.
    isTrusted: () => false,
  });
  return response ?? notFound(rules);
}

/** The response that lets a request pass, as \`next()\` of @vercel/functions creates it. */
function pass() {
  return new Response(null, { headers: { 'x-middleware-next': '1' } });
}

/** Gives own requests access to a protected deployment ("Protection Bypass for Automation"). */
function protectionBypass() {
  const secret = process.env.VERCEL_AUTOMATION_BYPASS_SECRET;
  return secret ? { 'x-vercel-protection-bypass': secret } : {};
}

// Published files of the endpoints are served only through the endpoints.
export const config = { matcher: ${JSON.stringify(matcher)} };
`;
}
