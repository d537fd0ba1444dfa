import { expect, it } from 'vitest';
import { CONFIG, LIST, type Running } from './expected.ts';
import { type Request, send } from './send.ts';

export const ALLOWED_ORIGINS = ['https://app.example.org', 'http://localhost:5173'];

const FOREIGN_ORIGINS = [
  ...'https://evil.example null * https://app.example.org.evil.example https://appXexample.org'.split(' '),
  ...'xhttps://app.example.org https://app.example.org:8443 https://app.example.org/'.split(' '),
  ...'HTTPS://APP.EXAMPLE.ORG'.split(' '),
];

/** Tests the CORS protocol of the Fetch standard, for {@link ALLOWED_ORIGINS}. */
export function corsContract(running: () => Running): void {
  it.each(ALLOWED_ORIGINS)('allows pages of %s to read both endpoints', async (Origin) => {
    const list = { 'access-control-allow-origin': Origin };
    const config = { ...list, 'access-control-allow-credentials': 'true' };
    const readsHeader = running().vary.config.includes('X-Remote-User');
    const preflight = {
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-max-age': '600',
      ...(readsHeader ? { 'access-control-allow-headers': 'X-Remote-User' } : {}),
    };
    for (const method of ['GET', 'HEAD', 'POST', 'PUT']) {
      expect(await corsHeaders(running(), { method, path: LIST, headers: { Origin } })).toEqual(list);
      expect(await corsHeaders(running(), { method, path: CONFIG, headers: { Origin } })).toEqual(config);
    }
    for (const path of [`${CONFIG}?format=xml`, `${CONFIG}?format=json`]) {
      expect(await corsHeaders(running(), { path, headers: { Origin, Accept: 'text/html' } })).toEqual(config);
    }
    expect(await corsHeaders(running(), { method: 'OPTIONS', path: LIST, headers: { Origin } })).toEqual({
      ...list,
      ...preflight,
    });
    expect(await corsHeaders(running(), { method: 'OPTIONS', path: CONFIG, headers: { Origin } })).toEqual({
      ...config,
      ...preflight,
    });
  });

  it.each(FOREIGN_ORIGINS)('sends no CORS headers to %s', async (Origin) => {
    for (const path of [LIST, CONFIG]) {
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        expect(await corsHeaders(running(), { method, path, headers: { Origin } })).toEqual({});
      }
    }
  });
}

async function corsHeaders({ port, base }: Running, request: Request): Promise<Record<string, string>> {
  const { headers } = await send(port, { ...request, path: base + request.path });
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
}
