import { chmod, mkdir, readFile, rename as moveFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { BARS, PROBLEMS } from '../../src/dev/pages/problems.ts';
import { type DevProcess, listen, type Message, replaceFile, startDev } from '../dev-server.ts';
import { squareSvg } from '../images.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { describeInChromium, expectGoodLayout, launch, openPage, type Watched } from '../browser/chromium.ts';

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
  /** Writes a file and waits for the event that pages receive. */
  const write = async (file: string, content: string | Buffer): Promise<Message> => {
    const nextEvent = events.next();
    await replaceFile(file, content);
    return nextEvent;
  };
  /** Makes a change and waits for the event that pages receive. */
  const next = async (change: () => Promise<unknown>): Promise<Message> => {
    const nextEvent = events.next();
    await change();
    return nextEvent;
  };
  const opened_ = (): string => path.join(site.root, 'opened');
  const editor = (): string => path.join(site.root, 'editor');
  /** An editor that logs the file that it opens. */
  const makeEditor = async (): Promise<void> => {
    await writeFile(editor(), `#!/bin/sh\necho "$1" > ${opened_()}\n`);
    await chmod(editor(), 0o755);
  };
  const rename = (name: string): string => good.replace('"meadow"', name);
  const misspell = (field: string): string => `${good}${field}: 1\n`;

  beforeAll(async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} } });
    good = await readFile(yaml(), 'utf8');
    await makeEditor();
    [dev, browser] = await Promise.all([startDev(site.root, ['--port', '0'], { LAUNCH_EDITOR: editor() }), launch()]);
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

  /** Opens a page that listens for events. */
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

  it('shows a change of theme.yaml once, without a reload by the user, at the same scroll position', async () => {
    const { page, loads, pageErrors, overlays } = await open('/themes/meadow/');
    await page.evaluate('scrollTo(0, 1200)');
    const again = page.waitForEvent('load');
    const listens = page.waitForResponse(EVENTS);
    await write(yaml(), rename('Field'));
    await again;
    expect(await title(page).textContent()).toBe('Field');
    await page.waitForFunction('Math.abs(scrollY - 1200) < 2');
    // What follows proves that the initial event of a connection caused no reload.
    await listens;
    await write(yaml(), `${rename('Field')}lgoo: 1\n`);
    await overlayOf(page).waitFor();
    expect([loads(), (await overlays()).length]).toEqual([2, 1]);
    expect(pageErrors).toEqual([]);
  });

  it('shows the diagnostics of a change as the terminal does, until they are dismissed or fixed', async () => {
    const { page, loads, pageErrors } = await open('/');
    const overlay = overlayOf(page);
    const line = good.split('\n').length;
    const message = await write(yaml(), misspell('"<b>"'));
    await overlay.waitFor();
    const text = (await overlay.locator('pre').textContent()) ?? '';
    expect(text).toContain(`themes/meadow/theme.yaml:${line}:1  error  Unknown field \`<b>\`.  [field/unknown]\n`);
    expect(message).toMatchObject({ type: 'problems', text: `${text}\n` });
    expect(dev.printed()).toContain(text);
    await expectGoodLayout(page);
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
    expect(pageErrors).toEqual([]);
  });

  it('shows the diagnostics of an image, and the image once it is fixed', async () => {
    const { page, pageErrors } = await open('/themes/meadow/');
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
    expect(pageErrors).toEqual([]);
    // The page is closed once it has loaded again.
    const restored = page.waitForEvent('load');
    await write(logo(), before);
    await restored;
  });

  it('includes the diagnostics in a page that is loaded while there are errors, once, and updates it once they are fixed', async () => {
    await write(yaml(), misspell('lgoo'));
    const { page, loads, overlays } = await open('/api/v2/theme/?format=api');
    const inPage = page.getByRole('region', { name: 'Errors', exact: true });
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

  it('listens only while visible: a browser has few connections for all its tabs', async () => {
    const { page } = await open('/');
    const turn = (isHidden: boolean): Promise<unknown> =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    let requests = 0;
    page.on('request', (request) => {
      if (EVENTS.test(request.url())) requests++;
    });
    const ends = page.waitForEvent('requestfailed', (request) => EVENTS.test(request.url()));
    await turn(true);
    await ends;
    const listens = page.waitForResponse(EVENTS);
    await turn(false);
    await listens;
    await write(yaml(), misspell('lgoo'));
    await overlayOf(page).waitFor();
    expect(requests).toBe(1);
  });

  const bar = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

  it('preserves a form that the user is filling in, and offers to reload it', async () => {
    const { page, loads } = await open('/api/v2/theme/?format=api');
    const name = page.locator('form [name="name"]');
    await name.fill('Mine');
    expect(await write(yaml(), rename('Field'))).toMatchObject({ type: 'built' });
    await bar(page, BARS.old).waitFor();
    expect(await write(yaml(), misspell('lgoo'))).toMatchObject({ type: 'problems' });
    await overlayOf(page).waitFor();
    expect([await name.inputValue(), loads()]).toEqual(['Mine', 1]);
    await page.keyboard.press('Escape');
    const again = page.waitForEvent('load');
    await bar(page, BARS.old).getByRole('button', { name: 'Reload' }).click();
    await again;
    expect(await bar(page, BARS.old).count()).toBe(0);
  });

  it('reports that it shows the last good build once the errors are closed, until there is another', async () => {
    const { page, pageErrors } = await open('/themes/meadow/');
    await write(yaml(), misspell('lgoo'));
    await overlayOf(page).getByRole('button', { name: 'Close' }).click();
    const status = bar(page, BARS.problems);
    await status.waitFor();
    await expectGoodLayout(page);
    await status.getByRole('button', { name: 'Show the errors' }).click();
    await overlayOf(page).waitFor();
    expect(await status.count()).toBe(0);
    await page.keyboard.press('Escape');
    await status.waitFor();
    const again = page.waitForEvent('load');
    await write(yaml(), good);
    await again;
    expect(await page.getByRole('status').count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });

  it('wraps long lines, and opens their places in the editor without leaving the page', async () => {
    const { page, loads } = await open('/');
    await page.setViewportSize({ width: 390, height: 844 });
    await write(yaml(), misspell('lgoo'.repeat(50)));
    const overlay = overlayOf(page);
    await overlay.waitFor();
    expect(
      await overlay.locator('pre').evaluate((pre) => {
        const box = pre as unknown as { scrollWidth: number; clientWidth: number };
        return box.scrollWidth - box.clientWidth;
      }),
    ).toBe(0);
    const line = good.split('\n').length;
    const place = overlay.getByRole('button', { name: `themes/meadow/theme.yaml:${line}:1` });
    const opens = page.waitForResponse(/__themecast\/open$/);
    await place.click();
    expect((await opens).status()).toBe(204);
    await expect.poll(() => readFile(opened_(), 'utf8').catch(() => '')).toBe(`${yaml()}\n`);
    expect([await overlay.isVisible(), loads(), new URL(page.url()).pathname]).toEqual([true, 1, '/']);
    await writeFile(editor(), 'not a program');
    await chmod(editor(), 0o644);
    await place.click();
    await bar(page, 'cannot be started').waitFor();
    await makeEditor();
  });

  it('of a deleted theme reports that, with navigation, and shows the theme once it is back', async () => {
    const { page } = await open('/themes/meadow/');
    const folder = path.dirname(yaml());
    const gone = page.waitForEvent('load');
    await next(() => moveFile(folder, `${site.root}/meadow`));
    await gone;
    expect(await title(page).textContent()).toBe('No such theme');
    await page.getByRole('link', { name: 'Gallery' }).waitFor();
    await expectGoodLayout(page);
    const back = page.waitForEvent('load');
    await next(() => moveFile(`${site.root}/meadow`, folder));
    await back;
    expect(await title(page).textContent()).toBe('meadow');
  });

  it('shows an incomplete theme with what it has, accessibly, and its progress', async () => {
    const folder = path.join(site.themesDir, 'aurora');
    const file = path.join(folder, 'theme.yaml');
    await next(async () => {
      await mkdir(`${folder}.new`.replace('aurora', '.aurora'));
      await writeFile(
        path.join(site.themesDir, '.aurora.new/theme.yaml'),
        'id: 9\nlogo: logo.svg\npalette_preview: [a]\n',
      );
      await writeFile(path.join(site.themesDir, '.aurora.new/logo.svg'), squareSvg(24, 24));
      await moveFile(path.join(site.themesDir, '.aurora.new'), folder);
    });
    const { page, pageErrors } = await open('/');
    await page.getByRole('article', { name: 'aurora' }).getByText('default_group_banner').waitFor();
    await expectGoodLayout(page);
    await page.getByRole('link', { name: 'Details of aurora' }).click();
    const light = page.getByRole('region', { name: 'Light mode', exact: true });
    expect(await light.locator('.logo').evaluate((image) => (image as unknown as { alt: string }).alt)).toBe(
      'aurora: logo',
    );
    expect(await light.locator('.missing').first().textContent()).toBe('compact_logoMissing.');
    await expectGoodLayout(page);
    const again = page.waitForEvent('load');
    await write(file, 'id: 9\nname: Aurora\nlogo: logo.svg\n');
    await again;
    expect(await title(page).textContent()).toBe('Aurora');
    const done = page.waitForEvent('load');
    await write(file, 'id: 9\nname: Aurora\nlogo: logo.svg\nextends: harbor\n');
    await done;
    expect(await page.locator('.missing').count()).toBe(0);
    expect(pageErrors).toEqual([]);
    const gone = page.waitForEvent('load');
    await next(() => rm(folder, { recursive: true }));
    await gone;
  });
});
