import type { Server } from 'node:http';
import path from 'node:path';
import { ContainedFolder, ContainmentError, isPathBelow } from '../../io/disk/contained-folder.ts';
import { send, startServer } from './server.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.yml': 'text/yaml; charset=utf-8',
};

/** Maximum size of a file, in bytes: the script of the CMS has 3 million. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Serves the files of a folder as they are, on 127.0.0.1: of a folder in it, its `index.html`. Links are not followed. */
export async function serveFolder(folder: string, port: number): Promise<{ url: string; server: Server }> {
  const files = new ContainedFolder(folder);
  const { server, port: listening } = await startServer({ port }, async ({ method, url = '/' }, response) => {
    if (method !== 'GET' && method !== 'HEAD') return send(response, method, 405, { Allow: 'GET, HEAD' }, '');
    const name = fileName(url);
    const body = name === undefined ? undefined : await readFile(files, name);
    if (name === undefined || body === undefined) return send(response, method, 404, {}, '');
    const type = TYPES[path.extname(name).toLowerCase()] ?? 'application/octet-stream';
    const headers = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY' };
    send(response, method, 200, { ...headers, 'Content-Type': type }, body);
  });
  return { url: `http://127.0.0.1:${listening}/`, server };
}

function fileName(url: string): string | undefined {
  const pathname = url.replace(/\?.*$/s, '');
  try {
    const name = decodeURIComponent(pathname.slice(1)) + (pathname.endsWith('/') ? 'index.html' : '');
    return isPathBelow(name) ? name : undefined;
  } catch {
    return undefined; // not percent-encoded
  }
}

async function readFile(files: ContainedFolder, name: string): Promise<Buffer | undefined> {
  return files.read(name, MAX_BYTES).catch((error: unknown) => {
    if (error instanceof ContainmentError) return undefined; // a folder, or a link
    throw error;
  });
}
