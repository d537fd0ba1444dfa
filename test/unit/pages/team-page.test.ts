import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { build, check } from '../../../src/index.ts';
import type { ThemeRecord } from '../../../src/core/document/record.ts';
import { linksStylesheet, teamPage } from '../../../src/core/document/preview/team-page.ts';
import { HOSTILE, theme } from '../../sample-records.ts';
import { makeSite, readTree, removeSite, type SiteFolder } from '../../site-folder.ts';

const PAGE = `<!DOCTYPE html><HTML lang="en"><link href="a.css"><link rel="preconnect" href="https://cdn.example.org"><Link rel=stylesheet href='/api/v2/theme/config/?format=css'>
<style>@media ( Prefers-Color-Scheme : dark ) { b { color: red } } @media (prefers-color-scheme: light) { b { color: blue } }</style></HTML>`;

const DARK = Array.from({ length: 9 }, () => 'hsl(0,50%,80%)');

describe('the page of a team', () => {
  it("has the theme instead of the service's stylesheet, in a single mode", () => {
    const page = teamPage(
      PAGE,
      { record: theme(1, { logo_height: 37 }), palette_dark: DARK },
      { roles: { primary: 1 } },
      'dark',
    );
    expect(page).toMatch(
      /<html data-color-scheme="dark" lang="en"><link href="a.css"><style>[^<]*--theme-logo-height: 37px;/,
    );
    expect(page).toContain('@media (min-width: 0) { b { color: red } } @media (max-width: 0) { b { color: blue } }');
    expect(page).not.toContain('/api/v2/theme/config/');
    expect(page).not.toContain('cdn.example.org');
    expect(page).toContain('--theme-palette-1: hsl(0,50%,80%);');
    expect(page).toContain('--theme-primary: var(--theme-palette-1);');
  });

  it('shows no theme without a link to the stylesheet', () => {
    expect(linksStylesheet(PAGE)).toBe(true);
    expect(linksStylesheet('<link rel=stylesheet href=a.css>')).toBe(false);
  });

  it.each(HOSTILE)('gets no tag from the name of a theme: %j', (name) => {
    const tags = (page: string) => page.match(/<[^>]*>/g);
    const tagsFor = (record: ThemeRecord) => tags(teamPage(PAGE, { record }, { roles: {} }, 'light'));
    expect(tagsFor(theme(1, { name }))).toEqual(tagsFor(theme(1)));
  });
});

describe('themes/preview.html', () => {
  let site: SiteFolder | undefined;
  afterEach(() => removeSite(site));
  const PREVIEW = 'themes/preview.html';
  const codes = async (folder: SiteFolder) =>
    (await check({ themesDir: folder.themesDir })).diagnostics.map(({ code, location }) => [
      code,
      path.basename(location.file),
    ]);

  it('is neither an error nor published', async () => {
    site = await makeSite({ files: { [PREVIEW]: 'the page of the team' } });
    const [outDir, edgeOutDir] = [path.join(site.root, 'dist'), path.join(site.root, 'edge')];
    expect((await build({ themesDir: site.themesDir, outDir, edgeOutDir })).diagnostics).toEqual([]);
    for (const folder of [outDir, edgeOutDir])
      for (const [name, bytes] of await readTree(folder)) {
        expect(name).not.toContain('preview');
        expect(bytes.includes('the page of the team')).toBe(false);
      }
  });

  it('must be a file of limited size', async () => {
    site = await makeSite();
    await symlink('/etc/passwd', path.join(site.root, PREVIEW));
    expect(await codes(site)).toEqual([['file/not-a-file', 'preview.html']]);
    await removeSite(site);
    site = await makeSite();
    await writeFile(path.join(site.root, PREVIEW), 'a'.repeat(256 * 1024 + 1));
    expect(await codes(site)).toEqual([['file/too-large', 'preview.html']]);
  });
});
