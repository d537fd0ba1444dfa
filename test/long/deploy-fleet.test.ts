import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN } from '../command-line.ts';
import { Crawler } from '../deploy/crawler.ts';
import { type Fleet, startFleet } from '../deploy/fleet.ts';
import { Repository } from '../deploy/repository.ts';
import { missing } from '../deploy/server.ts';
import { squareSvg } from '../images.ts';
import { skipAll } from '../skip.ts';
import { treeHashes } from '../site-folder.ts';

/** How many changes are deployed, and how many deployments are killed. */
const CHANGES = Number(process.env['THEMECAST_TEST_DEPLOYMENTS'] ?? 2);
const KILLS = Number(process.env['THEMECAST_TEST_KILLS'] ?? 3);

if (missing.length > 0 || process.getuid?.() !== 0)
  skipAll('deployments to a fleet', 'nginx, rsync and sshd are not all installed, or this is not root: no fleet runs.');
else
  describe.each([2, 3])('a fleet of %i nginx', { timeout: 3_600_000 }, (size) => {
    let fleet: Fleet;
    let repository: Repository;
    let side = 20;
    const names = (): string[] => fleet.nodes.map(({ name }) => name);
    const all = (): string => names().join(' ');

    /** Commits other logos, and builds. */
    const change = async (): Promise<string> => {
      side++;
      const commit = await repository.commit({
        'themes/harbor/logo.svg': squareSvg(side, side),
        'themes/meadow/logo.svg': squareSvg(side, side + 1),
        'themes/users.csv': `user,theme\ntom,meadow\nuser-${side},meadow\n`,
      });
      await repository.build();
      return commit;
    };
    const deploy = (servers = all(), ...flags: string[]) => repository.deploy(flags, { DEPLOY_SERVER: servers });
    const publish = async (servers = all()): Promise<string> => {
      const { code, stdout, stderr } = await deploy(servers);
      expect(code, stdout + stderr).toBe(0);
      return stdout;
    };
    /** Deploys to some servers, and fails at another, whose nginx rejects all rules. */
    const deployUntil = async (
      servers: string,
      rejecting: number,
    ): Promise<{ code: number | null; stderr: string }> => {
      const conf = path.join(fleet.nodes[rejecting]?.folder ?? '', 'etc/nginx.conf');
      const text = await readFile(conf, 'utf8');
      await writeFile(conf, text.replace('location / {', 'location ^~ /media/ { return 404; } location / {'));
      const ended = await deploy(servers);
      await writeFile(conf, text);
      return ended;
    };
    /** The text of the record of each server. */
    const records = (): Promise<string[]> =>
      Promise.all(
        fleet.nodes.map((node) =>
          readFile(path.join(node.folder, 'srv/dist/api/v2/theme/deployment.json'), 'utf8').catch(() => ''),
        ),
      );
    const commits = async (): Promise<unknown[]> =>
      (await records()).map((text) => (JSON.parse(text) as { commit: unknown }).commit);

    beforeAll(async () => {
      fleet = await startFleet(size);
      const { port, root, env } = fleet;
      const origin = { listen: `127.0.0.1:${port}`, document_root: root };
      repository = await Repository.withMeadow(
        { base_url: `http://127.0.0.1:${port}`, origin },
        { host: 'nginx', port, env, sbin: path.join(root, '../../../themecast-rules') },
      );
      await repository.commit();
      await repository.build();
      await publish();
    }, 120_000);
    afterAll(async () => {
      await fleet.stop();
      await repository.remove();
    });

    it('has one record, and is right at every moment, also when deployments are killed', async () => {
      const crawler = new Crawler(fleet.port, ['meadow']);
      crawler.start();
      const started = performance.now();
      for (let times = 0; times < CHANGES; times++) {
        await change();
        await publish();
        expect(new Set(await records()).size).toBe(1);
      }
      const duration = (performance.now() - started) / CHANGES;
      for (let times = 0; times < KILLS; times++) {
        const commit = await change();
        const child = spawn(process.execPath, [BIN, 'deploy', 'nginx'], {
          cwd: repository.site.root,
          env: { ...process.env, ...fleet.env, DEPLOY_SERVER: all() },
          detached: true,
          stdio: 'ignore',
        });
        const exited = once(child, 'exit');
        await Promise.race([exited, delay((duration * (times + 0.5)) / KILLS)]);
        // The command and its script, as a machine that loses its power.
        if (child.exitCode === null) killAll(child.pid ?? 0);
        await exited;
        const { code, stderr } = await deploy();
        if (code !== 0) {
          expect(stderr).toContain('Another deployment came first');
          await publish();
        }
        expect(await commits()).toEqual(names().map(() => commit));
        expect(new Set(await records()).size).toBe(1);
      }
      await crawler.stop();
      expect(crawler.failures).toEqual([]);
      process.stdout.write(`${CHANGES + KILLS} deployments, ${KILLS} killed, ${crawler.requests} requests\n`);
    });

    it('brings a server up to date that is behind, and leaves the others as they are', async () => {
      const commit = await change();
      expect((await deployUntil(all(), 1)).code).toBe(1);
      const [first] = await records();
      const before = await treeHashes(path.join(fleet.nodes[0]?.folder ?? '', 'srv/dist'));
      await publish();
      expect(await commits()).toEqual(names().map(() => commit));
      expect(await records()).toEqual(names().map(() => first));
      expect(await treeHashes(path.join(fleet.nodes[0]?.folder ?? '', 'srv/dist'))).toEqual(before);
    });

    it('refuses a commit that is older than that of any server, and names that server', async () => {
      const older = await repository.git('rev-parse', 'HEAD');
      await change();
      expect((await deployUntil(names().toReversed().join(' '), 0)).code).toBe(1);
      const before = await records();
      await repository.git('checkout', '--quiet', older);
      await repository.build();
      const { code, stderr } = await deploy();
      expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`live on ${names()[1]}, .* is newer`))]);
      expect(await records()).toEqual(before);
      await repository.git('checkout', '--quiet', 'main');
      await repository.build();
      await publish();
    });

    it('stops at the first server that fails, and says what each has', async () => {
      const before = await commits();
      const commit = await change();
      const { code, stderr } = await deployUntil(all(), 1);
      expect(code).toBe(1);
      expect(stderr).toContain('duplicate location "/media/"');
      const [one = '', two = ''] = names();
      expect(stderr).toContain(`${one}: ${commit.slice(0, 7)} (since`);
      expect(stderr).toContain(`${two}: ${String(before[1]).slice(0, 7)} (since`);
      expect(await commits()).toEqual([commit, ...before.slice(1)]);
      const [first] = await records();
      await publish();
      expect(await records()).toEqual(names().map(() => first));
    });

    it('changes nothing anywhere if the disk of one is full', async () => {
      const before = await records();
      const bytes = await repository.commitBanner();
      await repository.build();
      const disk = fleet.nodes.at(-1)?.folder ?? '';
      const { bavail, bsize } = await statfs(disk);
      await writeFile(path.join(disk, 'others'), Buffer.alloc(bavail * bsize - bytes / 2));
      const { code, stderr } = await deploy();
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/No space left on device[^]*The live site still works/),
      ]);
      expect(await records()).toEqual(before);
      await rm(path.join(disk, 'others'));
      await publish();
    });

    it('changes nothing anywhere if one cannot be reached', async () => {
      const before = await records();
      await change();
      await fleet.nodes.at(-1)?.disconnect();
      const { code, stderr } = await deploy();
      expect(code).toBe(1);
      expect(stderr).toContain('✘ Nothing was uploaded. Now live:');
      expect(stderr).toContain(`${names()[0]}: `);
      expect(stderr).toContain(`${names().at(-1)}: The deployment record of ${names().at(-1)} cannot be read`);
      expect(await records()).toEqual(before);
    });
  });

/** Kills a command and the group of the script that it runs. */
function killAll(pid: number): void {
  spawn('sh', ['-c', `for child in $(ps -o pid= --ppid ${pid}); do kill -9 -"$child"; done; kill -9 ${pid}`]);
}
