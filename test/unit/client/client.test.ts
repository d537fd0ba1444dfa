import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createThemeClient, logoFor } from '../../../src/client/client.ts';
import harbor from '../../../src/client/fixtures/default.json' with { type: 'json' };
import meadow from '../../../src/client/fixtures/empty-palette.json' with { type: 'json' };
import everyValue from '../../../src/client/fixtures/every-value.json' with { type: 'json' };
import unknownField from '../../../src/client/fixtures/unknown-field.json' with { type: 'json' };
import unknownValue from '../../../src/client/fixtures/unknown-value.json' with { type: 'json' };
import { esbuild, NO_PLATFORMS } from '../../platforms.ts';
import { skip } from '../../skip.ts';
import type { ThemeClientOptions, ThemeFetch, ThemeStorage } from '../../../src/client/types.ts';
import { logoOf } from '../../../src/core/document/logo-choice.ts';
import { IMAGE_FIELDS, IMAGE_SET_FIELDS } from '../../../src/core/theme/fields/fields.ts';

const baseUrl = 'https://community.example.org';
const CONFIG_KEY = `themecast:${baseUrl}/api/v2/theme/config/`;

interface Exchange {
  url: string;
  init: Parameters<ThemeFetch>[1];
  respond: (body: unknown, etag?: string) => void;
}

/** Returns a `fetch` whose responses the test resolves, in any order. */
function manualFetch(): { fetch: ThemeFetch; exchanges: Exchange[] } {
  const exchanges: Exchange[] = [];
  const fetch: ThemeFetch = (url, init) =>
    new Promise((resolve) => {
      const respond: Exchange['respond'] = (body, etag) =>
        resolve(Response.json(body, { headers: etag === undefined ? {} : { ETag: etag } }));
      exchanges.push({ url, init, respond });
    });
  return { fetch, exchanges };
}

const respondWith =
  (body: unknown): ThemeFetch =>
  async () =>
    Response.json(body);

function memory(entries: Readonly<Record<string, unknown>> = {}): ThemeStorage & { map: Map<string, string> } {
  const map = new Map(Object.entries(entries).map(([key, value]) => [key, JSON.stringify(value)]));
  return {
    map,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  };
}

const clientWith = (options: Partial<ThemeClientOptions>) =>
  createThemeClient({ baseUrl, fallback: harbor, ...options });

afterEach(() => vi.unstubAllGlobals());

describe('requests', () => {
  it('are shared by concurrent calls, and sent again by later calls', async () => {
    const { fetch, exchanges } = manualFetch();
    const client = clientWith({ fetch });
    const calls = [client.current(), client.current()];
    client.subscribe(() => undefined);
    expect(exchanges).toHaveLength(1);
    exchanges[0]?.respond(meadow);
    expect(await Promise.all(calls)).toEqual([meadow, meadow]);
    const repeated = client.current();
    expect(exchanges).toHaveLength(2);
    exchanges[1]?.respond(harbor);
    expect(await repeated).toEqual(harbor);
  });

  it('send cookies for the config only, and ignore slashes at the end of the base URL', async () => {
    const { fetch, exchanges } = manualFetch();
    const client = clientWith({ fetch, baseUrl: `${baseUrl}//` });
    void client.current();
    void client.list();
    void client.themeById(7);
    void client.themeById(7);
    expect(exchanges.map(({ url, init }) => [url, init.credentials, init.redirect])).toEqual([
      [`${baseUrl}/api/v2/theme/config/`, 'include', 'manual'],
      [`${baseUrl}/api/v2/theme/`, undefined, 'manual'],
      [`${baseUrl}/api/v2/theme/7/`, undefined, 'manual'],
    ]);
  });

  it('return a theme by its id, and keep its last valid record', async () => {
    const { fetch, exchanges } = manualFetch();
    const client = clientWith({ fetch });
    const first = client.themeById(7);
    exchanges[0]?.respond(meadow);
    expect(await first).toEqual(meadow);
    const again = client.themeById(7);
    exchanges[1]?.respond('gone');
    expect(await again).toEqual(meadow);
    const other = client.themeById(8);
    exchanges[2]?.respond('gone');
    expect(await other).toEqual(harbor);
    expect(client.last()).toEqual(harbor);
  });

  it('are conditional if the last valid response had an ETag, even after a restart', async () => {
    const { fetch, exchanges } = manualFetch();
    const storage = memory();
    const firstTheme = clientWith({ fetch, storage }).current();
    exchanges[0]?.respond(meadow, '"v1"');
    await firstTheme;
    const restarted = clientWith({ fetch, storage });
    void restarted.current();
    expect(exchanges[1]?.init.headers).toEqual({ Accept: 'application/json', 'If-None-Match': '"v1"' });
    // The ETag of an unusable value is not stored, because there would be no value for a 304.
    const [key = ''] = storage.map.keys();
    storage.setItem(key, JSON.stringify({ etag: '"v1"', value: { ...meadow, logo: null } }));
    void clientWith({ fetch, storage }).current();
    expect(exchanges[2]?.init.headers).toEqual({ Accept: 'application/json' });
  });

  it.each<[string, Partial<ThemeClientOptions>]>([
    ['fetch is no function', { fetch: 'none' as never }],
    ['the base URL is invalid', { baseUrl: 'https://[' }],
    ['a relative base URL has no document', { baseUrl: '' }],
  ])('return the fallback if %s', async (_, options) => {
    const client = clientWith(options);
    expect([await client.current(), await client.list()]).toEqual([harbor, [harbor]]);
  });
});

