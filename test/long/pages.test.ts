import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ThemeRecord } from '../../src/document/record.ts';
import { type DevProcess, listen, replaceFile, startDev } from '../dev-server.ts';
import {
  describeInChromium,
  expectAccessible,
  expectGoodLayout,
  launch,
  loadImages,
  openPage,
  type Watched,
} from '../browser/chromium.ts';
import { makeSite, removeSite } from '../site-folder.ts';
import { copyExamples, ODD_NAME } from '../browser/example-site.ts';

const WIDE = { viewport: { width: 1280, height: 900 } };

describeInChromium('the pages of `themecast dev`', () => {
  let site: Awaited<ReturnType<typeof copyExamples>>;
  let dev: DevProcess;
  let browser: Browser;
  let records: ThemeRecord[];
  let opened: Watched[] = [];
  beforeAll(async () => {
    site = await copyExamples();
    [dev, browser] = await Promise.all([startDev(site.root), launch()]);
    records = (await (await fetch(`${dev.url}/api/v2/theme/`)).json()) as ThemeRecord[];
  });
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close();
  });
  afterAll(async () => {
    await browser?.close();
    await dev?.stop();
    if (site !== undefined) await rm(site.root, { recursive: true });
  });

  const open = async (target: string, options: BrowserContextOptions = WIDE): Promise<Watched> => {
    const watched = await openPage(browser, options);
    opened.push(watched);
    await watched.page.goto(dev.url + target);
    return watched;
  };
  const cards = (page: Page): Locator => page.getByRole('article');
  const headings = (page: Page): Promise<string[]> =>
    cards(page).filter({ visible: true }).getByRole('heading').allTextContents();
  /** Moves through the page with the Tab key and checks that the focus is visible. @returns the number of focusable elements */
  const tabThrough = async (page: Page): Promise<number> => {
    const seen = new Set<string>();
    for (;;) {
      await page.keyboard.press('Tab');
      // Cards draw the focus ring around themselves.
      const [name, isShown] = await page.evaluate<[string, boolean]>(`(() => {
        const element = document.activeElement;
        const outlines = [null, '::after'].map((part) => getComputedStyle(element, part));
        const name = [...document.querySelectorAll('*')].indexOf(element) + ' ' + element.outerHTML.slice(0, 100);
        return [name, outlines.some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1)];
      })()`);
      if (seen.has(name) || name.includes('<body')) return seen.size;
      expect(`${name} ${isShown}`).toBe(`${name} true`);
      seen.add(name);
    }
  };
  /** The box of an element in the pixels of the page on the stage, which is scaled. */
  const boxOf = async (
    locator: Locator,
    scale: number,
  ): Promise<{ x: number; y: number; width: number; height: number }> => {
    const found = await locator.boundingBox();
    if (found === null) throw new Error('not shown');
    return { x: found.x / scale, y: found.y / scale, width: found.width / scale, height: found.height / scale };
  };
  const SCALE = (region: unknown): number => {
    const screen = (
      region as { firstElementChild: { offsetWidth: number; getBoundingClientRect: () => { width: number } } }
    ).firstElementChild;
    return screen.getBoundingClientRect().width / screen.offsetWidth;
  };

  const PAGES = ['/', '/themes/meadow/', '/themes/new', '/?as=u-1002', '/api/v2/theme/config/?format=api'];

  describe('with errors', () => {
    const file = (): string => path.join(site.themesDir, 'nightfall/theme.yaml');
    let good: string;
    const edit = async (text: string): Promise<void> => {
      const events = await listen(dev.url);
      await events.next();
      const nextEvent = events.next();
      await replaceFile(file(), text);
      await nextEvent;
      events.close();
    };
    beforeAll(async () => {
      good = await readFile(file(), 'utf8');
      await edit(good.replace('logo_height', `${'lgoo'.repeat(40)}: 1\n"<b>"`));
    });
    afterAll(() => edit(good));

    it.each(PAGES)(
      '%s shows every image, fits, is accessible and has a visible focus',
      async (target) => {
        const { page, pageErrors, origins } = await open(target);
        expect(await page.getByRole('heading', { name: 'The themes have errors' }).count()).toBe(1);
        await loadImages(page);
        await expectGoodLayout(page);
        expect(await tabThrough(page)).toBeGreaterThan(8);
        expect(pageErrors).toEqual([]);
        expect([...origins]).toEqual([dev.url]);
      },
      60_000,
    );
  });

  it('preserves theme colours in forced-colours mode', async () => {
    const { page } = await open('/themes/meadow/');
    const colour = (): Promise<unknown> =>
      page.locator('.c1').first().evaluate(`(element) => getComputedStyle(element).backgroundColor`);
    const own = await colour();
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await page.evaluate(`matchMedia('(forced-colors: active)').matches`)).toBe(true);
    expect(await colour()).toBe(own);
    await expectAccessible(page);
  });

  describe('without JavaScript', () => {
    const off = { ...WIDE, javaScriptEnabled: false };

    it('filters the gallery, and links a card to its theme and back', async () => {
      const { page, pageErrors } = await open('/', off);
      expect(await headings(page)).toEqual(['Harbor', 'Meadow', 'Nightfall', ODD_NAME]);
      await page.getByLabel('Filter').fill('night');
      await page.getByRole('button', { name: 'Apply' }).click();
      expect(await headings(page)).toEqual(['Nightfall']);
      expect(await page.getByRole('status').textContent()).toBe('1 of 4 themes');
      await page.getByRole('link', { name: 'Nightfall' }).click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Nightfall');
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Themes' }).click();
      expect(await headings(page)).toHaveLength(4);
      // The link in the heading covers the card.
      await cards(page).nth(1).getByText('3 users, 1 group').click({ force: true });
      await page.waitForURL('**/themes/meadow/');
      expect(await page.locator('#diagnostics').textContent()).toContain('[image/unused]');
      expect(pageErrors).toEqual([]);
    });
  });

  it('filter while the user types, and store the filter in the URL', async () => {
    const { page } = await open('/');
    await page.getByLabel('Filter').pressSequentially('MEA');
    await page.getByText('1 of 4 themes').waitFor();
    expect(await headings(page)).toEqual(['Meadow']);
    await page.waitForURL('**/?q=MEA');
    await page.reload();
    expect(await headings(page)).toEqual(['Meadow']);
    await page.getByLabel('Filter').fill('');
    await page.getByText('4 of 4 themes').waitFor();
    expect(await headings(page)).toHaveLength(4);
    await page.waitForURL(`${dev.url}/`);
  });

  it('show logos on both backgrounds, in the variant of each mode', async () => {
    const { page } = await open('/');
    for (const [at, record] of records.slice(0, 3).entries()) {
      const backgrounds = cards(page).nth(at).locator('.ground');
      const shown = await backgrounds.evaluateAll((elements) =>
        elements.map((element) => {
          const { backgroundColor } = (
            globalThis as unknown as { getComputedStyle: (of: unknown) => { backgroundColor: string } }
          ).getComputedStyle(element);
          return [
            backgroundColor,
            (element as unknown as { firstElementChild: { src: string } }).firstElementChild.src,
          ];
        }),
      );
      const variant = (type: string): string => (type === 'INVERSE' ? record.logo_inverse : record.logo);
      expect(shown).toEqual([
        ['rgb(255, 255, 255)', variant(record.light_mode_logo_type)],
        ['rgb(21, 25, 34)', variant(record.dark_mode_logo_type)],
      ]);
    }
  });

  describe('a mock page', () => {
    it.each(['harbor', 'meadow', 'nightfall'])('has the logos and colours of %s as configured', async (slug) => {
      const { page } = await open(`/themes/${slug}/`, { viewport: { width: 1800, height: 900 } });
      const record = records.find(({ logo }) => logo.includes(`/${slug}/`));
      if (record === undefined) throw new Error(slug);
      await loadImages(page);
      for (const mode of ['Light mode', 'Dark mode']) {
        const screen = page.getByRole('region', { name: mode, exact: true });
        const scale = await screen.evaluate(SCALE);
        const box = (name: string) => boxOf(screen.locator(name), scale);
        const top = await box('.top');
        const logo = await box('.logo');
        expect(logo.height).toBeCloseTo(record.logo_height, 0);
        const inset = { x: 16, y: 12 };
        expect(logo.y - top.y).toBeCloseTo(inset.y + record.logo_margin_top, 0);
        const left = logo.x - top.x - record.logo_margin_left;
        const right = top.x + top.width - (logo.x + logo.width);
        if (record.logo_alignment === 'center') expect(Math.abs(left - right)).toBeLessThan(1);
        else expect(left).toBeCloseTo(inset.x, 0);
        const compact = await box('.compact-logo');
        expect(compact.width).toBeCloseTo(record.compact_logo_size, 0);
        expect(compact.height).toBeCloseTo(record.compact_logo_size, 0);
      }
      await page.getByText('Phone', { exact: true }).click();
      for (const mode of ['Light mode', 'Dark mode']) {
        const phone = page.getByRole('region', { name: mode, exact: true });
        const scale = await phone.evaluate(SCALE);
        expect(await phone.locator('.logo').isVisible()).toBe(false);
        const compact = await boxOf(phone.locator('.compact-logo'), scale);
        expect(compact.width).toBeCloseTo(record.compact_logo_size, 0);
        const [first, second] = [phone.locator('.tile').nth(0), phone.locator('.tile').nth(1)];
        expect((await boxOf(second, scale)).y).toBeGreaterThan((await boxOf(first, scale)).y);
      }
      // Each palette colour is on both screens.
      for (const [index, colour] of record.palette_preview.entries()) {
        const [wanted, ...shown] = await page.evaluate<string[]>(`(() => {
            const probe = document.body.appendChild(document.createElement('p'));
            probe.style.color = ${JSON.stringify(colour)};
            const places = [...document.querySelectorAll('.c${index + 1}')];
            return [getComputedStyle(probe).color, ...places.map((place) => getComputedStyle(place).backgroundColor)];
          })()`);
        expect(shown).toEqual([wanted, wanted]);
      }
    });
  });

  it('request only the images in view, with three hundred themes', async () => {
    const large = await makeSite({
      themes: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`theme-${at}`, {}])),
    });
    const server = await startDev(large.root);
    try {
      const watched = await openPage(browser, WIDE);
      opened.push(watched);
      const { page } = watched;
      let requests = 0;
      page.on('request', (request) => {
        if (request.resourceType() === 'image') requests++;
      });
      await page.goto(server.url);
      expect(await cards(page).count()).toBe(300);
      expect(requests).toBeGreaterThan(10);
      expect(requests).toBeLessThan(150);
      await page.getByLabel('Filter').fill('theme-277');
      await page.getByText('1 of 300 themes').waitFor();
      expect(await headings(page)).toEqual(['theme-277']);
    } finally {
      await server.stop();
      await removeSite(large);
    }
  });
});
