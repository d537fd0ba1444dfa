import { defineFetchHost } from '../fetch-host.ts';
import { moduleFile } from '../handler-modules.ts';

/** A module with a `fetch` handler for Deno, Bun and Node.js, which serves `dist/` beside it. */
export const fetchHandler = defineFetchHost({
  title: 'fetch handler',
  capabilities: {
    // As for Netlify, whose functions have the same form.
    maxKeys: 100_000,
    maxKeysBecause: 'they are part of the code',
    redirects: 10_000,
    redirectsBecause: 'they are part of the code',
    keyed: { maxKeys: 1_000_000, maxKeysBecause: 'they are part of the code' },
  },
  routing: 'The server responds to every hostname that leads to it.',
  entry: 'theme.js',
  modules: 'themecast/',
  imports: './themecast/',
  secret: (name) => `process.env.${name}`,
  code: (_, themeOf) => `import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { etagOf } from './themecast/etag.js';

const DIST = new URL(process.env.THEMECAST_DIST ?? '../../dist', import.meta.url);

/** A published file, with the SHA-256 of its content as its ETag; undefined if there is none. */
async function published(path) {
  try {
    const body = await readFile(new URL(DIST.pathname + path, DIST));
    return { body, etag: await etagOf(body) };
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR') return undefined;
    throw error;
  }
}

export default {
  fetch: (request) =>
    answer(request, rules, {
      readFile: published,
      themeOf: ${themeOf},
      secret: (name) => process.env[name],
      image: async (path) => {
        const file = await published(path);
        if (file === undefined) return new Response(null, { status: 404 });
        const isKnown = (request.headers.get('If-None-Match') ?? '').includes(file.etag);
        return new Response(isKnown ? null : file.body, { status: isKnown ? 304 : 200, headers: { ETag: file.etag } });
      },
    }),
};
`,
  config: () => [moduleFile('node.js', NODE_SERVER)],
});

/** `node.js`: Node.js has no server for \`fetch\` handlers. A request is what the handler reads of one, whatever its method. */
const NODE_SERVER = `// Serves theme.js on HOST (127.0.0.1) and PORT (8080).
import { createServer } from 'node:http';
import process from 'node:process';
import theme from './theme.js';

const server = createServer(async ({ method, url, headers, rawHeaders }, response) => {
  try {
    const given = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2) given.append(rawHeaders[at], rawHeaders[at + 1]);
    const target = url.startsWith('/') ? \`http://\${headers.host || 'localhost'}\${url}\` : url;
    const answer = await theme.fetch({ method, url: target, headers: given });
    const body = Buffer.from(await answer.arrayBuffer());
    const length = answer.status === 304 || answer.headers.has('Content-Length') ? {} : { 'Content-Length': body.length };
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...length }).end(method === 'HEAD' ? undefined : body);
  } catch (error) {
    console.error(error);
    response.writeHead(error instanceof TypeError ? 400 : 500).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), process.env.HOST ?? '127.0.0.1');
`;
