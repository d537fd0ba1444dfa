import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BASE_URL, makeSite, removeSite } from './site-folder.ts';

beforeEach(() => {
  // The unmocked module may be loaded by other test files of this worker.
  vi.resetModules();
  // Redirects to published images, which are longer than the redirects that the hosts were checked with.
  vi.doMock(import('../src/hosts/redirects.ts'), async (original) => {
    const actual = await original();
    return {
      ...actual,
      withRedirects: (rules, redirects, urls) => {
        const expected = actual.withRedirects(rules, redirects, urls);
        return urls === undefined ? expected : { ...expected, redirects: { '/old/logo.svg': 'x'.repeat(2000) } };
      },
    };
  });
});
afterEach(() => {
  vi.doUnmock('../src/hosts/redirects.ts');
  vi.resetModules();
});

test('rules that become inexpressible only with the published redirects are reported, and nothing is published', async () => {
  const { build } = await import('../src/index.ts');
  const site = await makeSite({
    site: { base_url: BASE_URL, edge: ['nginx', 'cloudfront'] },
    files: { 'themes/redirects.csv': 'old_path,theme,image\n/old/logo.svg,harbor,logo\n' },
  });
  const { ok, diagnostics } = await build(site);
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
    'edge/inexpressible',
  ]);
  expect([ok, existsSync(site.outDir), existsSync(site.edgeOutDir)]).toEqual([false, false, false]);
  await removeSite(site);
});
