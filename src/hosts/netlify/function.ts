import type { EdgeRules } from '../contract.ts';
import { mediaFilePattern, TYPES_BY_EXTENSION } from '../media.ts';
import { GENERATED, embeddedLookUp, servicePaths } from '../handler-modules.ts';

/** Folder of the modules: outside `edge-functions/`, where Netlify takes every file for a function. */
export const MODULES = 'netlify/themecast/';

/** `netlify/edge-functions/theme.js`: what Netlify lends to the handler. */
export function edgeFunction(rules: EdgeRules, ownRequestHeaders: Readonly<Record<string, string>>): string {
  const pictures = [...new Set([rules.basePath, ''])].map((base) => `${base}/media/`);
  const paths = [...servicePaths(rules).flatMap((path) => [path, `${path}/*`]), ...pictures.map((path) => `${path}*`)];
  const { imports, setUp, themeOf } = embeddedLookUp(rules, '../themecast/', (name) => `Netlify.env.get('${name}')`);
  return `${GENERATED}
import { handle, notFound } from '../themecast/handler.js';
import { fetchJwks } from '../themecast/jwks.js';
${imports}import { rules } from '../themecast/rules.js';
import { siteFile } from '../themecast/site-file.js';

// Netlify runs this function for its own requests too: it knows them by this header, and lets them pass to the files.
const OWN_REQUEST = ${JSON.stringify(ownRequestHeaders)};
const PICTURES = ${JSON.stringify(pictures)};
const MEDIA_FILE = /^${mediaFilePattern().replace('/', '\\/')}$/;
const MEDIA_TYPES = new Map(${JSON.stringify(TYPES_BY_EXTENSION)});
${setUp}
export default async function theme(request, context) {
  if (Object.entries(OWN_REQUEST).every(([name, value]) => request.headers.get(name) === value)) return undefined;
  const response = await handle(request, rules, {
    readFile: (path) => siteFile(new URL(path, request.url), OWN_REQUEST),
    themeOf: ${themeOf},
    secret: (name) => Netlify.env.get(name),
    jwks: fetchJwks,
    // Netlify tells no address of the connection that a client could not have made up.
    isTrusted: () => false,
  });
  return response ?? picture(request, context);
}

/**
 * A picture, from the published files. Its headers are put on here, not by netlify.toml: Netlify would put them on a 404 too, and
 * browsers would keep that for a year.
 */
async function picture(request, context) {
  const { pathname } = new URL(request.url);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const folder = PICTURES.find((path) => pathname.startsWith(path));
  const isImage = folder !== undefined && MEDIA_FILE.test(pathname.slice(folder.length));
  if (!reads || !isImage) return notFound(rules);
  const type = MEDIA_TYPES.get(pathname.slice(pathname.lastIndexOf('.') + 1));
  const file = await context.next({ sendConditionalRequest: true });
  if (file.status !== 200 && file.status !== 304) return notFound(rules);
  const { all, media, svg } = rules.headers;
  const headers = { ...all, ...media, ...(type === 'image/svg+xml' ? svg : {}), 'Content-Type': type };
  const response = new Response(file.body, file);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

// All of them, so that published files of the endpoints are reached through the endpoints alone, and no picture without its headers.
export const config = { path: ${JSON.stringify(paths)} };
`;
}
