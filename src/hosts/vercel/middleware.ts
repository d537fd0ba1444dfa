import type { EdgeRules } from '../contract.ts';
import { GENERATED, embeddedLookUp, servicePaths } from '../handler-modules.ts';

/** Folder of the modules, beside `middleware.js`. */
export const MODULES = 'themecast/';

/** `middleware.js`: what Vercel lends to the handler. */
export function middlewareModule(rules: EdgeRules, ownRequestHeaders: Readonly<Record<string, string>>): string {
  const matcher = servicePaths(rules).flatMap((path) => [path, `${path}/(.*)`]);
  const { imports, setUp, themeOf } = embeddedLookUp(rules, './themecast/', (name) => `process.env.${name}`);
  return `${GENERATED}
import { handle, notFound } from './themecast/handler.js';
import { fetchJwks } from './themecast/jwks.js';
${imports}import { rules } from './themecast/rules.js';
import { siteFile } from './themecast/site-file.js';

// Should Vercel run this middleware for its own requests too, it knows them by this header, and lets them pass to the files.
const OWN_REQUEST = ${JSON.stringify(ownRequestHeaders)};
${setUp}
export default async function middleware(request) {
  if (Object.entries(OWN_REQUEST).every(([name, value]) => request.headers.get(name) === value)) return pass();
  const response = await handle(request, rules, {
    readFile: (path) => siteFile(new URL(path, request.url), { ...OWN_REQUEST, ...protectionBypass() }),
    themeOf: ${themeOf},
    secret: (name) => process.env[name],
    jwks: fetchJwks,
    // The addresses that Vercel passes on are those of clients, never of the proxy before it.
    isTrusted: () => false,
  });
  return response ?? notFound(rules);
}

/** The answer that lets a request pass: what \`next()\` of @vercel/functions makes. */
function pass() {
  return new Response(null, { headers: { 'x-middleware-next': '1' } });
}

/** Lets own requests into a deployment that is protected from the public ("Protection Bypass for Automation"). */
function protectionBypass() {
  const secret = process.env.VERCEL_AUTOMATION_BYPASS_SECRET;
  return secret ? { 'x-vercel-protection-bypass': secret } : {};
}

// Published files of the endpoints are reached through the endpoints alone.
export const config = { matcher: ${JSON.stringify(matcher)} };
`;
}
