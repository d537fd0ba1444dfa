import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GalleryContent, GalleryTheme } from '../../src/gallery/content.ts';
import { build } from '../../src/index.ts';
import { findings } from '../gallery.ts';
import {
  describeInChromium,
  expectAccessible,
  expectNoOverflow,
  freePort,
  launch,
  loadPictures,
  openPage,
  type Watched,
} from './chromium.ts';
import { type GalleryServer, serveGallery } from './gallery-server.ts';

const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const PROBLEMS = 'themes/meadow/theme.yaml:3:1  error  Unknown field `lgoo`.  [field/unknown]\n  <b>\n';
/** Long, from right to left, and markup: all that a name may be. */
const NAME = `<script>alert(1)</script> \u202e${'קהילה '.repeat(20)}${'W'.repeat(80)}`;

describeInChromium('the gallery', () => {
  let folder: string;
  let server: GalleryServer;
  let browser: Browser;
  let content: GalleryContent;
  let opened: Watched[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-gallery-'));
    const [outDir, edgeOutDir] = [path.join(folder, 'dist'), path.join(folder, 'edge')];
    const port = await freePort();
    const themesDir = path.join(import.meta.dirname, '../../themes');
    await build({ themesDir, outDir, edgeOutDir, baseUrl: `http://127.0.0.1:${port}` });
    const { findings: found, textOf } = findings('themes/meadow/theme.yaml');
    server = await serveGallery(outDir, port, { meadow: { findings: found, users: { user: 3, group: 1 } } });
    const [harbor] = server.content.themes;
    if (harbor === undefined) throw new Error('nothing was built');
    const odd: GalleryTheme = {
      ...harbor,
      slug: 'odd',
      record: {
        ...harbor.record,
        id: 99,
        name: NAME,
        is_default: false,
        logo_height: 1500,
        logo_margin_left: 700,
        compact_logo_size: 300,
        logo_alignment: 'justify',
      },
    };
    content = { ...server.content, textOf, themes: [...server.content.themes, odd] };
    browser = await launch();
  });
  beforeEach(async () => {
    for (const { close } of opened) await close();
    opened = [];
    server.content = content;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (target: string, options: BrowserContextOptions = { viewport: WIDE }): Promise<Watched> => {
    const watched = await openPage(browser, options);
    opened.push(watched);
    await watched.page.goto(server.url + target);
    return watched;
  };
  const cards = (page: Page): Locator => page.getByRole('article');

  const PAGES = ['/', '/themes/meadow/', '/themes/odd/', '/view-as/?user=u-meadow', '/view-as/?user=a+b'];
  describe.each([
    ['light', WIDE],
    ['dark', WIDE],
    ['light', PHONE],
  ] as const)('%s, %o', (colorScheme, viewport) => {
    it.each(PAGES)('shows every picture of %s, fits and is accessible', async (target) => {
      server.content = { ...content, problems: PROBLEMS };
      const { page, complaints, origins } = await open(target, { colorScheme, viewport });
      await loadPictures(page);
      await expectNoOverflow(page);
      await expectAccessible(page);
      expect(complaints).toEqual([]);
      expect([...origins]).toEqual([server.url]);
    });
  });

  it('keeps the colours of themes where the system forces its own', async () => {
    const { page } = await open('/themes/meadow/', { viewport: WIDE, forcedColors: 'active' });
    const colour = await page.locator('.c1').first().evaluate(`(element) => getComputedStyle(element).backgroundColor`);
    const plain = await open('/themes/meadow/');
    expect(colour).toBe(
      await plain.page.locator('.c1').first().evaluate(`(element) => getComputedStyle(element).backgroundColor`),
    );
    await expectAccessible(page);
  });

  it.each(PAGES)('shows where the keyboard is, everywhere on %s', async (target) => {
    const { page } = await open(target);
    const seen = new Set<string>();
    for (;;) {
      await page.keyboard.press('Tab');
      // Cards show it around themselves.
      const [name, isShown] = await page.evaluate<[string, boolean]>(`(() => {
        const element = document.activeElement;
        const outlines = [null, '::after'].map((part) => getComputedStyle(element, part));
        const name = [...document.querySelectorAll('*')].indexOf(element) + ' ' + element.outerHTML.slice(0, 100);
        return [name, outlines.some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1)];
      })()`);
      if (seen.has(name) || name.includes('<body')) break;
      expect(`${name} ${isShown}`).toBe(`${name} true`);
      seen.add(name);
    }
    expect(seen.size).toBeGreaterThan(6);
  });

  describe('without JavaScript', () => {
    const off = { viewport: WIDE, javaScriptEnabled: false };

    it('filters', async () => {
      const { page } = await open('/', off);
      expect(await cards(page).count()).toBe(4);
      await page.getByLabel('Filter').fill('night');
      await page.getByRole('button', { name: 'Filter' }).click();
      expect(await cards(page).getByRole('heading').allTextContents()).toEqual(['Nightfall']);
      expect(await page.getByRole('status').textContent()).toBe('1 of 4 themes');
    });

    it('leads from a card to its theme, and from there back', async () => {
      const { page } = await open('/', off);
      await cards(page).nth(1).getByRole('link', { name: 'Details of Meadow' }).click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Meadow');
      await page.getByRole('link', { name: 'Themes' }).click();
      expect(await cards(page).count()).toBe(4);
      // The link of the heading covers the card.
      await cards(page).nth(1).getByText('Used by 3 users, 1 group').click({ force: true });
      expect(new URL(page.url()).pathname).toBe('/themes/meadow/');
    });

    it('views as somebody', async () => {
      const { page } = await open('/view-as/', off);
      await page.getByLabel('User key').fill('u-nightfall');
      await page.getByRole('button', { name: 'View' }).click();
      await page.getByRole('heading', { name: 'u-nightfall gets nightfall (theme 3).' }).waitFor();
      expect(await page.getByLabel('User key').inputValue()).toBe('u-nightfall');
    });
  });

  describe('with the script', () => {
    it('filters while somebody types, and the address says so', async () => {
      const { page } = await open('/');
      const shown = () => cards(page).filter({ visible: true });
      await page.getByLabel('Filter').pressSequentially('MEA');
      expect(await shown().getByRole('heading').allTextContents()).toEqual(['Meadow']);
      expect(await page.getByRole('status').textContent()).toBe('1 of 4 themes');
      expect(page.url()).toBe(`${server.url}/?q=MEA`);
      await page.reload();
      expect(await shown().count()).toBe(1);
      await page.getByLabel('Filter').fill('');
      expect(await shown().count()).toBe(4);
      expect(page.url()).toBe(`${server.url}/`);
    });

    /** Sends what the server would, once the page listens. */
    const openListening = async (target: string): Promise<Watched> => {
      const watched = await openPage(browser, { viewport: WIDE });
      opened.push(watched);
      const listens = watched.page.waitForResponse(/\/__themecast\/events$/);
      await watched.page.goto(server.url + target);
      await listens;
      return watched;
    };

    it('loads the page again after a build, at the same place', async () => {
      const { page } = await openListening('/themes/meadow/');
      await page.evaluate('scrollTo(0, 1200)');
      server.content = { ...content, build: content.build + 1 };
      const loaded = page.waitForEvent('load');
      server.send({ type: 'built', build: content.build + 1 });
      await loaded;
      expect(await page.locator('meta[name="themecast-build"]').getAttribute('content')).toBe(`${content.build + 1}`);
      await page.waitForFunction('Math.abs(scrollY - 1200) < 2');
    });

    it('does not load the build again that it shows', async () => {
      const { page } = await openListening('/');
      let loads = 0;
      page.on('load', () => loads++);
      server.send({ type: 'built', build: content.build });
      server.send({ type: 'problems', text: PROBLEMS });
      await page.getByRole('dialog').waitFor();
      expect(loads).toBe(0);
    });

    it('shows the findings of a build that failed as text, until they are put away or mended', async () => {
      const { page, complaints } = await openListening('/');
      const overlay = page.getByRole('dialog', { name: 'The last change is not shown' });
      server.send({ type: 'problems', text: PROBLEMS });
      await overlay.waitFor();
      expect(await overlay.locator('pre').textContent()).toBe(PROBLEMS);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await overlay.waitFor({ state: 'detached' });
      server.send({ type: 'problems', text: PROBLEMS });
      await overlay.waitFor();
      server.send({ type: 'built', build: content.build });
      await overlay.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    });

    it('loads a page again that was made while there were findings, once they are mended', async () => {
      server.content = { ...content, problems: PROBLEMS };
      const { page } = await openListening('/');
      expect(await page.getByRole('region', { name: 'Errors of the last change' }).textContent()).toBe(
        PROBLEMS.trimEnd(),
      );
      server.content = content;
      const loaded = page.waitForEvent('load');
      server.send({ type: 'built', build: content.build });
      await loaded;
      expect(await page.getByRole('region', { name: 'Errors of the last change' }).count()).toBe(0);
    });

    it('does not repeat the findings that the page shows', async () => {
      server.content = { ...content, problems: PROBLEMS };
      const { page } = await openListening('/');
      server.send({ type: 'problems', text: PROBLEMS });
      server.send({ type: 'problems', text: 'others' });
      await page.getByRole('dialog').waitFor();
      expect(await page.getByRole('dialog').locator('pre').textContent()).toBe('others');
    });

    it('listens while it is seen: a browser has few connections for all its tabs', async () => {
      const { page } = await openListening('/');
      const turn = (isHidden: boolean) =>
        page.evaluate(`
          Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));`);
      await turn(true);
      await expect.poll(server.listeners).toBe(0);
      await turn(false);
      await expect.poll(server.listeners).toBe(1);
      server.send({ type: 'problems', text: PROBLEMS });
      await page.getByRole('dialog').waitFor();
    });

    it('does not take away what somebody writes', async () => {
      const { page } = await openListening('/');
      await page.evaluate(`document.querySelector('form').method = 'post'`);
      await page.getByLabel('Filter').fill('mine');
      server.send({ type: 'built', build: content.build + 1 });
      server.send({ type: 'problems', text: PROBLEMS });
      await page.getByRole('dialog').waitFor();
      expect(await page.getByLabel('Filter').inputValue()).toBe('mine');
    });
  });

  describe('a mock page', () => {
    const box = async (locator: Locator) => {
      await locator.scrollIntoViewIfNeeded();
      const found = await locator.boundingBox();
      if (found === null) throw new Error('not shown');
      return found;
    };

    it.each(['harbor', 'meadow', 'nightfall'])('has the logos of %s as they are configured', async (slug) => {
      const { page } = await open(`/themes/${slug}/`);
      const record = content.themes.find((theme) => theme.slug === slug)?.record;
      if (record === undefined) throw new Error(slug);
      await loadPictures(page);
      for (const mode of ['Light mode', 'Dark mode']) {
        const screen = page.getByRole('region', { name: mode, exact: true });
        const top = await box(screen.locator('.top'));
        const logo = await box(screen.locator('.logo'));
        expect(logo.height).toBe(record.logo_height);
        const padding = { x: 16, y: 12 };
        expect(logo.y - top.y).toBe(padding.y + record.logo_margin_top);
        const left = logo.x - top.x - record.logo_margin_left;
        const right = top.x + top.width - (logo.x + logo.width);
        if (record.logo_alignment === 'center') expect(Math.abs(left - right)).toBeLessThan(1);
        else expect(left).toBe(padding.x);
        const compact = await box(screen.locator('.compact-logo'));
        expect([compact.width, compact.height]).toEqual([record.compact_logo_size, record.compact_logo_size]);
        const phone = page.getByRole('region', { name: `${mode}, on a phone` });
        expect((await box(phone)).width).toBe(390);
        expect(await phone.locator('.logo').count()).toBe(0);
        expect((await box(phone.locator('.compact-logo'))).width).toBe(record.compact_logo_size);
      }
    });

    it('has the colours of the palette, each on all four screens', async () => {
      const { page } = await open('/themes/meadow/');
      const { palette_preview: palette = [] } = content.themes[1]?.record ?? {};
      for (const [index, colour] of palette.entries()) {
        const wanted = await page.evaluate(`(() => {
          const probe = document.body.appendChild(document.createElement('p'));
          probe.style.color = ${JSON.stringify(colour)};
          return getComputedStyle(probe).color;
        })()`);
        const shown = await page
          .locator(`.c${index + 1}`)
          .evaluateAll((elements) =>
            elements.map(
              (element) =>
                (
                  globalThis as unknown as { getComputedStyle: (element: unknown) => { backgroundColor: string } }
                ).getComputedStyle(element).backgroundColor,
            ),
          );
        expect(shown).toEqual([wanted, wanted, wanted, wanted]);
      }
    });

    it('lays the tiles side by side on a wide screen, and one below the other on a phone', async () => {
      const { page } = await open('/themes/harbor/');
      for (const [name, isBeside] of [
        ['Light mode', true],
        ['Dark mode, on a phone', false],
      ] as const) {
        const tiles = page.getByRole('region', { name, exact: true }).locator('.tile');
        expect((await box(tiles.nth(0))).y === (await box(tiles.nth(1))).y).toBe(isBeside);
      }
    });
  });

  it('asks for the pictures in view alone, of a thousand themes', async () => {
    const [, meadow] = content.themes;
    if (meadow === undefined) throw new Error('no theme');
    const themes = Array.from({ length: 1000 }, (_, index): GalleryTheme => {
      const url = (text: string) => `${text}?${index}`;
      const { record } = meadow;
      const changes = { id: index + 1, logo: url(record.logo), logo_inverse: url(record.logo_inverse) };
      return { ...meadow, slug: `theme-${index}`, record: { ...record, ...changes } };
    });
    server.content = { ...content, themes };
    const watched = await openPage(browser, { viewport: WIDE });
    opened.push(watched);
    let asked = 0;
    watched.page.on('request', (request) => {
      if (request.resourceType() === 'image') asked++;
    });
    await watched.page.goto(server.url);
    expect(await cards(watched.page).count()).toBe(1000);
    expect(asked).toBeGreaterThan(10);
    expect(asked).toBeLessThan(200);
    await watched.page.getByLabel('Filter').fill('theme-777');
    expect(await cards(watched.page).filter({ visible: true }).count()).toBe(1);
  });
});
