import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, waitForExit } from '../command-line.ts';
import { Crawler } from '../deploy/crawler.ts';
import { Repository } from '../deploy/repository.ts';
import { type DeployServer, missing, startDeployServer } from '../deploy/server.ts';
import { ROOT } from '../docs/pages.ts';
import { squareSvg } from '../images.ts';
import { skipAll } from '../skip.ts';

if (missing.length > 0)
  skipAll('the upgrade of a server', 'nginx, rsync and sshd are not all installed, so nothing is deployed by ssh.');
else
  describe('a server of the release before', { timeout: 300_000 }, () => {
    let server: DeployServer;
    let repository: Repository;
    let folder: string;
    /** The executable of the release before: the tarball of THEMECAST_TARBALL, or of this checkout while there is no release. */
    let before: string;
    let side = 20;

    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'themecast-upgrade-'));
      const pack = (): string =>
        execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
          cwd: ROOT,
          encoding: 'utf8',
        }).trim();
      const tarball = process.env['THEMECAST_TARBALL'] ?? path.join(folder, pack());
      execFileSync('tar', ['-xzf', tarball, '-C', folder]);
      symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'package/node_modules'));
      before = path.join(folder, 'package/lib/cli.js');
      server = await startDeployServer();
      const listen = `127.0.0.1:${server.port}`;
      repository = await Repository.withMeadow(
        {
          base_url: `http://${listen}`,
          origin: { listen, document_root: `${server.target}/dist` },
        },
        server,
      );
    }, 120_000);
    afterAll(async () => {
      await server.stop();
      await repository.remove();
      rmSync(folder, { recursive: true });
    });

    /** Builds and deploys a change by a version, and copies `themecast-rules` if that version asks for it. @returns how often it did */
    const publish = async (bin: string): Promise<number> => {
      side++;
      await repository.commit({ 'themes/meadow/logo.svg': squareSvg(side, side) });
      const call = async (...args: string[]): Promise<{ code: number | null; printed: string }> => {
        const env = { ...process.env, ...server.env };
        const child = spawn(process.execPath, [bin, ...args], {
          cwd: repository.site.root,
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const { code, stdout, stderr } = await waitForExit(child);
        return { code, printed: stdout + stderr };
      };
      expect((await call('build', '--quiet')).code).toBe(0);
      const { code, printed } = await call('deploy', 'nginx');
      if (code === 0) return 0;
      expect(printed).toContain('copy it again from edge/nginx/');
      copyFileSync(path.join(repository.site.edgeOutDir, 'nginx/themecast-rules'), server.sbin);
      expect(await call('deploy', 'nginx')).toEqual({ code: 0, printed: expect.stringContaining('is live on nginx') });
      return 1;
    };

    it('is deployed to by this version, and by the one before again, without a wrong theme', async () => {
      // The first time, there is no script.
      expect(await publish(before)).toBe(1);
      const crawler = new Crawler(server.port, ['meadow']);
      crawler.start();
      for (const bin of [BIN, before, BIN]) await publish(bin);
      await crawler.stop();
      expect(crawler.failures).toEqual([]);
      expect(crawler.requests).toBeGreaterThan(50);
    });
  });
