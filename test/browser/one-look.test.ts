import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../command-line.ts';
import { type DevProcess, startDev } from '../dev-server.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { describeInChromium, launch } from './chromium.ts';

const LIGHT = Array.from({ length: 9 }, (_, at) => `hsl(${at * 40},60%,30%)`);
const DARK = Array.from({ length: 9 }, (_, at) => `hsl(${at * 40},50%,80%)`);
const MODES = ['light', 'dark'] as const;

/** Returns in the page the variables of an element, without images, whose URLs differ. */
const VARIABLES = `(element) => Object.fromEntries([...element.computedStyleMap()]
  .filter(([name, [value]]) => name.startsWith('--theme-') && !String(value).includes('url('))
  .map(([name, [value]]) => [name, String(value).trim()]))`;

/** Returns in the page the sizes and colours of what the sample page draws. */
const BOXES = `(screen) => [...screen.querySelectorAll('[data-field]')].map((element) => {
  const { backgroundColor, color, height, width, margin } = getComputedStyle(element);
  return [element.dataset.field, element.tagName === 'IMG' ? [height, margin] : [backgroundColor, color, width, height]];
})`;

describeInChromium('a theme', () => {
  let site: SiteFolder;
  let dev: DevProcess;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    site = await makeSite({
      site: { base_url: 'https://community.example.org', roles: { primary: 2, accent: 5 } },
      themes: {
        harbor: {},
        meadow: {
          fields: {
            palette_preview: LIGHT,
            palette_dark: DARK,
            logo_height: 61,
            logo_margin_top: 7,
            compact_logo_size: 45,
          },
        },
      },
      files: {
        'themes/preview.html':
          '<!doctype html><html><link rel="stylesheet" href="/api/v2/theme/config/?format=css"></html>',
      },
    });
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: site.root });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Themes');
    // A change, so that the review has the theme.
    const yaml = path.join(site.themesDir, 'meadow/theme.yaml');
    await writeFile(
      yaml,
      `${(await readFile(yaml, 'utf8')).replace(/^logo_margin_left: .*\n/m, '')}logo_margin_left: 9\n`,
    );
    browser = await launch();
    page = await (await browser.newContext({ viewport: { width: 1400, height: 1000 } })).newPage();
    expect(await run(['build', '--quiet'], { cwd: site.root })).toMatchObject({ code: 0 });
    expect(await run(['diff', 'HEAD', '--html', 'review.html'], { cwd: site.root })).toMatchObject({ stderr: '' });
  });
  afterAll(async () => {
    await dev?.stop();
    await browser?.close();
    await removeSite(site);
  });

  it(
    'has the same colours and boxes in the stylesheet, the studio, the page of the team and the review',
    { timeout: 120_000 },
    async () => {
      const css = await readFile(path.join(site.outDir, 'api/v2/theme/config/meadow.css'), 'utf8');
      const published: Record<string, unknown> = {};
      for (const mode of MODES) {
        await page.setContent(`<html data-color-scheme="${mode}"><style>${css}</style></html>`);
        published[mode] = await page.evaluate(`(${VARIABLES})(document.documentElement)`);
      }
      expect(published['light']).toMatchObject({ '--theme-palette-2': LIGHT[1], '--theme-logo-height': '61px' });
      expect(published['dark']).toMatchObject({ '--theme-palette-2': DARK[1], '--theme-logo-margin-left': '9px' });

      dev = await startDev(site.root, ['--port', '0']);
      await page.goto(`${dev.url}/themes/meadow/`);
      for (const mode of MODES) {
        const frame = page.frames().find((candidate) => candidate.url().includes(`mode=${mode}&`));
        expect(await frame?.evaluate(`(${VARIABLES})(document.documentElement)`), `page of the team, ${mode}`).toEqual(
          published[mode],
        );
      }
      await writeFile(path.join(site.themesDir, 'preview.html'), '');
      await dev.stop();
      execFileSync('rm', [path.join(site.themesDir, 'preview.html')]);
      dev = await startDev(site.root, ['--port', '0']);
      await page.goto(`${dev.url}/themes/meadow/`);
      const studio: Record<string, unknown> = {};
      for (const mode of MODES) {
        const screen = `document.querySelector('#preview .screen.${mode}')`;
        expect(await page.evaluate(`(${VARIABLES})(${screen})`), `studio, ${mode}`).toEqual(published[mode]);
        // As wide as in the review, and not scaled.
        await page.evaluate(`Object.assign(${screen}.style, { width: '600px', transform: 'none', minHeight: '0' })`);
        studio[mode] = await page.evaluate(`(${BOXES})(${screen})`);
      }

      await page.goto(pathToFileURL(path.join(site.root, 'review.html')).href);
      await page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))");
      for (const mode of MODES) {
        const screen = `document.querySelector('[class^="after-"] .screen.${mode}')`;
        expect(withoutRatios(await page.evaluate(`(${VARIABLES})(${screen})`)), `review, ${mode}`).toEqual(
          withoutRatios(published[mode]),
        );
        await page.evaluate(`${screen}.style.width = '600px'`);
        expect(await page.evaluate(`(${BOXES})(${screen})`), `review, ${mode}`).toEqual(studio[mode]);
      }
    },
  );
});

/** The review has small copies of the images, and does not measure them. */
function withoutRatios(variables: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables as object).filter(([name]) => !name.endsWith('-ratio')));
}
