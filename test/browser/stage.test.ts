import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type DevProcess, listen, replaceFile, startDev } from '../dev-server.ts';
import { longTest } from '../long-test.ts';
import { copyExamples } from './example-site.ts';
import { codeBlocks, readPage } from '../docs/pages.ts';
import {
  describeInChromium,
  expectAccessible,
  expectGoodLayout,
  launch,
  loadImages,
  openPage,
  type RecordedPage,
} from './chromium.ts';

const SIZES = [
  [1366, 768],
  [1024, 768],
  [390, 844],
  [320, 640],
] as const;

describeInChromium('the pages of `themecast dev`', () => {
  let site: Awaited<ReturnType<typeof copyExamples>>;
  let dev: DevProcess;
  let browser: Browser;
  let opened: RecordedPage[] = [];
  beforeAll(async () => {
    site = await copyExamples();
    [dev, browser] = await Promise.all([startDev(site.root), launch()]);
  });
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close();
  });
  afterAll(async () => {
    await browser?.close();
    await dev?.stop();
    if (site !== undefined) await rm(site.root, { recursive: true });
  });
  const open = async (target: string, options: BrowserContextOptions = {}): Promise<RecordedPage> => {
    const watched = await openPage(browser, options);
    opened.push(watched);
    await watched.page.goto(dev.url + target);
    return watched;
  };

  /** Focuses each control. @returns the controls of which less than 90 % is visible, or whose region in the preview is hidden */
  const hiddenControls = (page: Page): Promise<string[]> =>
    page.evaluate(`(async () => {
      const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      const intersection = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
      const area = ({ left, top, right, bottom }) => Math.max(0, right - left) * Math.max(0, bottom - top);
      const problems = [];
      let regions = 0;
      for (const control of document.querySelectorAll('.inspector [id^="f-"]')) {
        const field = control.id.slice(2);
        document.getElementById('chosen-' + field)?.click();
        control.focus();
        const place = (control.type === 'file' ? control.closest('label') : control).getBoundingClientRect();
        const isVisible = area(intersection(place, document.querySelector('.inspector').getBoundingClientRect())) >= 0.9 * area(place);
        if (!isVisible) problems.push('control ' + field);
        for (const element of document.querySelectorAll('#preview [data-field~="' + field + '"]')) {
          if (!element.checkVisibility()) continue;
          const box = element.getBoundingClientRect();
          const view = intersection(element.closest('.scroll').getBoundingClientRect(), window_);
          regions++;
          if (area(intersection(box, view)) < 0.9 * area(box)) problems.push('region of ' + field);
        }
      }
      return regions < 20 ? ['regions: ' + regions] : problems;
    })()`);

  longTest(
    'show every image, fit the screen, are accessible and show the focus, even if themes have errors',
    { timeout: 120_000 },
    async () => {
      const file = path.join(site.themesDir, 'nightfall/theme.yaml');
      const valid = await readFile(file, 'utf8');
      const events = await listen(dev.url);
      await events.next();
      const broken = events.next();
      await replaceFile(file, valid.replace('logo_height', `${'lgoo'.repeat(40)}: 1\n"<b>"`));
      await broken;
      for (const target of ['/', '/themes/meadow/', '/themes/new', '/?as=u-1002', '/api/v2/theme/config/?format=api']) {
        const { page, pageErrors, origins } = await open(target);
        expect(await page.getByRole('heading', { name: 'The themes have errors' }).count()).toBe(1);
        await loadImages(page);
        await expectGoodLayout(page);
        const visited = new Set<string>();
        for (let name = ''; !visited.has(name) && !name.includes('<body');) {
          visited.add(name);
          await page.keyboard.press('Tab');
          // Cards draw the focus ring in a pseudo-element.
          const isVisible = await page.evaluate<boolean>(`[null, '::after']
          .map((part) => getComputedStyle(document.activeElement, part))
          .some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1)`);
          name = await page.evaluate<string>(`(({ activeElement: element }) =>
          [...document.querySelectorAll('*')].indexOf(element) + element.outerHTML.slice(0, 100))(document)`);
          expect([name, isVisible || name.includes('<body')]).toEqual([name, true]);
        }
        expect(visited.size).toBeGreaterThan(8);
        expect(pageErrors).toEqual([]);
        expect([...origins]).toEqual([dev.url]);
      }
      const fixed = events.next();
      await replaceFile(file, valid);
      await fixed;
      events.close();
    },
  );

  it.each(SIZES)('keep the control and the preview of an edited field visible, at %d×%d', async (width, height) => {
    const { page, pageErrors } = await open('/themes/meadow/', { viewport: { width, height } });
    await loadImages(page);
    expect(await hiddenControls(page)).toEqual([]);
    await page.locator('#f-logo_height').fill('300');
    await page.waitForFunction(`document.querySelector('#preview .logo').offsetHeight === 300`);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect(await hiddenControls(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(pageErrors).toEqual([]);
  });

  it.each([
    ['light', 1366],
    ['dark', 390],
    ['forced', 1024],
  ] as const)('are accessible: %s, %d pixels wide', async (mode, width) => {
    const options = mode === 'forced' ? ({ forcedColors: 'active' } as const) : { colorScheme: mode };
    const { page } = await open('/themes/meadow/', { viewport: { width, height: 768 }, ...options });
    await loadImages(page);
    for (const opener of await page.locator('summary, [popovertarget]').filter({ visible: true }).all()) {
      await opener.click();
      await expectAccessible(page, mode);
      await page.keyboard.press('Escape');
    }
  });

  it('keep the view options in the URL and in the link to the next theme', async () => {
    const { page } = await open('/themes/meadow/');
    for (const name of ['Dark', 'Phone']) await page.getByText(name, { exact: true }).click();
    await page.waitForURL('**/themes/meadow/?mode=dark&width=phone');
    await page.locator('a[rel="next"][href*="mode=dark&width=phone"]').click();
    await page.waitForURL('**/themes/nightfall/?mode=dark&width=phone');
    expect(await page.getByRole('region', { name: 'Light mode' }).isVisible()).toBe(false);
    expect(await page.evaluate(`document.querySelector('#preview .screen.dark').offsetWidth`)).toBe(390);
  });

  it('focus the setting of a clicked element, and highlight where a colour is used', async () => {
    const { page } = await open('/themes/meadow/?mode=light');
    const focused = (): Promise<string> => page.evaluate('document.activeElement.id');
    await page.locator('#preview .light .c7[data-field]').click();
    expect([await focused(), await page.locator('#f-c7').isVisible()]).toEqual(['f-c7', true]);
    await page.locator('#preview .light .logo').click();
    expect(await focused()).toBe('f-logo');
    await page.locator('label[for="chosen-c3"]').hover();
    expect(await page.locator('#preview .hot').filter({ visible: true }).allTextContents()).toEqual(['Follow']);
    await page.locator('h1').hover();
    expect(await page.locator('#preview .hot').count()).toBe(0);
  });

  it('undo a named change or a new theme, and confirm it with a message', async () => {
    const { page } = await open('/themes/nightfall/');
    // A reload would lose this.
    await page.evaluate('globalThis.mark = true');
    await page.locator('#f-logo_height').fill('61');
    await page.locator('#f-logo_height').press('Enter');
    const status = page.getByRole('status');
    await status.getByText(/^Logo height: \d+ → 61/).waitFor();
    await status.getByRole('button', { name: 'Undo' }).click();
    await status.getByText('Undone: logo height').waitFor();
    await page.getByRole('button', { name: 'Redo: logo height' }).waitFor();
    expect(await page.evaluate('globalThis.mark')).toBe(true);
    await page.mouse.move(600, 5);
    await status.filter({ hasText: /^$/ }).waitFor();

    await page.getByText('More', { exact: true }).click();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Delete' }).isVisible()).toBe(false);
    await page.getByRole('link', { name: 'New theme' }).click();
    await page.locator('#name').fill('Nightfall copy');
    await page.getByRole('button', { name: 'Create theme' }).click();
    await page.waitForURL('**/themes/nightfall-copy/');
    await page.getByRole('button', { name: 'Undo: new theme nightfall-copy' }).click();
    await page.waitForURL(`${dev.url}/`);
    await page.getByRole('button', { name: 'Redo: new theme nightfall-copy' }).click();
    await page.getByRole('article', { name: 'Nightfall copy' }).waitFor();
    await page.getByRole('searchbox').fill('nightfall');
    await page.getByText('2 of 5 themes').waitFor();
  });

  it('can contain a preview page of the site, whose scripts and requests are blocked', async () => {
    let requests = 0;
    const elsewhere = createServer((_, response) => {
      requests++;
      response.end();
    });
    await new Promise<void>((resolve) => {
      elsewhere.listen(0, '127.0.0.1', resolve);
    });
    const [example = ''] = codeBlocks(readPage('docs/dev.md'), 'html');
    const hostile = `<style>@media (prefers-color-scheme: dark) { body { background: rgb(1, 2, 3) } }</style>
<script>document.title = 'ran'; top.document.title = 'ran'</script><img src="http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/spy.png"></html>`;
    await writeFile(path.join(site.themesDir, 'preview.html'), example.replace('</html>', hostile));
    const { page } = await open('/themes/meadow/');
    await page.frameLocator('#preview .dark iframe').locator('img').first().waitFor();
    const frame = page.frames().find((candidate) => candidate.url().includes('mode=dark'));
    const result = await frame?.evaluate(
      `[getComputedStyle(document.querySelector('header img')).content, getComputedStyle(document.body).backgroundColor, document.title, origin]`,
    );
    expect(result).toEqual([expect.stringContaining('/media/meadow/logo-inverse.'), 'rgb(1, 2, 3)', '', 'null']);
    expect(await page.title()).toBe('Meadow');
    expect(requests).toBe(0);
    elsewhere.close();
    const { headers } = await fetch(`${dev.url}/themes/meadow/preview.html`);
    expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; .*sandbox$/);
    await rm(path.join(site.themesDir, 'preview.html'));
  });
});
