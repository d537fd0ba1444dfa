import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchJwks } from '../../src/core/edge-runtime/jwks.ts';
import { siteFile } from '../../src/core/edge-runtime/site-file.ts';

const fetchMock = vi.fn<(url: string | URL, init?: RequestInit) => Promise<Response>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetchMock.mockReset());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('fetchJwks', () => {
  const respondWithKey = (kid: string) => async () => Response.json({ keys: [{ kid }] });

  it('fetches keys at most once in five minutes', async () => {
    const url = 'https://login.example.org/1';
    fetchMock.mockImplementation(respondWithKey('old'));
    expect(await fetchJwks(url)).toEqual([{ kid: 'old' }]);
    fetchMock.mockImplementation(respondWithKey('new'));
    vi.advanceTimersByTime(299_000);
    expect(await fetchJwks(url)).toEqual([{ kid: 'old' }]);
    expect(fetchMock).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1000);
    expect(await fetchJwks(url)).toEqual([{ kid: 'new' }]);
  });

  it.each([
    ['an error', async () => new Response('{"keys":[]}', { status: 500 })],
    ['not JSON', async () => new Response('<html>')],
    ['without keys', async () => Response.json({ keys: 'none' })],
    ['missing', () => Promise.reject(new TypeError('fetch failed'))],
  ])('keeps the last keys while the response is %s, and retries after ten seconds', async (problem, fail) => {
    const url = `https://login.example.org/${encodeURIComponent(problem)}`;
    fetchMock.mockImplementation(fail);
    expect(await fetchJwks(url)).toEqual([]);
    expect(await fetchJwks(url)).toEqual([]);
    expect(fetchMock).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(10_000);
    fetchMock.mockImplementation(respondWithKey('cached'));
    expect(await fetchJwks(url)).toEqual([{ kid: 'cached' }]);
    vi.advanceTimersByTime(300_000);
    fetchMock.mockImplementation(fail);
    expect(await fetchJwks(url)).toEqual([{ kid: 'cached' }]);
  });
});

describe('siteFile', () => {
  const url = new URL('https://community.example.org/api/v2/theme/index.json');

  it('derives the ETag from the content, ignoring the ETag of the platform', async () => {
    fetchMock.mockImplementation(async () => new Response('[]', { headers: { ETag: 'W/"1"' } }));
    const file = await siteFile(url, { 'X-Own': '1' });
    expect(file?.etag).toBe('"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"');
    expect(new TextDecoder().decode(file?.body)).toBe('[]');
    expect(fetchMock).toHaveBeenCalledWith(url, { headers: { 'X-Own': '1' } });
  });

  it('treats 404 as a missing file, and any other error as a failure', async () => {
    fetchMock.mockImplementation(async () => new Response('', { status: 404 }));
    expect(await siteFile(url, {})).toBeUndefined();
    fetchMock.mockImplementation(async () => new Response('', { status: 401 }));
    await expect(siteFile(url, {})).rejects.toThrow('/api/v2/theme/index.json with 401');
  });
});
