/**
 * Simulates Vercel around a middleware, as documented: it runs for the paths of its `config`, even for requests that it sends itself, and
 * the published files are behind it. Run with `--experimental-vm-modules`. Arguments: the folder of the project, the folder `dist/`, a file
 * with the responses of other sites, and the port.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { SourceTextModule } from 'node:vm';
import { EdgeRuntime } from 'edge-runtime';

const [project = '', dist = '', elsewhere = '', port = ''] = process.argv.slice(2);
const answers = /** @type {Record<string, unknown>} */ (JSON.parse(await readFile(elsewhere, 'utf8')));

const { context } = new EdgeRuntime({
  extend: (edge) => {
    const { fetch, Request, Response } = edge;
    const reachable = /** @type {typeof fetch} */ (
      async (input, init) => {
        const answer = answers[new Request(/** @type {never} */ (input)).url];
        return answer === undefined ? fetch(input, init) : new Response(JSON.stringify(answer));
      }
    );
    return Object.assign(edge, { process: { env: process.env }, fetch: reachable });
  },
});

/** @type {Map<string, Promise<SourceTextModule>>} */
const modules = new Map();
const middleware = await load(path.join(project, 'middleware.js'));
await middleware.link((name, from) => load(path.resolve(path.dirname(from.identifier), name)));
await middleware.evaluate();

/** @type {{ default: (request: unknown) => Promise<Response>, config: { matcher: string[] } }} */
const { default: run, config } = /** @type {never} */ (middleware.namespace);
const matchers = config.matcher.map((path) => {
  const literals = path.split('(.*)').map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`);
});

/** @type {{ src: string, methods?: string[], status?: number, headers?: Record<string, string> }[]} */
const routes = JSON.parse(await readFile(path.join(project, 'vercel.json'), 'utf8')).routes;
const redirects = routes.flatMap(({ src, methods, status, headers }) =>
  status === undefined ? [] : [{ pattern: new RegExp(src), methods, status, headers }],
);

const server = createServer((request, response) => {
  answer(request, response).catch((/** @type {unknown} */ error) => response.writeHead(500).end(String(error)));
});
server.listen(Number(port), '127.0.0.1');

/** @param {string} file */
function load(file) {
  const module =
    modules.get(file) ??
    readFile(file, 'utf8').then((text) => new SourceTextModule(text, { context, identifier: file }));
  modules.set(file, module);
  return module;
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer({ method = 'GET', url = '/', headers, headersDistinct }, response) {
  // Node.js would use the first of several Host headers.
  headers.host = headersDistinct['host']?.join(', ') ?? '';
  const { pathname, href } = new URL(url, `http://127.0.0.1:${port}`);
  const result = matchers.some((matcher) => matcher.test(pathname))
    ? await run(new context.Request(href, { method, headers: /** @type {Record<string, string>} */ (headers) }))
    : undefined;
  if (result === undefined || result.headers.has('x-middleware-next')) {
    const route = redirects.find(({ pattern, methods }) => pattern.test(pathname) && methods?.includes(method));
    if (route !== undefined) return response.writeHead(route.status, route.headers).end();
    return sendFile(pathname, response);
  }
  response.writeHead(result.status, Object.fromEntries(result.headers));
  return response.end(Buffer.from(await result.arrayBuffer()));
}

/**
 * @param {string} pathname
 * @param {import('node:http').ServerResponse} response
 */
async function sendFile(pathname, response) {
  try {
    response.end(await readFile(dist + pathname));
  } catch {
    response.writeHead(404).end('The page could not be found');
  }
}
