import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, test, vi } from 'vitest';
import { makeSite, removeSite } from '../site-folder.ts';
import { formOf, serve } from './post-server.ts';

test('editing a theme opens no files of other themes', async () => {
  const themes = Object.fromEntries(['alder', 'birch', 'cedar', 'harbor', 'meadow'].map((slug) => [slug, {}]));
  const site = await makeSite({ themes });
  const server = await serve(site);
  const { url, token } = server;
  const opened: string[] = [];
  const { openSync } = fs;
  try {
    const page = await (await fetch(`${url}/themes/meadow/`)).text();
    const hash = /data-hash="(\w+)"/.exec(page)?.[1] ?? '';
    vi.spyOn(fs, 'openSync').mockImplementation((...args) => {
      opened.push(String(args[0]));
      return openSync(...args);
    });
    syncBuiltinESMExports();
    const body = formOf({ hash, name: 'Wiese' });
    const headers = { 'X-Themecast-Token': token };
    expect((await fetch(`${url}/themes/meadow/edit`, { method: 'POST', body, headers })).status).toBe(200);
    const texts = opened.filter((file) => file.endsWith('/theme.yaml'));
    expect(new Set(texts.map((file) => file.split('/').at(-2)))).toEqual(new Set(['meadow']));
    // It is read for the form, compared before the write, and read again after it.
    expect(texts.length).toBeLessThanOrEqual(4);
    expect(opened.filter((file) => file.startsWith(site.themesDir)).every((file) => !/birch|cedar/.test(file))).toBe(
      true,
    );
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    await server.close();
    await removeSite(site);
  }
});
