import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import harbor from '../../src/client/fixtures/default.json' with { type: 'json' };
import meadow from '../../src/client/fixtures/empty-palette.json' with { type: 'json' };
import list from '../../src/client/fixtures/list.json' with { type: 'json' };
import { codeBlocks, readPage } from '../docs/pages.ts';
import { esbuild, NO_PLATFORMS } from '../platforms.ts';
import { skip } from '../skip.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-react-'));
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await rm(folder, { recursive: true, force: true });
});

/** Writes the client and a code block of the page as modules, and imports the block. */
async function load(name: string, text: string): Promise<Record<string, () => unknown>> {
  const block = codeBlocks(readPage('docs/clients.md'), 'ts').find((code) => code.includes(text)) ?? '';
  const client = await readFile(path.join(import.meta.dirname, '../../src/client/client.ts'), 'utf8');
  for (const [module, code] of Object.entries({ theme: client, [name]: block }))
    await writeFile(
      path.join(folder, `${module}.js`),
      esbuild().transformSync(code, { loader: 'ts', format: 'esm' }).code,
    );
  return (await import(path.join(folder, `${name}.js`))) as Record<string, () => unknown>;
}

it('the hook in the documentation renders the last theme and each change, as refresh and palette do', async (context) => {
  if (NO_PLATFORMS !== undefined) skip(context, NO_PLATFORMS);
  await mkdir(path.join(folder, 'node_modules/react'), { recursive: true });
  const files = {
    'package.json': '{"type":"module"}',
    'fallback.json': JSON.stringify(harbor),
    'node_modules/react/package.json': '{"type":"module","exports":"./react.js"}',
    'node_modules/react/react.js': `export const useSyncExternalStore = (...store) => store;\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  let theme: object = meadow;
  const fetch = vi.fn(async (url: string) =>
    Response.json(url.endsWith('/config/') ? theme : list.find(({ id }) => url.endsWith(`/theme/${id}/`))),
  );
  vi.stubGlobal('document', page);
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ etag: null, value: meadow }), setItem: () => {} });
  vi.stubGlobal('fetch', fetch);

  const { useTheme = (): never => expect.fail() } = await load('use-theme', 'useSyncExternalStore');
  await load('refresh', 'visibilitychange');
  const { palette } = await load('palette', 'palette_preview');
  const [subscribe, snapshot, serverSnapshot] = useTheme() as [(call: () => void) => void, () => object, () => object];
  const firstSnapshot = snapshot();
  expect([firstSnapshot, serverSnapshot()]).toEqual([meadow, harbor]);
  const change = new Promise<void>((resolve) => {
    // Compares snapshots at each notification, as React does.
    subscribe(() => snapshot() === firstSnapshot || resolve());
  });
  expect(await palette?.()).toEqual(list.find(({ id }) => id === meadow.id)?.palette_preview);
  expect(fetch).toHaveBeenCalledTimes(2);
  theme = harbor;
  for (const visibilityState of ['hidden', 'visible'])
    Object.assign(page, { visibilityState }).dispatchEvent(new Event('visibilitychange'));
  await change;
  expect([snapshot(), fetch.mock.calls.length]).toEqual([harbor, 3]);
});
