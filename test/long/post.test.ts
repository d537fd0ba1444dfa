import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { check } from '../../src/build/build.ts';
import { type DevProcess, listen, replaceFile, startDev } from '../dev-server.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { PALETTE } from '../theme-yaml.js';
import {
  describeInChromium,
  expectGoodLayout,
  launch,
  loadImages,
  openPage,
  type Watched,
} from '../browser/chromium.ts';

const FORMS = '/api/v2/theme/?format=api';
const EXAMPLE = path.join(import.meta.dirname, '../../themes/meadow');

describeInChromium('the forms of POST', () => {
  let browser: Browser;
  let site: SiteFolder;
  let dev: DevProcess;
  let opened: Watched | undefined;

  beforeAll(async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} } });
    [dev, browser] = await Promise.all([startDev(site.root), launch()]);
  });
  afterEach(() => opened?.close());
  afterAll(async () => {
    await browser?.close();
    await dev?.stop();
    await removeSite(site);
  });

  const open = async (options: BrowserContextOptions = { javaScriptEnabled: false }): Promise<Watched> => {
    opened = await openPage(browser, { viewport: { width: 1280, height: 900 }, ...options });
    await opened.page.goto(dev.url + FORMS);
    return opened;
  };
  const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
  const submit = (page: Page) => page.getByRole('button', { name: 'POST' }).click();
  const title = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
  const fillPalette = async (page: Page): Promise<void> => {
    for (const [at, colour] of PALETTE.authored.entries())
      await page.getByLabel(`Colour ${at + 1}`, { exact: true }).fill(colour);
  };

  it('create a theme with real files, without JavaScript, and show it in the gallery', async () => {
    const { page, pageErrors } = await open();
    await field(page, 'name').fill('Old Wood');
    for (const [name, file] of [
      ['favicon', 'favicon.png'],
      ['logo', 'logo.svg'],
      ['logo_inverse', 'logo-inverse.svg'],
      ['compact_logo', 'compact-logo.svg'],
      ['compact_logo_inverse', 'compact-logo-inverse.svg'],
      ['logo_site', 'logo-site.png'],
      ['default_group_banner', 'group-banner.jpg'],
      ['default_event_banner', 'event-banner.webp'],
      ['default_user_profile_banner', 'user-profile-banner.jpg'],
    ] as const)
      await field(page, name).setInputFiles(path.join(EXAMPLE, file));
    await fillPalette(page);
    await field(page, 'dark_mode_logo_type').selectOption('NORMAL');
    await submit(page);
    expect(await title(page)).toBe('Old Wood');
    await loadImages(page);
    const folder = path.join(site.themesDir, 'old-wood');
    expect(await readdir(folder)).toHaveLength(10);
    expect(await readFile(path.join(folder, 'default-event-banner.webp'))).toEqual(
      await readFile(path.join(EXAMPLE, 'event-banner.webp')),
    );
    const yaml = await readFile(path.join(folder, 'theme.yaml'), 'utf8');
    expect(yaml).toMatch(/^id: 3\nname: Old Wood\nfavicon: favicon\.png\n/);
    expect(yaml).toContain('\ndark_mode_logo_type: NORMAL\n');
    expect(await check(site)).toMatchObject({ diagnostics: [] });
    await page.getByRole('link', { name: 'Gallery' }).click();
    const card = page.getByRole('article', { name: 'Old Wood' });
    expect(await card.locator('img').count()).toBe(5);
    await loadImages(page);
    expect(pageErrors).toEqual([]);
  });

  it('preserve the input and focus the first field with an error', async () => {
    const { page } = await open();
    await field(page, 'name').fill('Wood');
    await field(page, 'extends').selectOption('harbor');
    await field(page, 'logo_alignment').selectOption('right');
    await page.getByLabel('Colour 1', { exact: true }).fill('reed');
    await submit(page);
    expect(await field(page, 'name').inputValue()).toBe('Wood');
    expect(await field(page, 'extends').inputValue()).toBe('harbor');
    expect(await field(page, 'logo_alignment').inputValue()).toBe('right');
    expect(await page.locator(':focus').getAttribute('id')).toBe('post-palette_preview-1');
    expect(await page.locator('#post-palette_preview-error').textContent()).toContain('`reed` is not a CSS colour.');
    await field(page, 'name').fill('Heath');
    await fillPalette(page);
    await submit(page);
    expect(await title(page)).toBe('Heath');
  });

  it('create a theme from raw data', async () => {
    const { page } = await open();
    await page.getByText('Raw data').click();
    await field(page, '_content').fill('{"name": "Fen", "extends": "harbour"}');
    await submit(page);
    const content = field(page, '_content');
    expect(await page.locator(':focus').getAttribute('id')).toBe('post-content');
    expect(await page.locator('#post-content-error').textContent()).toContain('Did you mean `harbor`?');
    await content.fill((await content.inputValue()).replace('harbour', 'harbor'));
    await submit(page);
    expect(await title(page)).toBe('Fen');
    expect(await readFile(path.join(site.themesDir, 'fen/theme.yaml'), 'utf8')).toContain('\nname: Fen\n');
  });

  it('fit and are accessible, with errors too', async () => {
    const { page, pageErrors, origins } = await open({});
    await expectGoodLayout(page);
    await page.getByText('Raw data').click();
    await expectGoodLayout(page);
    expect(pageErrors).toEqual([]);
    await submit(page);
    await expectGoodLayout(page);
    await page.getByText('HTML form').click();
    await field(page, 'name').fill('Wood');
    await page.getByLabel('Colour 1', { exact: true }).fill('p'.repeat(200));
    await submit(page);
    await expectGoodLayout(page);
    expect([...origins]).toEqual([dev.url]);
  }, 60_000);

  it('are never submitted again by a page that reloads', async () => {
    const { page, pageErrors } = await open({});
    const file = path.join(site.themesDir, 'moor/theme.yaml');
    const events = await listen(dev.url);
    await events.next();
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') sent++;
    });
    /** Changes a theme and waits for the event that pages receive. */
    const edit = async (slug: string, change: (text: string) => string): Promise<void> => {
      const nextEvent = events.next();
      const yaml = path.join(site.themesDir, slug, 'theme.yaml');
      await replaceFile(yaml, change(await readFile(yaml, 'utf8')));
      await nextEvent;
    };
    // A rejected form stays as it is.
    await field(page, 'name').fill('Moor');
    await submit(page);
    await page.locator('[aria-invalid]').first().waitFor();
    await edit('meadow', (text) => text.replace('"meadow"', '"Pasture"'));
    await edit('meadow', (text) => `${text}lgoo: 1\n`);
    await page.getByRole('dialog').waitFor();
    expect([sent, await field(page, 'name').inputValue()]).toEqual([1, 'Moor']);
    await edit('meadow', (text) => text.replace('lgoo: 1\n', ''));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    pageErrors.length = 0; // the error response of the rejected form
    // After a theme is created, the page shows that theme from then on.
    await field(page, 'extends').selectOption('harbor');
    const created = events.next();
    await submit(page);
    expect(await title(page)).toBe('Moor');
    await created;
    await page.waitForURL('**/themes/moor/');
    await edit('moor', (text) => text.replace('name: Moor', 'name: Bog'));
    await page.getByRole('heading', { level: 1, name: 'Bog' }).waitFor();
    expect(sent).toBe(2);
    expect(await readFile(file, 'utf8')).toContain('name: Bog\n');
    expect(pageErrors).toEqual([]);
    events.close();
  });
});
