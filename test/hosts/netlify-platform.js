// @ts-nocheck: this runs under Deno, and types of Deno are not installed.
/**
 * What Netlify has around an edge function, as its documentation says: the function runs for the paths of its `config`, for requests
 * of its own too, and the published files are behind it. Its arguments: the folder of the site's files, that of `dist/`, a
 * file with the answers of other sites, and the port.
 */
const [edge, dist, elsewhere, port] = Deno.args;
const answers = JSON.parse(await Deno.readTextFile(elsewhere));

const { fetch } = globalThis;
globalThis.fetch = async (input, init) => {
  const answer = answers[new Request(input).url];
  if (answer !== undefined) return Response.json(answer);
  // The names of the site lead to it.
  const { pathname, search } = new URL(new Request(input).url);
  return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
};
globalThis.Netlify = { env: { get: (name) => Deno.env.get(name) } };

const { default: edgeFunction, config } = await import(`file://${edge}/netlify/edge-functions/theme.js`);
const patterns = config.path.map((pathname) => new URLPattern({ pathname }));
const [, rewritten] =
  /from = "(.*)\*"\n {2}to = "\/media\/:splat"/.exec(await Deno.readTextFile(`${edge}/netlify.toml`)) ?? [];

Deno.serve({ hostname: '127.0.0.1', port: Number(port), onListen() {} }, async (request) => {
  const runs = patterns.some((pattern) => pattern.test(request.url));
  const context = { next: () => publishedFile(request) };
  return (runs ? await edgeFunction(request, context) : undefined) ?? publishedFile(request);
});

/** A file with the headers that Netlify gives of itself. */
async function publishedFile({ url, headers }) {
  const { pathname } = new URL(url);
  const path =
    rewritten !== undefined && pathname.startsWith(rewritten) ? `/media/${pathname.slice(rewritten.length)}` : pathname;
  try {
    const body = await Deno.readFile(dist + path);
    const own = { ETag: `"${path.length}-${body.length}"`, 'Cache-Control': 'public,max-age=0,must-revalidate' };
    const confirmed = headers.get('If-None-Match') === own.ETag;
    return confirmed ? new Response(null, { status: 304, headers: own }) : new Response(body, { headers: own });
  } catch {
    return new Response('Page not found', { status: 404 });
  }
}
