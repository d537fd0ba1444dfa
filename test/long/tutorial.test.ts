import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInChromium, launch } from '../browser/chromium.ts';
import { unpackedPackage } from '../docs/package.ts';
import { allBlocks, readPage } from '../docs/pages.ts';
import { initSite, runScript, startInShell } from '../docs/shell.ts';
import { freePort } from '../hosts/process.ts';

describeInChromium('docs/start.md', () => {
  let parent: string;
  let unpacked: string;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'themecast-tutorial-'));
    unpacked = unpackedPackage();
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
    await rm(parent, { recursive: true });
    await rm(unpacked, { recursive: true });
  });

  it(
    'leads from an empty folder to a page with the theme of a user, with the output that it quotes',
    { timeout: 120_000 },
    async () => {
      const ports: Record<string, number> = { 8080: await freePort(), 8090: await freePort() };
      const ported = (text: string): string => text.replaceAll(/\b80[89]0\b/g, (port) => `${ports[port]}`);
      let printed = '';
      let cwd = parent;
      for (const { language, code } of allBlocks(readPage('docs/start.md'))) {
        // Text blocks quote the output; long lists are shortened.
        if (language === 'text') for (const line of code.trimEnd().split('\n')) expect(printed).toContain(line);
        if (language !== 'sh') continue;
        const lines = ported(code).trimEnd().split('\n');
        const last = lines.at(-1) ?? '';
        const server = /^npx (?:themecast (?:dev|serve)|http-server .*)$/.test(last) ? lines.pop() : undefined;
        if (lines[0]?.startsWith('npm ci ')) {
          expect(lines[1]).toBe('cd ../community-themes');
          ({ site: cwd, printed } = await initSite(lines[0], parent, unpacked));
          continue;
        }
        const output = await runScript(lines.join('\n'), cwd);
        printed = output.stdout + output.stderr;
        if (server === undefined) continue;
        const { stop } = await startInShell(server.includes('-p ') ? server : `${server} --port ${ports[8080]}`, cwd);
        // `serve` then listens on the same port.
        if (server.endsWith(' dev')) await stop();
        else stops.push(stop);
      }

      const browser = await launch();
      const page = await browser.newPage();
      await page.goto(`http://localhost:${ports[8090]}/page.html`);
      const readStyles = (): Promise<string[]> =>
        page.evaluate(`[getComputedStyle(document.querySelector('img')).content.replace(/.*\\/media\\/(\\w+)\\/.*/, '$1'),
        getComputedStyle(document.querySelector('button')).backgroundColor]`);
      expect((await readStyles())[0]).toBe('harbor');
      await Promise.all([page.waitForEvent('load'), page.click('button')]);
      const [logo, colour] = await readStyles();
      expect(logo).toBe('lighthouse');
      expect(await page.locator('img').boundingBox()).toMatchObject({ height: 40 });
      const [red = 0, green = 0, blue = 0] = colour?.match(/\d+/g)?.map(Number) ?? [];
      expect(red).toBeGreaterThan(2 * Math.max(green, blue));
      await browser.close();
    },
  );
});