describe('clear', () => {
  it('drops responses to earlier requests, but not to later ones', async () => {
    const { fetch, exchanges } = manualFetch();
    const storage = memory();
    const client = clientWith({ fetch, storage });
    const notifiedNames: string[] = [];
    client.subscribe(({ name }) => void notifiedNames.push(name));
    const earlierTheme = client.current();
    client.clear();
    const laterTheme = client.current();
    expect(exchanges).toHaveLength(2);
    exchanges[0]?.respond(meadow);
    expect(await earlierTheme).toEqual(harbor);
    expect(storage.map.size).toBe(0);
    // The later request is still pending.
    void client.current();
    expect(exchanges).toHaveLength(2);
    exchanges[1]?.respond(unknownField);
    expect(await laterTheme).toEqual(unknownField);
    await Promise.resolve();
    expect(notifiedNames).toEqual(['Harbor', 'Harbor', 'Unknown field']);
  });

  it('removes the theme and the list of its base URL only', async () => {
    const otherService = `themecast:https://other.example.org/api/v2/theme/config/`;
    const storage = memory({ [otherService]: { etag: null, value: meadow } });
    const client = clientWith({
      fetch: async (url) => Response.json(url.endsWith('config/') ? meadow : [meadow]),
      storage,
    });
    await Promise.all([client.current(), client.list()]);
    expect(storage.map.size).toBe(3);
    client.clear();
    expect([...storage.map.keys()]).toEqual([otherService]);
  });
});

describe('another tab', () => {
  it('logs out: this tab clears its theme, drops its pending response and requests again', async () => {
    let log: (event: { key: string; newValue: string | null }) => void = () => undefined;
    const storage = memory({ [CONFIG_KEY]: { etag: null, value: meadow } });
    vi.stubGlobal('document', {});
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('addEventListener', (_: string, call: typeof log) => (log = call));
    const { fetch, exchanges } = manualFetch();
    const client = clientWith({ fetch });
    const notifiedNames: string[] = [];
    client.subscribe(({ name }) => void notifiedNames.push(name));
    const earlierTheme = client.current();
    log({ key: 'other', newValue: null });
    log({ key: CONFIG_KEY, newValue: '{}' });
    expect(exchanges).toHaveLength(1);
    // The other tab has removed the value, but a response may have been stored since then.
    log({ key: CONFIG_KEY, newValue: null });
    expect([exchanges.length, storage.map.size]).toEqual([2, 0]);
    exchanges[0]?.respond(meadow);
    await earlierTheme;
    expect(storage.map.size).toBe(0);
    const laterTheme = client.current();
    exchanges[1]?.respond(unknownField);
    await laterTheme;
    await Promise.resolve();
    expect(notifiedNames).toEqual(['Meadow', 'Harbor', 'Unknown field']);
  });
});

