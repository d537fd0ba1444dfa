import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import harbor from '../../src/client/fixtures/default.json' with { type: 'json' };
import meadow from '../../src/client/fixtures/empty-palette.json' with { type: 'json' };
import list from '../../src/client/fixtures/list.json' with { type: 'json' };
import type { ThemeRecord } from '../../src/client/types.ts';
import { esbuild, NO_PLATFORMS } from '../platforms.ts';
import { skip } from '../skip.ts';
import { codeBlocks, readPage } from '../docs/pages.ts';

/** What the hook hands to React, which calls these. */
interface Store {
  subscribe: (rerender: () => void) => () => void;
  snapshot: () => ThemeRecord;
  serverSnapshot: () => ThemeRecord;
}

const REACT = `export const useSyncExternalStore = (subscribe, snapshot, serverSnapshot) => {
  globalThis.store = { subscribe, snapshot, serverSnapshot };
  return snapshot();
};\n`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-react-'));
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await rm(folder, { recursive: true, force: true });
});

it('the hook of the documentation starts with the last good theme and changes with it, as do refresh and palette', async (context) => {
  if (NO_PLATFORMS !== undefined) skip(context, NO_PLATFORMS);
  const block = (text: string): string =>
    codeBlocks(readPage('docs/clients.md'), 'ts').find((code) => code.includes(text)) ?? '';
  const client = await readFile(path.join(import.meta.dirname, '../../src/client/client.ts'), 'utf8');
  const modules = {
    theme: client,
    'use-theme': block('useSyncExternalStore'),
    refresh: block('visibilitychange'),
    palette: block('palette_preview'),
  };
  await mkdir(path.join(folder, 'node_modules/react'), { recursive: true });
  const files = {
    'package.json': '{"type":"module"}',
    'fallback.json': JSON.stringify(harbor),
    'node_modules/react/package.json': '{"type":"module","exports":"./react.js"}',
    'node_modules/react/react.js': REACT,
    ...Object.fromEntries(
      Object.entries(modules).map(([name, text]) => [
        `${name}.js`,
        esbuild().transformSync(text, { loader: 'ts', format: 'esm', target: 'esnext' }).code,
      ]),
    ),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);

  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const requests: string[] = [];
  let theme: object = meadow;
  vi.stubGlobal('document', page);
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ etag: null, value: meadow }), setItem: () => {} });
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url);
    return Response.json(url.endsWith('/config/') ? theme : list);
  });
  const load = async (name: string): Promise<Record<string, () => unknown>> =>
    (await import(path.join(folder, name))) as Record<string, () => unknown>;
  const { useTheme } = await load('use-theme.js');
  await load('refresh.js');
  const { palette } = await load('palette.js');

  expect(useTheme?.()).toEqual(meadow);
  const { store } = globalThis as unknown as { store: Store };
  expect(store.serverSnapshot()).toEqual(harbor);
  const rendered = [store.snapshot()];
  const changed = new Promise<void>((resolve) => {
    store.subscribe(() => {
      // As React does.
      if (Object.is(store.snapshot(), rendered.at(-1))) return;
      rendered.push(store.snapshot());
      resolve();
    });
  });
  expect(await palette?.()).toEqual(list.find(({ id }) => id === meadow.id)?.palette_preview);
  expect([rendered.length, requests.length]).toEqual([1, 2]);

  theme = harbor;
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(requests).toHaveLength(2);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  await changed;
  expect([rendered.length, rendered.at(-1), requests.length]).toEqual([2, harbor, 3]);
});
