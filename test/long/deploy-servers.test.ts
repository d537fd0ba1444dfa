import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN } from '../command-line.ts';
import { Crawler } from '../deploy/crawler.ts';
import { Repository } from '../deploy/repository.ts';
import { type DeployServer, missing, startDeployServer, type WebServer } from '../deploy/server.ts';
import { HTTPD } from '../hosts/apache-process.ts';
import { CADDY } from '../hosts/caddy-process.ts';
import { squareSvg } from '../images.ts';
import { skipAll } from '../skip.ts';

const INSTALLED: Readonly<Record<WebServer, boolean>> = {
  nginx: true,
  apache: HTTPD !== undefined,
  caddy: CADDY !== undefined,
};
/** The number of changes to deploy, each twice. */
const CHANGES = Number(process.env['THEMECAST_TEST_DEPLOYMENTS'] ?? 8) / 2;
/** The number of deployments that the test kills. */
const KILLS = Number(process.env['THEMECAST_TEST_KILLS'] ?? 10);

if (missing.length > 0)
  skipAll('deployments by ssh', 'nginx, rsync and sshd are not all installed, so nothing is deployed by ssh.');
else
  describe.each(['nginx', 'apache', 'caddy'] as const)('deployments to %s by ssh', { timeout: 3_600_000 }, (host) => {
    if (!INSTALLED[host]) return skipAll(host, `${host} is not installed, so nothing is deployed to it.`);
    let server: DeployServer;
    let repository: Repository;
    let crawler: Crawler;
    let first = '';
    let side = 20;

    /** Commits new logos and builds. */
    const change = async (): Promise<void> => {
      side++;
      await repository.commit({
        'themes/harbor/logo.svg': squareSvg(side, side),
        'themes/meadow/logo.svg': squareSvg(side, side + 1),
      });
      await repository.build();
    };

    beforeAll(async () => {
      server = await startDeployServer(host);
      const { port } = server;
      const origin = { listen: `127.0.0.1:${port}`, document_root: `${server.target}/dist` };
      repository = await Repository.withMeadow(
        { base_url: `http://127.0.0.1:${port}`, edge: [host], origin },
        { host, port, env: server.env, sbin: server.sbin },
      );
      first = await repository.commit();
      // Apache and Caddy do not listen on this port before they have rules.
      await repository.publish('--first');
      crawler = new Crawler(port, ['meadow']);
      crawler.start();
    });
    afterAll(async () => {
      await crawler.stop();
      await server.stop();
      await repository.remove();
      expect(crawler.failures).toEqual([]);
      expect(crawler.requests).toBeGreaterThan(100);
    });

    it('always leave a complete site, even after a roll-back', async () => {
      for (let times = 0; times < CHANGES; times++) {
        await change();
        await repository.publish();
        expect(await repository.publish()).toMatch(/new images {2,}0\n {2}changed documents {2,}0\n/);
      }
      await repository.git('checkout', '--quiet', first);
      await repository.publish('--allow-older');
      expect(await repository.record()).toMatchObject({ commit: first });
      await repository.git('checkout', '--quiet', 'main');
      await repository.publish();
    });

    it('always leave a complete site, even if killed and repeated', async () => {
      await change();
      const started = performance.now();
      await repository.publish();
      const duration = performance.now() - started;
      for (let times = 0; times < KILLS; times++) {
        await change();
        const child = spawn(process.execPath, [BIN, 'deploy', host], {
          cwd: repository.site.root,
          env: { ...process.env, ...server.env },
          // A process group allows the test to kill the script and its tools too.
          detached: true,
          stdio: 'ignore',
        });
        const exited = once(child, 'exit');
        await Promise.race([exited, delay((duration * (times + 0.5)) / KILLS)]);
        if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
        await exited;
        await repository.repeat();
      }
    });
  });
