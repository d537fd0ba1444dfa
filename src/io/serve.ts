import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import path from 'node:path';
import { createServer } from 'http-server';
import { detail, type EdgeRules } from '../mapping/edge-rules.ts';
import { RULES_FILE } from '../edge/common.ts';
import { handle } from '../edge/runtime/handler.ts';
import { fetchJwks } from '../edge/runtime/jwks.ts';
import { FORMATS } from '../image/format.ts';
import type { PublishedFile } from '../edge/verify/build.ts';
import { liveFolder } from './places.ts';
import { openMapping, readPublished, readRules, type ThemeOf } from './built.ts';
import { errorCode, sha256Of } from './files.ts';

export interface ServeOptions {
  /** The public output of a build, and the private one with the rules and users. */
  outDir: string;
  edgeOutDir: string;
  /** 0 for any free port. */
  port: number;
}

export interface Serving {
  rules: EdgeRules;
  /** Where the service is served, with the path of `base_url`. */
  url: string;
  server: Server;
}

/** There is no port to serve on. */
export class ServeError extends Error {}

/**
 * Serves a build on 127.0.0.1 as the hosts do: http-server sends the media, and the endpoints are answered by the same
 * handler as at the edge. A later build shows at once.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { port } = options;
  await readPublished(options.outDir);
  const rules = await readRules(options.edgeOutDir);
  const outDir = await liveFolder(options.outDir);
  const edgeOutDir = await liveFolder(options.edgeOutDir);
  const mimetypes = Object.fromEntries(
    Object.values(FORMATS).map(({ mediaType, extensions }) => [mediaType, [...extensions]]),
  );
  const serverOptions = {
    root: outDir,
    cache: rules.headers.media['Cache-Control'],
    showDir: 'false', // the package tests for this text
    autoIndex: 'false',
    showDotfiles: false,
    mimetypes,
    before: [
      (request: IncomingMessage, response: ServerResponse): void => {
        // A rejection here would end the process: http-server does not catch it.
        respond(request, response, outDir, edgeOutDir).catch((error: unknown) => {
          send(response, request.method, 500, { 'Content-Type': 'text/plain; charset=utf-8' }, String(error));
        });
      },
    ],
  };
  // Types of the package lack `mimetypes`, and texts for `cache`.
  const server = createServer(serverOptions as unknown as Parameters<typeof createServer>[0]) as unknown as Server & {
    server: Server;
  };
  await listen(server, port);
  const address = server.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return { rules, url: `http://127.0.0.1:${bound}${rules.basePath}`, server: server.server };
}

interface Latest {
  rules: EdgeRules;
  themeOf: ThemeOf;
  published: ReadonlyMap<string, PublishedFile>;
}

let read: { version: string; latest: Promise<Latest> } | undefined;

/** The build as it is now; read again only when one of its two indexes has changed. */
async function latest(outDir: string, edgeOutDir: string): Promise<Latest> {
  const indexes = [path.join(edgeOutDir, RULES_FILE), path.join(outDir, 'manifest.json')];
  const stats = await Promise.all(indexes.map((file) => stat(file).catch(() => undefined)));
  const version = stats.map((found, at) => `${indexes[at]} ${found?.ino} ${found?.size} ${found?.mtimeMs}`).join();
  if (read?.version !== version) {
    read = { version, latest: readLatest(outDir, edgeOutDir) };
  }
  return read.latest;
}

async function readLatest(outDir: string, edgeOutDir: string): Promise<Latest> {
  const rules = await readRules(edgeOutDir);
  const [themeOf, published] = await Promise.all([
    openMapping(edgeOutDir, rules, (name) => process.env[name]),
    readPublished(outDir),
  ]);
  return { rules, themeOf, published };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  outDir: string,
  edgeOutDir: string,
): Promise<void> {
  const { rules, themeOf, published } = await latest(outDir, edgeOutDir);
  const { method = 'GET', url: target = '/' } = request;
  if (!target.startsWith('/')) return send(response, method, 400, {}, '');
  const url = `http://127.0.0.1${target}`;
  const headers = { get: (name: string) => headerOf(request, name) };
  const answer = await handle({ method, url, headers }, rules, {
    readFile: async (name) => {
      if (!published.has(name.slice(1))) return undefined;
      // Hashed as it is read: a publication may be under way, and the manifest is replaced last.
      const body = await readFile(path.join(outDir, name));
      return { body, etag: `"${sha256Of(body).slice(0, 32)}"` };
    },
    themeOf,
    isTrusted: () => true, // whoever reaches the loopback address is the developer, trying out identities
    secret: (env) => process.env[env],
    jwks: fetchJwks,
  });
  if (answer !== undefined) {
    const body = Buffer.from(await answer.arrayBuffer());
    return send(response, method, answer.status, Object.fromEntries(answer.headers), body);
  }
  const { pathname } = new URL(url);
  const name = pathname.startsWith(`${rules.basePath}/media/`) ? pathname.slice(rules.basePath.length + 1) : '';
  if (published.has(name)) return passOn(request, response, name, rules);
  refuse(response, method, 404, rules.refusals.notFound, rules);
}

/** Leaves a picture to http-server, but for the requests that it answers otherwise than the hosts do. */
function passOn(request: IncomingMessage, response: ServerResponse, name: string, rules: EdgeRules): void {
  const { method = 'GET', headers } = request;
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(response, method, 405, detail(`Method "${method}" not allowed.`), rules);
  // Its ETags are weak, so none is a match (RFC 9110, §13.1.1).
  if (headers['if-match'] !== undefined && headers['if-match'] !== '*')
    return refuse(response, method, 412, detail('The precondition failed.'), rules);
  // Pictures are sent whole: its answer to a range that is outside could be kept.
  delete headers.range;
  response.removeHeader('Accept-Ranges');
  const security = { ...rules.headers.all, ...(name.endsWith('.svg') ? rules.headers.svg : {}) };
  for (const [header, value] of Object.entries(security)) response.setHeader(header, value);
  request.url = `/${name}`;
  response.emit('next');
}

function refuse(
  response: ServerResponse,
  method: string,
  status: number,
  body: string,
  { headers: { all, error }, contentTypes }: EdgeRules,
): void {
  send(response, method, status, { ...all, ...error, 'Content-Type': contentTypes.json }, body);
}

function send(
  response: ServerResponse,
  method: string | undefined,
  status: number,
  headers: Record<string, string>,
  body: Buffer | string,
): void {
  response.statusCode = status;
  response.removeHeader('Accept-Ranges'); // http-server sets it on every answer
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const bodiless = status === 304 || status === 301;
  if (!bodiless && response.getHeader('Content-Length') === undefined)
    response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(method === 'HEAD' || bodiless ? undefined : body);
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return (Array.isArray(value) ? value.join(', ') : value) ?? null;
}

async function listen(server: Server & { server: Server }, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', (error) => {
      const taken = errorCode(error) === 'EADDRINUSE';
      reject(
        taken
          ? new ServeError(`The port ${port} is in use. Name another with \`--port N\`; 0 takes any free one.`)
          : error,
      );
    });
    server.server.once('listening', resolve);
    server.listen(port, '127.0.0.1');
  });
}
