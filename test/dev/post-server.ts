import { type DevServer, startDevServer } from '../../src/commands/dev/server.ts';
import type { SiteFolder } from '../site-folder.ts';

export const LIST = '/api/v2/theme/';

/** Starts the development server in this process, and waits for the first build. */
export async function serve({ themesDir, cacheDir }: SiteFolder): Promise<DevServer> {
  const stop = new AbortController();
  const options = { themesDir, cacheDir, cwd: process.cwd(), port: 0, stop: stop.signal, onUpdate: () => undefined };
  const server = await startDevServer(options);
  await server.session.start();
  return {
    ...server,
    close: () => {
      stop.abort();
      return server.close();
    },
  };
}

/** Sends a POST to the list, with the token unless the headers override it. */
export async function post(
  { url, token }: DevServer,
  body: FormData | string | Uint8Array | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: Headers; text: string; json: unknown }> {
  const isJson = !(typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array);
  const response = await fetch(url + LIST, {
    method: 'POST',
    headers: { 'X-Themecast-Token': token, ...(isJson ? { 'Content-Type': 'application/json' } : {}), ...headers },
    body: isJson ? JSON.stringify(body) : body,
  });
  const text = await response.text();
  const isObject = response.headers.get('Content-Type') === 'application/json';
  return { status: response.status, headers: response.headers, text, json: isObject ? JSON.parse(text) : undefined };
}

/** Returns a form with texts and files. */
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
