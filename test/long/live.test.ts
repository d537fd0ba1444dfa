import { readFile, rename as moveFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type DevProcess, listen, type Message, replaceFile, startDev } from '../dev-server.ts';
import { squareSvg } from '../images.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { describeInChromium, expectGoodLayout, launch, openPage, type RecordedPage } from '../browser/chromium.ts';

const EVENTS = /\/__themecast\/events$/;

describeInChromium('an open page of `themecast dev`', () => {
  let site: SiteFolder;
  let dev: DevProcess;
  let browser: Browser;
  let events: Awaited<ReturnType<typeof listen>>;
  let opened: RecordedPage | undefined;
  let good: string;

  const yaml = (): string => path.join(site.themesDir, 'meadow/theme.yaml');
  const logo = (): string => path.join(site.themesDir, 'meadow/logo.svg');
  /** Writes a file, and waits for the event that pages receive. */
  const write = async (file: string, content: string | Buffer): Promise<Message> => {
    const nextEvent = events.next();
    await replaceFile(file, content);
    return nextEvent;
  };
  /** Makes a change, and waits for the event that pages receive. */
  const changeAndWait = async (change: () => Promise<unknown>): Promise<Message> => {
    const nextEvent = events.next();
    await change();
    return nextEvent;
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

  /** Opens a page that listens for events. */
  const open = async (target: string): Promise<RecordedPage & { loads: () => number }> => {
    opened = await openPage(browser, { viewport: { width: 1280, height: 900 } });
    const { page } = opened;
    let loads = 0;
    page.on('load', () => loads++);
    const listens = page.waitForResponse(EVENTS);
    await page.goto(dev.url + target);
    await listens;
    return { ...opened, loads: () => loads };
  };
  const title = (page: Page) => page.getByRole('heading', { level: 1 });
  const box = (page: Page) => page.locator('.problems');
  const errors = (page: Page) => page.getByRole('region', { name: 'Errors', exact: true });
  const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

  it('shows a change of theme.yaml without a reload', async () => {
    const { page, loads, pageErrors } = await open('/themes/meadow/');
    await write(yaml(), rename('Field'));
    await title(page).getByText('Field').waitFor();
    await page.goto(`${dev.url}/`);
    await write(yaml(), rename('Pasture'));
    await page.getByRole('article', { name: 'Pasture' }).waitFor();
    expect([loads(), pageErrors]).toEqual([2, []]);
  });

  it('shows diagnostics over the page until they are closed or fixed', async () => {
    const { page, loads, pageErrors } = await open('/');
    const line = good.split('\n').length;
    await write(yaml(), misspell('"<b>"'));
    await errors(page).waitFor();
    const text = (await errors(page).textContent()) ?? '';
    expect(text).toContain(`themes/meadow/theme.yaml:${line}:1  error  Unknown field \`<b>\`.  [field/unknown]\n`);
    expect(dev.output()).toContain(text);
    await status(page, 'The themes have errors').waitFor();
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.evaluate('scrollTo(0, 1e6)');
    await expect.poll(async () => (await box(page).boundingBox())?.y).toBeLessThan(10);
    await expectGoodLayout(page);
    await box(page).getByRole('heading').click();
    await errors(page).waitFor({ state: 'hidden' });
    await write(logo(), squareSvg(24, 24));
    await write(yaml(), misspell('lgoo'));
    await errors(page).filter({ hasText: '`logo` is there already' }).waitFor();
    await write(yaml(), rename('Mended'));
    await page.getByRole('article', { name: 'Mended' }).waitFor();
    expect(await box(page).count()).toBe(0);
    expect([loads(), pageErrors]).toEqual([1, []]);
  });

  it('reports that its theme is deleted, and shows the theme when it is restored', async () => {
    const { page } = await open('/themes/meadow/');
    const folder = path.dirname(yaml());
    await changeAndWait(() => moveFile(folder, `${site.root}/meadow`));
    await title(page).getByText('No such page').waitFor();
    await page.getByRole('link', { name: 'Themes', exact: true }).waitFor();
    await expectGoodLayout(page);
    await changeAndWait(() => moveFile(`${site.root}/meadow`, folder));
    await title(page).getByText('meadow').waitFor();
  });
});
