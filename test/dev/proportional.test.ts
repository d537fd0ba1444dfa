import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, test, vi } from 'vitest';
import { Hints } from '../../src/commands/dev/session/hints.ts';
import { makeSite, removeSite } from '../site-folder.ts';
import { formOf, serve } from './post-server.ts';

test('editing a theme opens, lists and examines no files of other themes', async () => {
  const others = Array.from({ length: 40 }, (_, at) => `birch-${at}`);
  const themes = Object.fromEntries([...others, 'harbor', 'meadow'].map((slug) => [slug, {}]));
  const site = await makeSite({ themes });
  // Without the slow poll, which looks at everything.
  vi.spyOn(Hints.prototype, 'wait').mockImplementation(
    (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(new Set()))),
  );
  const server = await serve(site);
  const { url, token } = server;
  const opened: string[] = [];
  const examined: string[] = [];
  const { openSync, lstatSync, readdirSync } = fs;
  try {
    const page = await (await fetch(`${url}/themes/meadow/`)).text();
    const hash = /data-hash="(\w+)"/.exec(page)?.[1] ?? '';
    vi.spyOn(fs, 'openSync').mockImplementation((...args) => {
      opened.push(String(args[0]));
      return openSync(...args);
    });
    vi.spyOn(fs, 'lstatSync').mockImplementation(((...args: [string]) => {
      examined.push(args[0]);
      return lstatSync(...args);
    }) as typeof lstatSync);
    vi.spyOn(fs, 'readdirSync').mockImplementation(((...args: [string]) => {
      examined.push(args[0]);
      return readdirSync(...args);
    }) as typeof readdirSync);
    syncBuiltinESMExports();
    const body = formOf({ hash, name: 'Wiese' });
    const headers = { 'X-Themecast-Token': token };
    expect((await fetch(`${url}/themes/meadow/edit`, { method: 'POST', body, headers })).status).toBe(200);
    const texts = opened.filter((file) => file.endsWith('/theme.yaml'));
    expect(new Set(texts.map((file) => file.split('/').at(-2)))).toEqual(new Set(['meadow']));
    // It is read for the form, compared before the write, and read again after it.
    expect(texts.length).toBeLessThanOrEqual(4);
    expect(opened.filter((file) => file.startsWith(site.themesDir) && file.includes('birch-'))).toEqual([]);
    expect(examined.filter((file) => file.includes('birch-'))).toEqual([]);
    expect(examined.length).toBeLessThanOrEqual(60);
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    await server.close();
    await removeSite(site);
  }
});
