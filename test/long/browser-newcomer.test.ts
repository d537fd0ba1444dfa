import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../command-line.ts';
import { type DevProcess, startDev } from '../dev-server.ts';
import { ANY_IMAGE_FIELDS, LABELS } from '../../src/theme/fields.ts';
import { quarters } from '../images.ts';
import {
  describeInChromium,
  expectGoodLayout,
  launch,
  loadImages,
  openPage,
  type Watched,
} from '../browser/chromium.ts';

/** A logo that is visible on both backgrounds. */
const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><circle cx="48" cy="48" r="40" fill="#3a7bd5"/></svg>',
);
/** The same with a ring, as an inverse should differ. */
const INVERSE = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><circle cx="48" cy="48" r="36" fill="#3a7bd5" stroke="#9cf" stroke-width="8"/></svg>',
);

describeInChromium('the own theme of a newcomer', () => {
  let folder: string;
  let repository: string;
  let dev: DevProcess;
  let browser: Browser;
  let opened: Watched;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-newcomer-'));
    repository = path.join(folder, 'themes-of-club');
    await mkdir(repository);
    await promisify(execFile)('git', ['init', '--quiet'], { cwd: repository });
    expect((await run(['init', '--name', 'Club'], { cwd: repository })).code).toBe(0);
    [dev, browser] = await Promise.all([startDev(repository, ['--port', '0']), launch()]);
    opened = await openPage(browser, { viewport: { width: 1280, height: 900 } });
  });
  afterAll(async () => {
    await opened?.close();
    await browser?.close();
    await dev?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is made from a logo, finished on its page, and passes every check', { timeout: 120_000 }, async () => {
    const { page, pageErrors } = opened;
    await page.goto(dev.url);
    await expectGoodLayout(page);
    await page.getByRole('link', { name: 'New theme' }).last().click();
    await page.locator('#name').fill('Sports');
    await page.locator('#logo').setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: LOGO });
    await page.locator('#colour').fill('reed');
    await page.getByRole('button', { name: 'Create theme' }).click();
    await page.locator('#error-colour').getByText('not an opaque CSS colour').waitFor();
    await expectGoodLayout(page);
    await page.locator('#colour').fill('teal');
    await page.getByRole('button', { name: 'Create theme' }).click();
    await page.waitForURL('**/themes/sports/');
    // The logo was not chosen again.
    const theme = path.join(repository, 'themes/sports');
    expect(await readFile(path.join(theme, 'logo.svg'))).toEqual(LOGO);
    await loadImages(page);
    await expectGoodLayout(page);
    expect(await page.content()).toContain('are placeholders');
    expect(await page.getByRole('button', { name: /intentional/ }).count()).toBe(0);
    const edits: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && edits.push(request.url())));
    for (const tab of await page.locator('.segments label').all()) await tab.click();
    expect(edits).toEqual([]);

    const banner = await quarters(1200, 400).png().toBuffer();
    const saved = (text: string) => page.getByRole('status').getByText(text).first().waitFor();
    for (const field of ANY_IMAGE_FIELDS) {
      const [name, buffer] = /banner/.test(field)
        ? ['mine.png', banner]
        : ['mine.svg', field.includes('inverse') ? INVERSE : LOGO];
      const mimeType = name.endsWith('png') ? 'image/png' : 'image/svg+xml';
      await page.locator(`#f-${field}`).setInputFiles({ name, mimeType, buffer });
      await saved(`${LABELS[field]}: ${name}`);
    }
    await page.getByRole('button', { name: 'From the logo' }).click();
    await saved('Nine colours replaced');
    await page.locator('#f-name').fill('Sports Club');
    await page.locator('#f-name').press('Enter');
    await saved('Name: ');
    await page.locator('#f-logo_height').fill('9999');
    await page.locator('#f-logo_height').press('Enter');
    await page.locator('#error-logo_height').getByText('2000').waitFor();
    await page.locator('#f-logo_height').fill('60');
    await page.locator('#f-logo_height').press('Enter');
    await saved('Logo height: ');
    await page.getByRole('button', { name: 'Undo: logo height' }).click();
    await page.getByRole('status').getByText('Undone').waitFor();
    await page.getByLabel('Colour 1: pick').fill('#123456');
    await saved('Colour 1: ');
    expect((await page.content()).includes('placeholders')).toBe(false);
    await expectGoodLayout(page);

    // It takes the place of the theme that `init` has made, whose deletion can be undone.
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Make this the default theme' }).click();
    await saved('Saved: default theme');
    const remove = async (): Promise<void> => {
      await page.goto(`${dev.url}/themes/club/`);
      await page.getByText('More', { exact: true }).click();
      await page.getByRole('button', { name: 'Delete this theme' }).click();
      await page.waitForURL(`${dev.url}/`);
    };
    await remove();
    await page.getByRole('button', { name: 'Undo: delete theme club' }).click();
    await page.getByRole('article', { name: 'Club', exact: true }).waitFor();
    await remove();
    expect(pageErrors.filter((text) => !text.includes('400'))).toEqual([]);

    const yaml = await readFile(path.join(theme, 'theme.yaml'), 'utf8');
    expect(yaml).toContain('name: Sports Club\n');
    expect(yaml).toContain('#123456');
    expect(yaml).not.toMatch(/logo_height: 60|# placeholder/);
    for (const command of ['check', 'build'])
      expect(await run([command, '--strict', '--quiet'], { cwd: repository })).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
  });
});
