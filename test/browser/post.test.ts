import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { check } from '../../src/build.ts';
import { type DevProcess, listen, type Message, startDev } from '../dev-server.ts';
import { LIST, type PostServer, servePost } from '../dev/post-server.ts';
import { makeSite, PALETTE, removeSite, type SiteFolder } from '../site-folder.ts';
import { describeInChromium, expectAccessible, expectNoOverflow, launch, openPage, type Watched } from './chromium.ts';

const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const EXAMPLE = path.join(import.meta.dirname, '../../themes/meadow');

describeInChromium('the forms of POST', () => {
  let browser: Browser;
  let site: SiteFolder;
  let server: PostServer;
  let opened: Watched | undefined;

  beforeAll(async () => {
    browser = await launch();
  });
  beforeEach(async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} } });
    server = await servePost(site);
  });
  afterEach(async () => {
    await opened?.close();
    await server.close();
    await removeSite(site);
  });
  afterAll(() => browser?.close());

  const open = async (
    options: BrowserContextOptions = { viewport: WIDE, javaScriptEnabled: false },
  ): Promise<Watched> => {
    opened = await openPage(browser, options);
    await opened.page.goto(`${server.origin}${LIST}?format=api`);
    return opened;
  };
  const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
  const submit = (page: Page, which = 0) => page.getByRole('button', { name: 'POST' }).nth(which).click();

  describe.each([
    ['light', WIDE],
    ['dark', WIDE],
    ['light', PHONE],
    ['dark', PHONE],
  ] as const)('%s, %o', (colorScheme, viewport) => {
    it('fit and are accessible, also when they come back with errors', async () => {
      const { page, complaints, origins } = await open({ colorScheme, viewport });
      await expectNoOverflow(page);
      await expectAccessible(page);
      await page.getByText('Raw data').click();
      await expectAccessible(page);
      expect(complaints).toEqual([]);
      await submit(page);
      await expectNoOverflow(page);
      await expectAccessible(page);
      await page.getByText('HTML form').click();
      await field(page, 'name').fill('Wood');
      await page.getByLabel('Colour 1').fill('p'.repeat(200));
      await submit(page);
      await expectNoOverflow(page);
      await expectAccessible(page);
      expect([...origins]).toEqual([server.origin]);
    });
  });

  it('create a theme with real files, without a script', async () => {
    const { page } = await open();
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
    for (const [at, colour] of PALETTE.authored.entries()) await page.getByLabel(`Colour ${at + 1}`).fill(colour);
    await field(page, 'dark_mode_logo_type').selectOption('NORMAL');
    await submit(page);
    expect(await page.getByRole('heading').textContent()).toBe('The page of old-wood.');
    const folder = path.join(site.themesDir, 'old-wood');
    expect(await readdir(folder)).toHaveLength(10);
    expect(await readFile(path.join(folder, 'default-event-banner.webp'))).toEqual(
      await readFile(path.join(EXAMPLE, 'event-banner.webp')),
    );
    const yaml = await readFile(path.join(folder, 'theme.yaml'), 'utf8');
    expect(yaml).toMatch(/^id: 3\nname: Old Wood\nfavicon: favicon\.png\n/);
    expect(yaml).toContain('\ndark_mode_logo_type: NORMAL\n');
    expect(await check(site)).toMatchObject({ diagnostics: [] });
  });

  it('keep what was typed, and put the cursor where the first error is', async () => {
    const { page } = await open();
    await field(page, 'name').fill('Wood');
    await field(page, 'extends').selectOption('harbor');
    await field(page, 'logo_alignment').selectOption('right');
    await page.getByLabel('Colour 1').fill('reed');
    await submit(page);
    expect(await field(page, 'name').inputValue()).toBe('Wood');
    expect(await field(page, 'extends').inputValue()).toBe('harbor');
    expect(await field(page, 'logo_alignment').inputValue()).toBe('right');
    expect(await page.locator(':focus').getAttribute('id')).toBe('post-palette_preview-1');
    await field(page, 'name').fill('Heath');
    for (const [at, colour] of PALETTE.authored.entries()) await page.getByLabel(`Colour ${at + 1}`).fill(colour);
    await submit(page);
    expect(await page.getByRole('heading').textContent()).toBe('The page of heath.');
  });

  it('create a theme from raw data', async () => {
    const { page } = await open();
    await page.getByText('Raw data').click();
    await field(page, '_content').fill('{"name": "Wood", "extends": "harbour"}');
    await submit(page);
    const content = field(page, '_content');
    expect(await page.locator(':focus').getAttribute('id')).toBe('post-content');
    expect(await page.locator('#post-content-error').textContent()).toContain('Did you mean `harbor`?');
    await content.fill((await content.inputValue()).replace('harbour', 'harbor'));
    await submit(page);
    expect(await page.getByRole('heading').textContent()).toBe('The page of wood.');
  });

  describe('with the script of themecast dev', () => {
    let dev: DevProcess;
    let posts: string[];
    beforeEach(async () => {
      dev = await startDev(site.root);
      opened = await openPage(browser, { viewport: WIDE });
      posts = [];
      opened.page.on('request', (request) => {
        if (request.method() === 'POST') posts.push(request.url());
      });
      await opened.page.goto(`${dev.url}${LIST}?format=api`);
    });
    afterEach(async () => {
      await dev.stop('SIGKILL');
    });

    const edit = async (slug: string, from: string, to: string): Promise<void> => {
      const file = path.join(site.themesDir, slug, 'theme.yaml');
      await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
    };

    it('what was created is shown as it changes, and not created again', async () => {
      const page = opened?.page as Page;
      await field(page, 'name').fill('Wood');
      await field(page, 'extends').selectOption('harbor');
      await submit(page);
      await page.getByRole('heading', { name: 'Wood', exact: true }).waitFor();
      await edit('wood', 'Wood', 'Heath');
      await page.getByRole('heading', { name: 'Heath', exact: true }).waitFor();
      expect(page.url()).toBe(`${dev.url}/themes/wood/`);
      expect(posts).toHaveLength(1);
    });

    it('what was refused stays while something else changes', async () => {
      const page = opened?.page as Page;
      await field(page, 'name').fill('Wood');
      await submit(page);
      await page.getByText('This field is required.').first().waitFor();
      const events = await listen(dev.url);
      await edit('meadow', '"meadow"', 'Moor');
      const seen: Message[] = [];
      while (!seen.some((message) => message.type === 'built' && message.build > 1)) seen.push(await events.next());
      events.close();
      // Another page, opened now, was told later than this one.
      const other = await page.context().newPage();
      await other.goto(`${dev.url}/`);
      await other.getByText('Moor').first().waitFor();
      expect(await field(page, 'name').inputValue()).toBe('Wood');
      expect(posts).toHaveLength(1);
    });
  });
});
