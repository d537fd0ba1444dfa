// @ts-nocheck: this runs under Deno, whose types are not installed.
/**
 * Simulates Netlify around an edge function, as documented: the function runs for the paths of its `config`, even for requests that it
 * sends itself, and the published files are behind it. Arguments: the edge folder, the folder `dist/`, a file with the responses of
 * other sites, and the port.
 */
const [edge, dist, elsewhere, port] = Deno.args;
const answers = JSON.parse(await Deno.readTextFile(elsewhere));

const { fetch } = globalThis;
globalThis.fetch = async (input, init) => {
  const answer = answers[new Request(input).url];
  if (answer !== undefined) return Response.json(answer);
  // Requests to the site itself must reach this simulation.
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

/** Returns a file with the default headers of Netlify. */
async function publishedFile({ url, headers }) {
  const { pathname } = new URL(url);
  const path =
    rewritten !== undefined && pathname.startsWith(rewritten) ? `/media/${pathname.slice(rewritten.length)}` : pathname;
  try {
    const body = await Deno.readFile(dist + path);
    const netlifyHeaders = {
      ETag: `"${path.length}-${body.length}"`,
      'Cache-Control': 'public,max-age=0,must-revalidate',
    };
    const confirmed = headers.get('If-None-Match') === netlifyHeaders.ETag;
    return confirmed
      ? new Response(null, { status: 304, headers: netlifyHeaders })
      : new Response(body, { headers: netlifyHeaders });
  } catch {
    return new Response('Page not found', { status: 404 });
  }
}
