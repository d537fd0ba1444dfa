import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../command-line.ts';
import { type DevProcess, startDev } from '../dev-server.ts';
import { ANY_IMAGE_FIELDS } from '../../src/theme/fields.ts';
import { quarters } from '../images.ts';
import { LABELS } from '../../src/preview/labels.ts';
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

describeInChromium('the first theme of a newcomer', () => {
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

  it('is shown from the first minute, finished on its page, and passes every check', { timeout: 120_000 }, async () => {
    const { page, pageErrors } = opened;
    await page.goto(dev.url);
    await expectGoodLayout(page);
    await page.getByRole('link', { name: 'Club', exact: true }).first().click();
    await page.waitForURL('**/themes/club/');
    await loadImages(page);
    await expectGoodLayout(page);
    expect(await page.content()).toContain('are placeholders');
    expect(await page.getByRole('button', { name: /meant so/ }).count()).toBe(0);
    const edits: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && edits.push(request.url())));
    for (const tab of await page.locator('.tabs label').all()) await tab.click();
    expect(edits).toEqual([]);

    const banner = await quarters(1200, 400).png().toBuffer();
    const saved = (text: string) => page.getByRole('status').getByText(`Saved: ${text}`, { exact: true }).waitFor();
    for (const field of ANY_IMAGE_FIELDS) {
      const [name, buffer] = /banner/.test(field)
        ? ['mine.png', banner]
        : ['mine.svg', field.includes('inverse') ? INVERSE : LOGO];
      const mimeType = name.endsWith('png') ? 'image/png' : 'image/svg+xml';
      await page.locator(`#f-${field}`).setInputFiles({ name, mimeType, buffer });
      await saved(LABELS[field]);
    }
    await page.locator('#f-name').fill('Sports Club');
    await page.locator('#f-name').press('Enter');
    await saved('Name');
    await page.locator('#f-logo_height').fill('9999');
    await page.locator('#f-logo_height').press('Enter');
    await page.locator('#error-logo_height').getByText('2000').waitFor();
    await page.locator('#f-logo_height').fill('60');
    await page.locator('#f-logo_height').press('Enter');
    await saved('Height');
    await page.getByRole('button', { name: /^Undo/ }).click();
    await page.getByRole('status').getByText('Undone').waitFor();
    await page.getByLabel('Colour 1: pick').fill('#123456');
    await saved('Colour 1');
    expect((await page.content()).includes('placeholders')).toBe(false);
    await expectGoodLayout(page);
    expect(pageErrors.filter((text) => !text.includes('400'))).toEqual([]);

    const theme = path.join(repository, 'themes/club');
    const yaml = await readFile(path.join(theme, 'theme.yaml'), 'utf8');
    expect(yaml).toContain('# Nine colours, in any CSS syntax'); // comments stay
    expect(yaml).toContain('name: Sports Club\n');
    expect(yaml).toContain('#123456');
    expect(yaml).not.toContain('logo_height: 60');
    expect(yaml).not.toContain('# placeholder');
    expect(await readFile(path.join(theme, 'logo.svg'))).toEqual(LOGO);
    const checked = await run(['build', '--strict', '--quiet'], { cwd: repository });
    expect(checked).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
