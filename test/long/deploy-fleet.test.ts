import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, type Run } from '../command-line.ts';
import { Crawler } from '../deploy/crawler.ts';
import { type Fleet, startFleet } from '../deploy/fleet.ts';
import { Repository } from '../deploy/repository.ts';
import { missing } from '../deploy/server.ts';
import { squareSvg } from '../images.ts';
import { skipAll } from '../skip.ts';

const NAMES = ['node1', 'node2', 'node3'] as const;
const ALL = NAMES.join(' ');
/** The number of deployments that the test kills. */
const KILLS = Number(process.env['THEMECAST_TEST_KILLS'] ?? 3);

if (missing.length > 0 || process.getuid?.() !== 0)
  skipAll('deployments to a fleet', 'nginx, rsync and sshd are not all installed, or this is not root: no fleet runs.');
else
  describe('a fleet of three nginx', { timeout: 3_600_000 }, () => {
    let fleet: Fleet;
    let repository: Repository;
    let side = 20;

    /** Commits new logos and builds. @returns the commit */
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
    /** Deploys to several servers, one of which rejects the rules. @param rejecting - the index of that server */
    const deployUntil = async (DEPLOY_SERVER: string, rejecting: number): Promise<Run> => {
      const conf = path.join(fleet.nodes[rejecting]?.folder ?? '', 'etc/nginx.conf');
      const text = await readFile(conf, 'utf8');
      await writeFile(conf, text.replace('location / {', 'location ^~ /media/ { return 404; } location / {'));
      const result = await repository.deploy([], { DEPLOY_SERVER });
      await writeFile(conf, text);
      return result;
    };
    /** Returns the text of each server's deployment record. */
    const records = (): Promise<string[]> =>
      Promise.all(
        fleet.nodes.map((node) => readFile(path.join(node.folder, 'srv/dist/api/v2/theme/deployment.json'), 'utf8')),
      );
    const commits = async (): Promise<unknown[]> =>
      (await records()).map((text) => (JSON.parse(text) as { commit: unknown }).commit);

    beforeAll(async () => {
      fleet = await startFleet(NAMES.length);
      const { port, root, env } = fleet;
      const origin = { listen: `127.0.0.1:${port}`, document_root: root };
      repository = await Repository.withMeadow(
        { base_url: `http://127.0.0.1:${port}`, origin },
        {
          host: 'nginx',
          port,
          env: { ...env, DEPLOY_SERVER: ALL },
          sbin: path.join(root, '../../../themecast-rules'),
        },
      );
      await repository.commit();
      await repository.publish();
    }, 120_000);
    afterAll(async () => {
      await fleet.stop();
      await repository.remove();
    });

    it('always serves a complete site, with one record after a killed deployment is repeated', async () => {
      const crawler = new Crawler(fleet.port, ['meadow']);
      crawler.start();
      const started = performance.now();
      await change();
      await repository.publish();
      const duration = performance.now() - started;
      for (let times = 0; times < KILLS; times++) {
        const commit = await change();
        const child = spawn(process.execPath, [BIN, 'deploy', 'nginx'], {
          cwd: repository.site.root,
          env: { ...process.env, ...fleet.env, DEPLOY_SERVER: ALL },
          detached: true,
          stdio: 'ignore',
        });
        const exited = once(child, 'exit');
        await Promise.race([exited, delay((duration * (times + 0.5)) / KILLS)]);
        // The script must be killed too, as by a power failure.
        if (child.exitCode === null) killAll(child.pid ?? 0);
        await exited;
        await repository.repeat();
        expect(await commits()).toEqual(NAMES.map(() => commit));
        expect(new Set(await records()).size).toBe(1);
      }
      await crawler.stop();
      expect(crawler.failures).toEqual([]);
    });

    it('rejects a commit that is older than the commit of any server', async () => {
      const older = await repository.git('rev-parse', 'HEAD');
      await change();
      expect((await deployUntil(NAMES.toReversed().join(' '), 0)).code).toBe(1);
      const before = await records();
      await repository.git('checkout', '--quiet', older);
      await repository.build();
      const { code, stderr } = await repository.deploy();
      expect([code, stderr]).toEqual([1, expect.stringMatching(/live commit of node2, .* is newer/)]);
      expect(await records()).toEqual(before);
      await repository.git('checkout', '--quiet', 'main');
      await repository.publish();
    });

    it('stops at the first server that fails, and later updates only the remaining servers', async () => {
      const before = await commits();
      const commit = await change();
      const { code, stderr } = await deployUntil(ALL, 1);
      expect([code, stderr]).toEqual([1, expect.stringContaining('duplicate location "/media/"')]);
      expect(stderr).toContain(`node1: ${commit.slice(0, 7)} (since`);
      expect(stderr).toContain(`node2: ${String(before[1]).slice(0, 7)} (since`);
      expect(await commits()).toEqual([commit, ...before.slice(1)]);
      const [first] = await records();
      await repository.publish();
      expect(await records()).toEqual(NAMES.map(() => first));
    });

    it('changes no server if the disk of one server is full', async () => {
      const before = await records();
      const bytes = await repository.commitBanner();
      await repository.build();
      const disk = fleet.nodes.at(-1)?.folder ?? '';
      const { bavail, bsize } = await statfs(disk);
      await writeFile(path.join(disk, 'filler'), Buffer.alloc(bavail * bsize - bytes / 2));
      const { code, stderr } = await repository.deploy();
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/No space left on device[^]*The live site still works/),
      ]);
      expect(await records()).toEqual(before);
      await rm(path.join(disk, 'filler'));
      await repository.publish();
    });

    it('changes no server if one server cannot be reached', async () => {
      const before = await records();
      await change();
      await fleet.nodes.at(-1)?.disconnect();
      const { code, stderr } = await repository.deploy();
      expect([code, stderr]).toEqual([1, expect.stringContaining('✘ Nothing was uploaded. Now live:')]);
      expect(stderr).toContain('node3: The deployment record of node3 cannot be read');
      expect(await records()).toEqual(before);
    });
  });

/** Kills a command and the process group of its script. */
function killAll(pid: number): void {
  spawn('sh', ['-c', `for child in $(ps -o pid= --ppid ${pid}); do kill -9 -"$child"; done; kill -9 ${pid}`]);
}
