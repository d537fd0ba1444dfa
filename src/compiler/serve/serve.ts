import { stat } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import path from 'node:path';
import { RULES_FILE } from '../../hosts/adapter/common-files.ts';
import { ASSETS } from '../../core/document/endpoint.ts';
import type { EdgeRules } from '../../hosts/contract/contract.ts';
import { MAX_LIST_BYTES } from '../../core/document/files/manifest-file.ts';
import { openMapping, readPublished, readRules } from './read-build.ts';
import { sha256Of } from '../../system/disk/files.ts';
import { ContainedFolder } from '../../system/disk/contained-folder.ts';
import { answer, headerOf, send, type Served, startServer } from '../../system/http/io/server.ts';

export interface ServeOptions {
  /** The public output of a build, and the private one with the rules and users. */
  outDir: string;
  edgeOutDir: string;
  /** 0 for any free port. */
  port: number;
}

export interface Serving {
  rules: EdgeRules;
  /** The URL of the service, with the path of `base_url`. */
  url: string;
  server: Server;
}

/**
 * Serves a build on 127.0.0.1 with the handlers of the hosts that run code. A later build is served immediately. Only the URLs of media differ,
 * which point at this server; and `/` redirects browsers to the page of the list.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  await readPublished(options.outDir);
  const rules = await readRules(options.edgeOutDir);
  const { outDir, edgeOutDir } = options;
  const { server, port } = await startServer({ port: options.port }, async (request, response) => {
    const served = (await latest(outDir, edgeOutDir))(originOf(request));
    if (isBrowserAtRoot(request, served.rules))
      return send(response, request.method, 302, { Location: `${served.rules.endpoints.list.path}?format=api` }, '');
    await answer(request, response, served);
  });
  return { rules, url: `http://127.0.0.1:${port}${rules.basePath}`, server };
}

/**
 * Returns the origin by which the client reached this server, perhaps under another name or through a forwarded port. The policy of the pages only
 * allows images of the same origin.
 */
function originOf(request: IncomingMessage): string {
  const host = headerOf(request, 'Host') ?? '';
  return `http://${LOOPBACK.test(host) ? host : `127.0.0.1:${request.socket.localPort}`}`;
}

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/** Returns whether a browser requests `/` or the path of `base_url`, where hosts have nothing. */
function isBrowserAtRoot(request: IncomingMessage, { basePath }: EdgeRules): boolean {
  const isRoot = ['/', basePath, `${basePath}/`].includes(request.url ?? '');
  return request.method === 'GET' && isRoot && headerOf(request, 'Accept')?.includes('text/html') === true;
}

/** Returns the files for clients of an origin. */
type ServedAt = (origin: string) => Served;

let current: { version: string; served: Promise<ServedAt> } | undefined;

/** Returns the current build, which is read again only when one of its two indexes has changed. */
async function latest(outDir: string, edgeOutDir: string): Promise<ServedAt> {
  const indexes = [path.join(edgeOutDir, RULES_FILE), path.join(outDir, 'manifest.json')];
  const stats = await Promise.all(indexes.map((file) => stat(file).catch(() => undefined)));
  const version = stats.map((times, at) => `${indexes[at]} ${times?.ino} ${times?.size} ${times?.mtimeMs}`).join();
  if (current?.version !== version) {
    current = { version, served: readBuild(outDir, edgeOutDir) };
  }
  return current.served;
}

async function readBuild(outDir: string, edgeOutDir: string): Promise<ServedAt> {
  const rules = await readRules(edgeOutDir);
  const files = new ContainedFolder(outDir);
  const [themeOf, published] = await Promise.all([
    openMapping(edgeOutDir, rules, (name) => process.env[name]),
    readPublished(outDir),
  ]);
  return (origin) => ({
    rules,
    themeOf,
    readMedia: async (name) =>
      published.has(name) && files.hasFile(name) ? files.read(name, MAX_LIST_BYTES) : undefined,
    readFile: async (name) => {
      const file = name.slice(1);
      const isSchemaOrRecord =
        name !== ASSETS && [...rules.schemas, ...rules.records].some((entry) => entry.file === name);
      const bytes = published.has(file) || isSchemaOrRecord ? await files.read(file, MAX_LIST_BYTES) : undefined;
      if (bytes === undefined) return undefined;
      if (name.endsWith('.png')) return { body: bytes, etag: `"${sha256Of(bytes).slice(0, 32)}"` };
      const text = bytes.toString('utf8');
      // Schemas and records describe the published site, so their URLs stay as published.
      const body = isSchemaOrRecord
        ? text
        : withMediaUrl(text, rules.mediaUrl, `${origin}${rules.basePath}/media`, published);
      // Of the content: a publication replaces manifest.json last, so its digest may be old.
      return { body, etag: `"${sha256Of(body).slice(0, 32)}"` };
    },
  });
}

/** Replaces the URLs of published media in a document. Other images, which may be below the same URL, keep theirs. */
function withMediaUrl(text: string, from: string, to: string, published: ReadonlyMap<string, unknown>): string {
  const [start = '', ...parts] = text.split(`${from}/`);
  const replaced = parts.map((part) => {
    const [file = ''] = /^[\w./~-]*/.exec(part) ?? [];
    return `${published.has(`media/${file}`) ? to : from}/${part}`;
  });
  return start + replaced.join('');
}
