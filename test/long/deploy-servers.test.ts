import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN } from '../command-line.ts';
import { Crawler } from '../deploy/crawler.ts';
import { Repository } from '../deploy/repository.ts';
import { type DeployServer, missing, startDeployServer, type WebServer } from '../deploy/server.ts';
import { HTTPD } from '../hosts/apache-process.ts';
import { CADDY } from '../hosts/caddy-process.ts';
import { squareSvg } from '../images.ts';
import { skip, skipAll } from '../skip.ts';

const INSTALLED: Readonly<Record<WebServer, boolean>> = {
  nginx: true,
  apache: HTTPD !== undefined,
  caddy: CADDY !== undefined,
};
const IS_ROOT = process.getuid?.() === 0;
/** How many changes are deployed, each twice, and how many deployments are killed. */
const CHANGES = Number(process.env['THEMECAST_TEST_DEPLOYMENTS'] ?? 8) / 2;
const KILLS = Number(process.env['THEMECAST_TEST_KILLS'] ?? 10);

/** Makes the disk of a server small. */
async function mountDisk({ target }: DeployServer): Promise<void> {
  if (!IS_ROOT) return;
  await mkdir(path.dirname(target));
  const { status, stderr } = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    'size=64m,mode=755',
    'tmpfs',
    path.dirname(target),
  ]);
  if (status !== 0) throw new Error(stderr.toString());
}

if (missing.length > 0)
  skipAll('deployments by ssh', 'nginx, rsync and sshd are not all installed, so nothing is deployed by ssh.');
else
  describe.each(['nginx', 'apache', 'caddy'] as const)('deployments to %s by ssh', { timeout: 3_600_000 }, (host) => {
    if (!INSTALLED[host]) return skipAll(host, `${host} is not installed, so nothing is deployed to it.`);
    let server: DeployServer;
    let repository: Repository;
    let first = '';
    let side = 20;

    /** Commits another logo, another name of a theme, and builds. */
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
      await mountDisk(server);
      const { port } = server;
      const origin = { listen: `127.0.0.1:${port}`, document_root: `${server.target}/dist` };
      repository = await Repository.withMeadow(
        { base_url: `http://127.0.0.1:${port}`, edge: [host], origin },
        { host, port, env: server.env, sbin: server.sbin },
      );
      first = await repository.commit();
      // Apache and Caddy do not listen there before they have rules.
      await repository.publish('--first');
    }, 60_000);
    afterAll(async () => {
      if (IS_ROOT) spawnSync('umount', [path.dirname(server.target)]);
      await server.stop();
      await repository.remove();
    });

    it('are whole at every moment: changes, nothing new, and the way back', async () => {
      const crawler = new Crawler(server.port, ['meadow']);
      crawler.start();
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
      await crawler.stop();
      expect(crawler.failures).toEqual([]);
      expect(crawler.requests).toBeGreaterThan(100);
    });

    it('are whole when they are killed, and when they are repeated', async () => {
      const crawler = new Crawler(server.port, ['meadow']);
      crawler.start();
      const started = performance.now();
      await change();
      await repository.publish();
      const whole = performance.now() - started;
      for (let times = 0; times < KILLS; times++) {
        await change();
        const child = spawn(process.execPath, [BIN, 'deploy', host], {
          cwd: repository.site.root,
          env: { ...process.env, ...server.env },
          // Its own group, so that the script and its tools are killed too.
          detached: true,
          stdio: 'ignore',
        });
        const exited = once(child, 'exit');
        await Promise.race([exited, delay((whole * (times + 0.5)) / KILLS)]);
        if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
        await exited;
        // The server goes on with what it was told, under its lock: the repetition may come second.
        const { code, stderr } = await repository.deploy();
        if (code !== 0) {
          expect(stderr).toContain('Another deployment came first');
          await repository.publish();
        }
        expect(await repository.record()).toMatchObject({ commit: await repository.git('rev-parse', 'HEAD') });
      }
      await crawler.stop();
      expect(crawler.failures).toEqual([]);
    });

    it('of two at once, one goes live, and the other says so or comes after it', async () => {
      await change();
      const both = await Promise.all(
        [0, 1].map(async () => {
          const child = spawn(process.execPath, [BIN, 'deploy', host], {
            cwd: repository.site.root,
            env: { ...process.env, ...server.env },
            stdio: ['ignore', 'ignore', 'pipe'],
          });
          let text = '';
          child.stderr.setEncoding('utf8').on('data', (data: string) => (text += data));
          const [code] = (await once(child, 'close')) as [number];
          return { code, text };
        }),
      );
      expect(both.map(({ code }) => code)).toContain(0);
      for (const { code, text } of both) if (code !== 0) expect(text).toContain('Another deployment came first');
      expect(await repository.record()).toMatchObject({ commit: await repository.git('rev-parse', 'HEAD') });
    });

    it('leave what is live as it is if the disk is full, and go on once it is not', async (context) => {
      if (!IS_ROOT) skip(context, 'Only root can mount a small disk.');
      const before = await repository.record();
      const bytes = await repository.commitBanner();
      await repository.build();
      const disk = path.dirname(server.target);
      const { bavail, bsize } = await statfs(disk);
      // Less than the banner needs.
      await writeFile(path.join(disk, 'others'), Buffer.alloc(bavail * bsize - bytes / 2));
      const { code, stderr } = await repository.deploy();
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/No space left on device[^]*The live site still works/),
      ]);
      expect(await repository.record()).toEqual(before);
      expect(await repository.themeOf('tom')).toBe('meadow');
      await rm(path.join(disk, 'others'));
      await repository.publish();
    });

    it('name the users whose theme is not in what is deployed, and give them the default theme', async () => {
      await rm(path.join(repository.site.themesDir, 'meadow'), { recursive: true });
      await writeFile(path.join(repository.site.themesDir, 'users.csv'), 'user,theme\ntom,harbor\n');
      await repository.commit();
      expect(await repository.publish()).toContain('not in this build: meadow');
      expect(await repository.themeOf('tom')).toBe('harbor');
    });
  });
