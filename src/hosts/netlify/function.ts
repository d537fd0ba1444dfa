import type { EdgeRules } from '../contract.ts';
import { mediaFilePattern, TYPES_BY_EXTENSION } from '../media.ts';
import { redirectPairs } from '../redirects.ts';
import { GENERATED, embeddedLookUp, schemaPaths, servicePaths } from '../handler-modules.ts';

/** Folder of the modules: outside `edge-functions/`, where Netlify treats every file as a function. */
export const MODULES = 'netlify/themecast/';

/** Quotes a path as a URLPattern, in which `+`, `(` and `)` have a meaning. */
function quotePattern(path: string): string {
  return path.replace(/[+()]/g, '\\$&');
}

/** `netlify/edge-functions/theme.js`: connects Netlify to the handler. */
export function edgeFunction(rules: EdgeRules, ownRequestHeaders: Readonly<Record<string, string>>): string {
  const pictures = [...new Set([rules.basePath, ''])].map((base) => `${base}/media/`);
  const moved = redirectPairs(rules).flatMap(([from]) =>
    pictures.some((path) => from.startsWith(path)) ? [] : [quotePattern(from)],
  );
  const paths = [
    ...servicePaths(rules).flatMap((path) => [path, `${path}/*`]),
    ...pictures.map((path) => `${path}*`),
    ...schemaPaths(rules),
    ...moved,
  ];
  const { imports, setUp, themeOf } = embeddedLookUp(rules, '../themecast/', (name) => `Netlify.env.get('${name}')`);
  return `${GENERATED}
import { handle, notFound } from '../themecast/handler.js';
import { fetchJwks } from '../themecast/jwks.js';
${imports}import { rules } from '../themecast/rules.js';
import { siteFile } from '../themecast/site-file.js';

// Netlify runs this function for its own requests too: it recognizes them by this header and lets them pass.
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
    // Netlify provides no address of the connection that a client could not forge.
    isTrusted: () => false,
  });
  return response ?? image(request, context);
}

/**
 * An image from the published files. Its headers are set here, not in netlify.toml: Netlify would add them to a 404 too, and browsers
 * would cache that for a year.
 */
async function image(request, context) {
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

// All paths, so that published files of the endpoints are served only through the endpoints, and every image has its headers.
export const config = { path: ${JSON.stringify(paths)} };
`;
}