describe('problems', () => {
  const reply = (status: number, body: string, type: string): ThemeFetch => {
    return async () => new Response(status === 304 ? null : body, { status, headers: { 'Content-Type': type } });
  };
  it.each<[string, ThemeFetch, string[]]>([
    ['a status', reply(500, '{}', 'application/json'), ['Error: Status 500, or not JSON']],
    ['a login page', reply(200, '<p>', 'text/html'), ['Error: Status 200, or not JSON']],
    ['invalid JSON', reply(200, '{', 'application/json'), [expect.stringMatching(/^SyntaxError: /)]],
    ['an image by http', respondWith({ ...meadow, logo: 'http://intranet/x' }), [expect.stringMatching(/by https/)]],
    ['a response that does not end', () => new Promise(() => undefined), ['Error: Timeout']],
    ['no error, if nothing changed', reply(304, '', ''), []],
    ['no error, if the theme is valid', respondWith(meadow), []],
  ])('are reported for %s', async (_, fetch, expected) => {
    const reasons: string[] = [];
    await clientWith({ fetch, timeout: 20, onProblem: (reason) => void reasons.push(reason) }).current();
    expect(reasons).toEqual(expected);
  });

  it('are reported for a list without a usable theme, even if a listener throws', async () => {
    const reasons: string[] = [];
    const client = clientWith({
      fetch: respondWith([
        { ...meadow, id: 0 },
        { ...meadow, name: '' },
      ]),
      onProblem(reason) {
        reasons.push(reason);
        throw new Error('mine');
      },
    });
    expect(await client.list()).toEqual([harbor]);
    expect(reasons).toEqual(['Error: Not a theme: id, name or an image by https is missing']);
  });
});

describe('the storage', () => {
  it('may throw from any method', async () => {
    const fail = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    const client = clientWith({
      fetch: respondWith(meadow),
      storage: { getItem: fail, setItem: fail, removeItem: fail },
    });
    expect(await client.current()).toEqual(meadow);
    client.clear();
    vi.stubGlobal('document', {});
    vi.stubGlobal('localStorage', undefined);
    const clientInPage = clientWith({ fetch: respondWith(meadow) });
    expect(await clientInPage.current()).toEqual(meadow);
    clientInPage.clear();
  });

  it('defaults to localStorage in a page, and to memory elsewhere', async () => {
    const localStorage = memory();
    vi.stubGlobal('localStorage', localStorage);
    await clientWith({ fetch: respondWith(meadow) }).current();
    expect(localStorage.map.size).toBe(0);
    vi.stubGlobal('document', {});
    await clientWith({ fetch: respondWith(meadow), storage: null }).current();
    expect(localStorage.map.size).toBe(0);
    await clientWith({ fetch: respondWith(meadow) }).current();
    expect([...localStorage.map.keys()]).toEqual([CONFIG_KEY]);
  });
});

describe('last', () => {
  it('returns the last valid theme immediately, and the same object until the theme changes', async () => {
    const { fetch, exchanges } = manualFetch();
    const storage = memory({ [CONFIG_KEY]: { etag: null, value: meadow } });
    const client = clientWith({ fetch, storage });
    const storedTheme = client.last();
    expect([storedTheme, exchanges.length]).toEqual([meadow, 0]);
    for (const [theme, isSame] of [
      [meadow, true],
      [harbor, false],
    ] as const) {
      const currentTheme = client.current();
      exchanges.at(-1)?.respond(structuredClone(theme));
      expect(await currentTheme).toBe(client.last());
      expect(client.last() === storedTheme).toBe(isSame);
    }
    client.clear();
    expect(clientWith({ fetch }).last()).toBe(harbor);
    expect(client.last()).toBe(harbor);
  });

  it('returns the server-rendered theme instead of the stored one, until it is cleared', () => {
    const { fetch, exchanges } = manualFetch();
    const stored = memory({ [CONFIG_KEY]: { etag: '"v1"', value: unknownField } });
    const client = clientWith({ fetch, storage: stored, initial: meadow });
    expect(client.last()).toEqual(meadow);
    void client.current();
    expect(exchanges[0]?.init.headers).toEqual({ Accept: 'application/json' });
    client.clear();
    expect(client.last()).toBe(harbor);
    const initial = { ...meadow, logo: 'javascript:alert(1)' };
    const otherStorage = memory({ [CONFIG_KEY]: { etag: null, value: unknownField } });
    expect(clientWith({ fetch, storage: otherStorage, initial }).last()).toEqual(unknownField);
  });
});

