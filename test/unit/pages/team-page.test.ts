import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { build, check } from '../../../src/index.ts';
import { teamPage } from '../../../src/document/preview/team-page.ts';
import { HOSTILE, theme } from '../../sample-records.ts';
import { makeSite, readTree, removeSite, type SiteFolder } from '../../site-folder.ts';

const PAGE = `<!DOCTYPE html><HTML lang="en"><link href="a.css"><Link rel=stylesheet href='/api/v2/theme/config/?format=css'>
<style>@media ( Prefers-Color-Scheme : dark ) { b { color: red } } @media (prefers-color-scheme: light) { b { color: blue } }</style></HTML>`;

describe('the page of a team', () => {
  it("has the theme instead of the service's stylesheet, in a single mode", () => {
    const page = teamPage(PAGE, theme(1, { logo_height: 37 }), 'dark');
    expect(page).toMatch(
      /<html data-color-scheme="dark" lang="en"><link href="a.css"><style>[^<]*--theme-logo-height: 37px;/,
    );
    expect(page).toContain('@media (min-width: 0) { b { color: red } } @media (max-width: 0) { b { color: blue } }');
    expect(page).not.toContain('/api/v2/theme/config/');
  });

  it.each(HOSTILE)('gets no tag from the name of a theme: %j', (name) => {
    const tags = (page: string) => page.match(/<[^>]*>/g);
    expect(tags(teamPage(PAGE, theme(1, { name }), 'light'))).toEqual(tags(teamPage(PAGE, theme(1), 'light')));
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
