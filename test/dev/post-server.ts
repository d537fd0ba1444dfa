import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { MediaFolder } from '../../src/dev/media-folder.ts';
import { changeAt } from '../../src/dev/changes.ts';
import { Session } from '../../src/dev/session.ts';
import { IncrementalCache } from '../../src/io/incremental/incremental-cache.ts';
import { Cache } from '../../src/io/images/cache.ts';
import { send, startServer } from '../../src/http/io/server.ts';
import type { SiteFolder } from '../site-folder.ts';

export const TOKEN = 'the-token-of-this-start';
export const LIST = '/api/v2/theme/';

/** The part of the development server that handles POST, on a local port. */
export interface PostServer {
  origin: string;
  session: Session;
  close: () => Promise<void>;
}

export async function servePost(site: Pick<SiteFolder, 'themesDir' | 'cacheDir'>): Promise<PostServer> {
  const cache = await Cache.open(site.cacheDir);
  const media = await MediaFolder.create(site.cacheDir);
  const token = TOKEN;
  const stop = new AbortController();
  let session: Session | undefined;
  let origin = '';
  const { server, port } = await startServer(
    { root: media.folder, port: 0, mediaCache: undefined },
    async (request, response) => {
      if (session === undefined) return send(response, request.method, 503, {}, '');
      const reply = await changeAt(LIST, request, { session, origin, token } as never);
      send(response, request.method, reply?.status ?? 404, reply?.headers ?? {}, reply?.body ?? '');
    },
  );
  origin = `http://127.0.0.1:${port}`;
  const started = new Session(
    { ...site, cwd: process.cwd(), baseUrl: origin },
    { cache, incremental: await IncrementalCache.open() },
    media,
    stop.signal,
  );
  await started.start();
  session = started;
  return {
    origin,
    session: started,
    close: async () => {
      stop.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await started.close();
    },
  };
}

/** Sends a POST to the list, with the token unless the headers override it. */
export async function post(
  { origin }: PostServer,
  body: FormData | string | Uint8Array | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: Headers; text: string; json: unknown }> {
  const isJson = !(typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array);
  const response = await fetch(origin + LIST, {
    method: 'POST',
    headers: { 'X-Themecast-Token': TOKEN, ...(isJson ? { 'Content-Type': 'application/json' } : {}), ...headers },
    body: isJson ? JSON.stringify(body) : body,
  });
  const text = await response.text();
  const isObject = response.headers.get('Content-Type') === 'application/json';
  return { status: response.status, headers: response.headers, text, json: isObject ? JSON.parse(text) : undefined };
}

/** A form with these texts and files. */
export function formOf(
  texts: Readonly<Record<string, string | readonly string[]>>,
  files: Readonly<Record<string, readonly [name: string, bytes: Uint8Array]>> = {},
): FormData {
  const form = new FormData();
  for (const [field, values] of Object.entries(texts)) for (const value of [values].flat()) form.append(field, value);
  for (const [field, [name, bytes]] of Object.entries(files))
    form.append(field, new Blob([new Uint8Array(bytes)]), name);
  return form;
}

/** The images of a theme of this repository by field, under meaningless names. */
export async function imagesOf(slug: string): Promise<Record<string, readonly [name: string, bytes: Uint8Array]>> {
  const folder = path.resolve(import.meta.dirname, '../../themes', slug);
  const yaml = await readFile(path.join(folder, 'theme.yaml'), 'utf8');
  const named = [...yaml.matchAll(/^(\w+): (\S+\.(?:png|svg|jpg|webp))$/gm)];
  const read = named.map(async ([, field = '', name = '']) => [
    field,
    ['upload', await readFile(path.join(folder, name))],
  ]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, readonly [string, Uint8Array]>;
}
