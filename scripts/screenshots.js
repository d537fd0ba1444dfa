// Makes the screenshots of the README and docs, from `themecast dev` with the themes of this repository: `npm run screenshots`. Needs
// Chromium.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { startDevServer } from '../lib/commands/dev/server.js';

/** @typedef {import('playwright-core').Page} Page */

/** @type {{ name: string, path: string, scheme?: 'dark', width?: number, height?: number, before?: (page: Page) => Promise<void> }[]} */
const SCREENSHOTS = [
  { name: 'gallery', path: '/', height: 620 },
  {
    name: 'theme',
    path: '/themes/nightfall/',
    scheme: 'dark',
    height: 760,
  },
];

const folder = mkdtempSync(path.join(tmpdir(), 'themecast-screenshots-'));
const themesDir = path.join(folder, 'themes');
cpSync('themes', themesDir, { recursive: true });
// Diagnostics show paths relative to this folder.
process.chdir(folder);
const target = path.resolve(import.meta.dirname, '../docs/screenshots');
mkdirSync(target, { recursive: true });

const stop = new AbortController();
const server = await startDevServer({
  cwd: process.cwd(),
  themesDir: 'themes',
  cacheDir: path.join(folder, 'cache'),
  port: 8080,
  stop: stop.signal,
  onUpdate: () => undefined,
});
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });

try {
  await server.session.start();
  let totalBytes = 0;
  for (const { name, path: urlPath, scheme = 'light', width = 1200, height = 800, before } of SCREENSHOTS) {
    const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height } });
    await page.goto(server.url + urlPath);
    await before?.(page);
    await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined);
    const { size } = await sharp(await page.screenshot())
      .webp({ quality: 78, effort: 6, smartSubsample: true })
      .toFile(path.join(target, `${name}.webp`));
    totalBytes += size;
    await page.close();
  }
  process.stdout.write(`${SCREENSHOTS.length} screenshots, ${Math.round(totalBytes / 1000)} kB\n`);
} finally {
  await browser.close();
  stop.abort();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