describe('a record', () => {
  it.each([unknownField, unknownValue])('from a later version of the service is used: $name', async (theme) => {
    const laterRecord = { ...theme, palette_preview: [...theme.palette_preview, 'oklch(60% 0.2 260)'] };
    expect(await clientWith({ fetch: respondWith(laterRecord) }).current()).toEqual(theme);
  });

  it.each([
    ['https://EXAMPLE.org/a b"c\'d(e).svg', 'https://example.org/a%20b%22c%27d%28e%29.svg'],
    ['https://example.org/?a="\'()\\#"\'()\\', 'https://example.org/?a=%22%27%28%29%5C#%22%27%28%29%5C'],
    [' https://example.org/\\x\n.svg', 'https://example.org//x.svg'],
  ])('has URLs that close no quotation and no `url()`: %j', async (url, normalised) => {
    const set = { original: url, thumbnail: url, width: 4 };
    const theme = await clientWith({ fetch: respondWith({ ...meadow, favicon: url, logo_site: set }) }).current();
    const normalisedSet = { original: normalised, thumbnail: normalised, width: 4 };
    expect(theme).toEqual({ ...meadow, favicon: normalised, logo_site: normalisedSet });
  });

  // If this fails, the field is missing in `IMAGES` or `SETS` of src/client/client.ts.
  it.each([
    ...IMAGE_FIELDS.map((field) => [field, { [field]: 'javascript:alert(1)' }] as const),
    ...IMAGE_SET_FIELDS.flatMap((field) =>
      ['original', 'thumbnail'].map(
        (size) => [`${field}.${size}`, { [field]: { ...meadow[field], [size]: 'javascript:alert(1)' } }] as const,
      ),
    ),
  ])('is rejected if the URL in %s is one that a page may not load', async (_, image) => {
    expect(await clientWith({ fetch: respondWith({ ...meadow, ...image }) }).current()).toEqual(harbor);
  });

  it('gets missing settings, and settings of another type, from the fallback', async () => {
    const { logo_height: _, palette_preview: __, ...rest } = meadow;
    const theme = { ...rest, logo_margin_top: '4px', logo_alignment: null, is_default: 1 };
    const fallback = { ...harbor, logo_height: 77, logo_margin_top: 5, logo_alignment: 'center' };
    expect(await clientWith({ fetch: respondWith(theme), fallback }).current()).toEqual({
      ...meadow,
      logo_height: 77,
      logo_margin_top: 5,
      logo_alignment: 'center',
      is_default: true,
    });
  });

  it.each<[string, string, string | undefined, boolean]>([
    ['http://127.0.0.1:8080/logo.svg', 'http://localhost:8080', undefined, true],
    ['http://[::1]/logo.svg', 'http://127.0.0.1', undefined, true],
    ['http://localhost/logo.svg', 'https://community.example.org', undefined, false],
    ['http://localhost.example.org/logo.svg', 'http://localhost', undefined, false],
    ['http://localhost:1@example.org/logo.svg', 'http://localhost', undefined, false],
    ['http://intranet/logo.svg', 'http://intranet', 'http://intranet', true],
    ['http://intranet:81/logo.svg', 'http://intranet', 'http://intranet', false],
    ['http://intranet/logo.svg', 'http://intranet', undefined, false],
    // Sandboxed pages, and these URLs, have the origin `null`.
    ['javascript:alert(1)', 'https://community.example.org', 'null', false],
    ['data:image/png;base64,', 'https://community.example.org', 'null', false],
    ['file:///logo.svg', 'https://community.example.org', 'null', false],
  ])('with the URL %s of %s is used in a page of %s: %s', async (logo, base, origin, isUsed) => {
    if (origin !== undefined) vi.stubGlobal('location', { origin });
    const theme = { ...meadow, logo };
    const client = clientWith({ baseUrl: base, fetch: respondWith(theme) });
    expect(await client.current()).toEqual(isUsed ? theme : harbor);
  });
});

describe('logoFor', () => {
  it('chooses the logo of the mode, and the normal logo for unknown values', () => {
    for (const theme of [...everyValue, unknownValue, harbor]) {
      for (const mode of ['light', 'dark'] as const) {
        expect(logoFor(theme, { mode })).toBe(theme[logoOf(theme, mode, 'logo')]);
        expect(logoFor(theme, { mode, compact: true })).toBe(theme[logoOf(theme, mode, 'compact_logo')]);
      }
      expect(logoFor(theme)).toBe(logoFor(theme, { mode: 'light', compact: false }));
    }
  });
});

describe('the client in a bundle', () => {
  const file = path.join(import.meta.dirname, '../../../src/client/client.ts');
  const text = readFileSync(file, 'utf8').replaceAll(/^(?:import|export) type .*\n+/gm, '');

  it('is smaller than 2 kB, minified and compressed', (context) => {
    if (NO_PLATFORMS !== undefined) skip(context, NO_PLATFORMS);
    const { code } = esbuild().transformSync(text, { loader: 'ts', minify: true, format: 'esm', target: 'es2022' });
    const bytes = { minified: Buffer.byteLength(code), compressed: gzipSync(code, { level: 9 }).length };
    process.stdout.write(`The client: ${bytes.minified} bytes minified, ${bytes.compressed} compressed.\n`);
    expect(bytes.compressed).toBeLessThan(2000);
  });
});
