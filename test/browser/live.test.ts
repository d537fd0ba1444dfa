import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/pages/problems.ts';
import { type DevProcess, listen, type Message, replaceFile, startDev } from '../dev-server.ts';
import { squareSvg } from '../images.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { describeInChromium, expectGoodLooks, launch, openPage, type Watched } from './chromium.ts';

const EVENTS = /\/__themecast\/events$/;
const SCRIPTED = '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>';

describeInChromium('an open page of `themecast dev`', () => {
  let site: SiteFolder;
  let dev: DevProcess;
  let browser: Browser;
  let events: Awaited<ReturnType<typeof listen>>;
  let opened: Watched | undefined;
  let good: string;

  const yaml = (): string => path.join(site.themesDir, 'meadow/theme.yaml');
  const logo = (): string => path.join(site.themesDir, 'meadow/logo.svg');
  /** Writes a file, and waits for what pages are told of it. */
  const write = async (file: string, content: string | Buffer): Promise<Message> => {
    const told = events.next();
    await replaceFile(file, content);
    return told;
  };
  const rename = (name: string): string => good.replace('"meadow"', name);
  const misspell = (field: string): string => `${good}${field}: 1\n`;

  beforeAll(async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} } });
    good = await readFile(yaml(), 'utf8');
    [dev, browser] = await Promise.all([startDev(site.root), launch()]);
    events = await listen(dev.url);
    await events.next();
  });
  afterEach(async () => {
    await opened?.close();
    if ((await readFile(yaml(), 'utf8')) !== good) expect(await write(yaml(), good)).toMatchObject({ type: 'built' });
  });
  afterAll(async () => {
    events?.close();
    await browser?.close();
    await dev?.stop();
    await removeSite(site);
  });

  /** Opens a page that listens. */
  const open = async (
    target: string,
  ): Promise<Watched & { loads: () => number; overlays: () => Promise<string[]> }> => {
    opened = await openPage(browser, { viewport: { width: 1280, height: 900 } });
    const { page } = opened;
    let loads = 0;
    page.on('load', () => loads++);
    await page.addInitScript(`
      globalThis.overlays = [];
      new MutationObserver((records) => {
        for (const { addedNodes } of records)
          for (const node of addedNodes) if (node.matches?.('dialog')) overlays.push(node.querySelector('pre').textContent);
      }).observe(document, { childList: true, subtree: true });`);
    const listens = page.waitForResponse(EVENTS);
    await page.goto(dev.url + target);
    await listens;
    return { ...opened, loads: () => loads, overlays: () => page.evaluate('overlays') };
  };
  const overlayOf = (page: Page) => page.getByRole('dialog', { name: PROBLEMS.title });
  const title = (page: Page) => page.getByRole('heading', { level: 1 });

  it('shows a change of theme.yaml by itself and once, at the same place', async () => {
    const { page, loads, complaints, overlays } = await open('/themes/meadow/');
    await page.evaluate('scrollTo(0, 1200)');
    const again = page.waitForEvent('load');
    const listens = page.waitForResponse(EVENTS);
    await write(yaml(), rename('Field'));
    await again;
    expect(await title(page).textContent()).toBe('Field');
    await page.waitForFunction('Math.abs(scrollY - 1200) < 2');
    // What comes later finds that it was not loaded because of what the server says to whoever begins to listen.
    await listens;
    await write(yaml(), misspell('lgoo'));
    await overlayOf(page).waitFor();
    expect([loads(), (await overlays()).length]).toEqual([2, 1]);
    expect(complaints).toEqual([]);
  });

  it('shows the diagnostics of a change as the terminal does, until they are put away or fixed', async () => {
    const { page, loads, complaints } = await open('/');
    const overlay = overlayOf(page);
    const line = good.split('\n').length;
    const message = await write(yaml(), misspell('"<b>"'));
    await overlay.waitFor();
    const text = (await overlay.locator('pre').textContent()) ?? '';
    expect(text).toContain(`themes/meadow/theme.yaml:${line}:1  error  Unknown field \`<b>\`.  [field/unknown]\n`);
    expect(message).toEqual({ type: 'problems', text });
    expect(dev.printed()).toContain(text);
    await expectGoodLooks(page);
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });
    await write(yaml(), misspell('lgoo'));
    await overlay.waitFor();
    expect(await overlay.locator('pre').textContent()).toContain('Did you mean `logo`?');
    expect(loads()).toBe(1);
    const again = page.waitForEvent('load');
    await write(yaml(), rename('Mended'));
    await again;
    expect(await overlay.count()).toBe(0);
    await page.getByRole('article', { name: 'Mended' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows the diagnostics of a picture, and the picture once it is fixed', async () => {
    const { page, complaints } = await open('/themes/meadow/');
    const height = (): Promise<unknown> => page.evaluate(`document.querySelector('.logo').naturalHeight`);
    const before = await readFile(logo());
    await expect.poll(height).toBe(24);
    await write(logo(), SCRIPTED);
    await overlayOf(page).waitFor();
    expect(await overlayOf(page).locator('pre').textContent()).toMatch(/^themes\/meadow\/logo\.svg:1:\d+ {2}error {2}/);
    const again = page.waitForEvent('load');
    await write(logo(), squareSvg(40, 41));
    await again;
    expect(await overlayOf(page).count()).toBe(0);
    await expect.poll(height).toBe(41);
    expect(complaints).toEqual([]);
    await write(logo(), before);
  });

  it('that was made while there were diagnostics has them in it, does not repeat them, and goes on once they are fixed', async () => {
    await write(yaml(), misspell('lgoo'));
    const { page, loads, overlays } = await open('/api/v2/theme/?format=api');
    const inPage = page.getByRole('region', { name: 'Errors of the last change' });
    expect(await inPage.textContent()).toContain('`lgoo`');
    await write(yaml(), misspell('lgooo'));
    await overlayOf(page).waitFor();
    expect(await overlays()).toEqual([expect.stringContaining('`lgooo`')]);
    expect(loads()).toBe(1);
    const again = page.waitForEvent('load');
    await write(yaml(), good);
    await again;
    expect(await inPage.count()).toBe(0);
  });

  it('listens while it is seen: a browser has few connections for all its tabs', async () => {
    const { page } = await open('/');
    const turn = (isHidden: boolean): Promise<unknown> =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    let asked = 0;
    page.on('request', (request) => {
      if (EVENTS.test(request.url())) asked++;
    });
    const ends = page.waitForEvent('requestfailed', (request) => EVENTS.test(request.url()));
    await turn(true);
    await ends;
    const listens = page.waitForResponse(EVENTS);
    await turn(false);
    await listens;
    await write(yaml(), misspell('lgoo'));
    await overlayOf(page).waitFor();
    expect(asked).toBe(1);
  });

  it('does not take away what somebody writes', async () => {
    const { page, loads } = await open('/api/v2/theme/?format=api');
    const name = page.locator('form [name="name"]');
    await name.fill('Mine');
    expect(await write(yaml(), rename('Field'))).toMatchObject({ type: 'built' });
    expect(await write(yaml(), misspell('lgoo'))).toMatchObject({ type: 'problems' });
    await overlayOf(page).waitFor();
    expect([await name.inputValue(), loads()]).toEqual(['Mine', 1]);
  });
});
