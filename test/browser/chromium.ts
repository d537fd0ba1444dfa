import { existsSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { skipAll } from '../skip.ts';

export const CHROMIUM = '/usr/bin/chromium';
export const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** The reason why tests with Chromium are skipped. */
export const NO_CHROMIUM = 'Chromium is not installed, so nothing is tested in a browser.';

export function describeInChromium(name: string, tests: () => void): void {
  if (existsSync(CHROMIUM)) describe(`${name}, in Chromium`, tests);
  else skipAll(name, NO_CHROMIUM);
}

/** Starts Chromium. @param flags - additional flags */
export function launch(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] });
}

/** A page that records its errors and the origins that it requests. */
export interface RecordedPage {
  page: Page;
  pageErrors: string[];
  origins: Set<string>;
  close: () => Promise<void>;
}

export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<RecordedPage> {
  const context = await browser.newContext(options);
  // Shorter than the timeout of a test, so that a failure reports its line.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const pageErrors: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => pageErrors.push(message.text()));
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) pageErrors.push(`${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  return { page, pageErrors, origins, close: () => context.close() };
}

/** Loads every image in the page, including lazy images outside the viewport. */
export async function loadImages(page: Pick<Page, 'evaluate'>): Promise<void> {
  await page.evaluate(`Promise.all([...document.images].map((image) => {
    image.loading = 'eager';
    return image.checkVisibility() ? image.decode() : undefined;
  }))`);
}

const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const LAYOUTS = [
  ['light', WIDE],
  ['dark', PHONE],
] as const;

/** Checks layout and accessibility: in light mode on a desktop, in dark mode on a phone. Colours do not depend on the width. */
export async function expectGoodLayout(page: Page): Promise<void> {
  for (const [colorScheme, viewport] of LAYOUTS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await expectNoOverflow(page);
    await expectAccessible(page, `${colorScheme}, ${viewport.width} pixels wide`);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(WIDE);
}

/** Checks that nothing is wider than the viewport. */
async function expectNoOverflow(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

/** Checks that axe-core reports no violation at any level. */
export async function expectAccessible(page: Page, label?: string): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  const texts = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  expect(texts, label).toEqual([]);
}
