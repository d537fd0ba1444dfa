import { readFile, stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import path from 'node:path';
import { RULES_FILE } from '../edge/common.ts';
import type { EdgeRules } from '../mapping/edge-rules.ts';
import { openMapping, readPublished, readRules } from './built.ts';
import { sha256Of } from './files.ts';
import { liveFolder } from './places.ts';
import { answer, type Served, startServer } from './server.ts';

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

/**
 * Serves a build on 127.0.0.1 as the hosts do: http-server sends the media, and the endpoints are answered by the same
 * handler as at the edge. A later build shows at once.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  await readPublished(options.outDir);
  const rules = await readRules(options.edgeOutDir);
  const outDir = await liveFolder(options.outDir);
  const edgeOutDir = await liveFolder(options.edgeOutDir);
  const { server, port } = await startServer(
    { root: outDir, port: options.port, mediaCache: rules.headers.media['Cache-Control'] },
    async (request, response) => answer(request, response, await latest(outDir, edgeOutDir)),
  );
  return { rules, url: `http://127.0.0.1:${port}${rules.basePath}`, server };
}

let read: { version: string; served: Promise<Served> } | undefined;

/** The build as it is now; read again only when one of its two indexes has changed. */
async function latest(outDir: string, edgeOutDir: string): Promise<Served> {
  const indexes = [path.join(edgeOutDir, RULES_FILE), path.join(outDir, 'manifest.json')];
  const stats = await Promise.all(indexes.map((file) => stat(file).catch(() => undefined)));
  const version = stats.map((found, at) => `${indexes[at]} ${found?.ino} ${found?.size} ${found?.mtimeMs}`).join();
  if (read?.version !== version) {
    read = { version, served: readBuild(outDir, edgeOutDir) };
  }
  return read.served;
}

async function readBuild(outDir: string, edgeOutDir: string): Promise<Served> {
  const rules = await readRules(edgeOutDir);
  const [themeOf, published] = await Promise.all([
    openMapping(edgeOutDir, rules, (name) => process.env[name]),
    readPublished(outDir),
  ]);
  return {
    rules,
    themeOf,
    hasMedia: (name) => published.has(name),
    readFile: async (name) => {
      if (!published.has(name.slice(1))) return undefined;
      // Hashed as it is read: a publication may be under way, and the manifest is replaced last.
      const body = await readFile(path.join(outDir, name));
      return { body, etag: `"${sha256Of(body).slice(0, 32)}"` };
    },
  };
}
