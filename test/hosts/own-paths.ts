import { expect, it } from 'vitest';
import type { Host } from './contract.ts';
import { sendAll } from './contract/send.ts';
import { type PublishedSite, publishSite, removeSite } from './site.ts';

const FILES = 'index.json browse.html options.json config/index.json config/meadow.json config/meadow.html'.split(' ');

/**
 * Tests hosts that publish all of `dist/` at their root, whatever the path of `base_url`: only the endpoints may serve their files.
 * @param spellings - further spellings of the folder of the files
 */
export function itHidesFiles(start: (site: PublishedSite) => Promise<Host>, spellings: readonly string[] = []): void {
  it('hides the files of the endpoints at their own paths too', async () => {
    const site = await publishSite({ base_url: 'https://example.org/community' });
    const host = await start(site);
    const answers = await sendAll(
      host.port,
      ['/api/v2/theme/', ...spellings].flatMap((folder) =>
        FILES.flatMap((file) => [
          { path: folder + file },
          { path: folder + file, headers: { 'X-Themecast-File': 'a guess' } },
        ]),
      ),
    );
    await host.stop();
    await removeSite(site);
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(300);
      expect(body).not.toMatch(/name|title|renders/);
    }
  });
}
