import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Proposals } from '../dev/proposals.ts';
import { describeInChromium, expectGoodLayout, launch, openPage, type RecordedPage } from './chromium.ts';

/** A dark logo, which is hardly visible on dark pages. */
const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" rx="40" fill="#10143a"/></svg>',
);

describeInChromium('a designer', () => {
  let repository: Proposals;
  let browser: Browser;
  let opened: RecordedPage;

  beforeAll(async () => {
    repository = await Proposals.make();
    [browser] = await Promise.all([launch(), repository.start()]);
    opened = await openPage(browser, { viewport: { width: 1280, height: 900 } });
  });
  afterAll(async () => {
    await opened?.close();
    await browser?.close();
    await repository?.remove();
  });

  it(
    'creates a theme from a logo in four clicks, assigns it to a user, and proposes it',
    { timeout: 120_000 },
    async () => {
      const { page, pageErrors } = opened;
      await page.goto(repository.url);
      await page.getByRole('link', { name: 'New theme' }).last().click();
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('#logo').click()]);
      await chooser.setFiles({ name: 'night-owls.svg', mimeType: 'image/svg+xml', buffer: LOGO });
      await page.getByText('Colours of the logo').waitFor();
      expect(await page.locator('#name').inputValue()).toBe('Night owls');
      await expectGoodLayout(page);
      await page.getByRole('button', { name: 'Create theme' }).click();
      await page.waitForURL('**/themes/night-owls/');
      expect(await page.getByRole('button', { name: /^Best version for dark pages/ }).count()).toBeGreaterThan(0);
      await expectGoodLayout(page);
      await page.getByRole('button', { name: 'Fill them from the logo' }).click();
      await page.locator('.todo').waitFor({ state: 'detached' });

      await page.locator('#f-key').fill('u-1');
      await page.getByRole('button', { name: 'Assign this theme' }).click();
      await page.getByText('1 user in themes/users.csv').waitFor();
      await expectGoodLayout(page);
      await page.getByRole('link', { name: 'Propose changes' }).click();
      await expectGoodLayout(page);
      expect(await page.getByRole('checkbox', { name: 'Night owls' }).isChecked()).toBe(true);
      expect(await page.getByRole('checkbox', { name: /users/ }).isChecked()).toBe(false);
      await page.getByRole('checkbox', { name: /users/ }).check();
      await page.getByRole('button', { name: 'Propose' }).click();
      await page.getByText('themecast/night-owls is pushed').waitFor();
      await expectGoodLayout(page);

      const { remote } = repository;
      expect(await repository.git('-C', remote, 'log', '-1', '--format=%s', 'themecast/night-owls')).toBe(
        'Themes: add night-owls',
      );
      expect(await repository.git('-C', remote, 'show', 'themecast/night-owls:themes/users.csv')).toContain(
        'u-1,night-owls',
      );
      await page.getByRole('button', { name: 'Back to main' }).click();
      await page.waitForURL(`${repository.url}/`);
      await page.getByRole('article', { name: 'Night owls' }).waitFor({ state: 'detached' });
      expect(await readFile(path.join(repository.root, 'themes/users.csv'), 'utf8')).toBe('user,theme\ntom,meadow\n');
      expect(pageErrors).toEqual([]);
    },
  );

  it('replaces a placeholder with the logo or a version of it', async () => {
    const { page } = opened;
    await page.goto(`${repository.url}/themes/new`);
    await page.locator('#logo').setInputFiles({ name: 'owls.svg', mimeType: 'image/svg+xml', buffer: LOGO });
    await page.getByText('Colours of the logo').waitFor();
    await page.getByRole('button', { name: 'Create theme' }).click();
    await page.waitForURL('**/themes/owls/');
    const row = (field: string) => page.locator(`#row-${field}`);
    await row('compact_logo_inverse').getByRole('button', { name: 'Use the logo here too' }).click();
    await row('compact_logo_inverse').getByText('logo.svg', { exact: true }).first().waitFor();
    await row('logo_inverse').getByRole('button', { name: 'Other version for dark pages' }).click();
    await row('logo_inverse').getByText('logo-inverse.png').waitFor();
    const yaml = await readFile(path.join(repository.root, 'themes/owls/theme.yaml'), 'utf8');
    expect(yaml).toMatch(/^logo_inverse: logo-inverse\.png$/m);
    expect(yaml).toMatch(/^compact_logo_inverse: logo\.svg$/m);
  });
});
