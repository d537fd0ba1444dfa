import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../command-line.ts';
import { codeBlocks, readPage } from '../docs/pages.ts';
import { send } from '../hosts/contract/send.ts';
import { NGINX, startNginxIn } from '../hosts/nginx-process.ts';
import { freePort, installed, reportMissing, startServer } from '../hosts/process.ts';
import { type Listening, listening } from '../listening.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';

const HAPROXY = installed('haproxy', '-v');
const PAGE = readPage('docs/migrating.md');
const CONFIG = '/api/v2/theme/config/';
const USERS = Array.from({ length: 50 }, (_, at) => [`user-${at}`, at % 2 === 0 ? 'meadow' : 'harbor'] as const);
/** The number of concurrent requests while shares change. */
const CLIENTS = 4;

/** Returns the lines of the page that set the shares 0%, 10% and 100%. */
function shareLines(start: string): string[] {
  const lines = codeBlocks(PAGE, 'text').find((block) => block.startsWith(start));
  expect(lines?.trimEnd().split('\n')).toHaveLength(3);
  return lines?.split('\n').slice(0, 3) ?? [];
}

/** A public server in front of the old service and the build. */
interface Front {
  setShare: (line: string) => Promise<void>;
  stop: () => Promise<void>;
}

if (NGINX === undefined || HAPROXY === undefined) reportMissing(NGINX === undefined ? 'nginx' : 'HAProxy');
else
  describe('a gradual migration from the old service', { timeout: 180_000 }, () => {
    let site: SiteFolder;
    /** A simulation of the old service. */
    let old: Listening;
    const oldRequests: string[] = [];
    const ports = { front: 0, themes: 0 };

    beforeAll(async () => {
      old = await listening(({ method, url, headers: { cookie } }, response) => {
        oldRequests.push(`${method} ${url}`);
        response.writeHead(url?.startsWith('/api/') === true ? 200 : 404).end(`old ${cookie}`);
      });
      [ports.front, ports.themes] = [await freePort(), await freePort()];
      site = await makeSite({
        themes: { harbor: {}, meadow: {} },
        users: USERS,
        site: { base_url: `http://127.0.0.1:${ports.front}`, edge: ['nginx'], identity: [{ user: { cookie: 'uid' } }] },
      });
      const file = path.join(site.themesDir, 'site.yaml');
      const origin = { listen: `127.0.0.1:${ports.themes}`, document_root: site.outDir };
      await writeFile(file, `${await readFile(file, 'utf8')}origin: ${JSON.stringify(origin)}\n`);
      expect(await run(['build', '--quiet'], { cwd: site.root })).toMatchObject({ code: 0, stderr: '' });
      // Servers run as other users, who must be able to enter the temporary folder (mode 0700).
      await chmod(site.root, 0o755);
    });
    afterAll(async () => {
      await old.stop();
      await removeSite(site);
    });

    /** Returns a configuration of the page, with the addresses and paths of this test. */
    const configuration = (language: string): string =>
      (codeBlocks(PAGE, language)[0] ?? '')
        .replaceAll('127.0.0.1:8801', `127.0.0.1:${old.port}`)
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${ports.themes}`)
        .replace('listen 80;', `listen 127.0.0.1:${ports.front};`)
        .replace('bind :80', `bind 127.0.0.1:${ports.front}`)
        .replaceAll(/\/etc\/(?:nginx|haproxy)\//g, `${site.root}/${language}/`);

    /** Starts nginx with the build, and with additional lines in `http{}`. */
    async function serveBuild(prefix: string, http = ''): ReturnType<typeof startNginxIn> {
      await cp(path.join(site.edgeOutDir, 'nginx'), path.join(prefix, 'themecast'), { recursive: true });
      const includes = 'include themecast/hash.conf;\ninclude themecast/theme-service.conf;\n';
      return startNginxIn(prefix, includes + http, http === '' ? ports.themes : ports.front);
    }

    async function startNginx(none: string): Promise<Front> {
      const prefix = path.join(site.root, 'nginx');
      await mkdir(prefix);
      const share = path.join(prefix, 'themecast-share.conf');
      await writeFile(share, none);
      const build = await serveBuild(prefix, configuration('nginx'));
      const setShare = async (line: string): Promise<void> => {
        await writeFile(share, line);
        expect(spawnSync(NGINX ?? '', [...build.args, '-s', 'reload'], { encoding: 'utf8' })).toMatchObject({
          status: 0,
        });
      };
      return { setShare, stop: () => build.stop() };
    }

    async function startHaproxy(none: string): Promise<Front> {
      const prefix = path.join(site.root, 'haproxy');
      const build = await serveBuild(path.join(prefix, 'nginx'));
      const share = path.join(prefix, 'themecast-share.acl');
      await writeFile(share, none);
      const [file, pid] = [path.join(prefix, 'haproxy.cfg'), path.join(prefix, 'pid')];
      const user = process.getuid?.() === 0 ? 'user nobody\ngroup nogroup\n' : '';
      await writeFile(file, `global\nmaxconn 256\n${user}\n${configuration('haproxy')}`);
      const start = `echo $$ >${pid} && exec ${HAPROXY} -W -db -f ${file}`;
      const host = await startServer({ command: 'sh', args: ['-c', start], port: ports.front });
      const setShare = async (line: string): Promise<void> => {
        await writeFile(share, line);
        process.kill(Number(await readFile(pid, 'utf8')), 'SIGUSR2');
      };
      const stop = async (): Promise<void> => {
        await host.stop();
        await build.stop();
      };
      return { setShare, stop };
    }

    it.each([
      ['nginx', startNginx, shareLines('split_clients '), (tenth: string) => tenth.replace('10%', '50%')],
      ['HAProxy', startHaproxy, shareLines('100'), (tenth: string) => tenth.replace('0:9', '0:49')],
    ])(
      'moves users gradually and back by %s, without a failed request',
      async (_, start, [none = '', tenth = '', all = ''], half) => {
        const failed: string[] = [];
        /** Returns whether the build responds to a user, with the right document. */
        const isMoved = async ([user, theme]: (typeof USERS)[number]): Promise<boolean> => {
          const { status, body } = await send(ports.front, { path: CONFIG, headers: { Cookie: `uid=${user}` } });
          const isOld = body === `old uid=${user}`;
          if (status !== 200 || (!isOld && !body.includes(`"name":"${theme}"`)))
            failed.push(`${user} ${status} ${body}`);
          return !isOld;
        };
        /** Returns the indexes of moved users once they are stable, because a server responds while it reloads. */
        const findMovedUsers = async (): Promise<number[]> => {
          let before = '';
          for (let round = 0; ; round++) {
            const moved: number[] = [];
            for (const [at, user] of USERS.entries()) if (await isMoved(user)) moved.push(at);
            if (round > 3 && moved.join() === before) return moved;
            before = moved.join();
          }
        };
        const front = await start(`${none}\n`);
        const load = { isStopped: false };
        let requests = 0;
        const clients = Array.from({ length: CLIENTS }, async (__, offset) => {
          for (let at = offset * 13; !load.isStopped; at++, requests++)
            await isMoved(USERS[at % USERS.length] as (typeof USERS)[number]);
        });
        let before: number[] = [];
        for (const [percent, line] of [
          [0, none],
          [10, tenth],
          [50, half(tenth)],
          [100, all],
          [0, none],
        ] as const) {
          await front.setShare(`${line}\n`);
          const movedNow = await findMovedUsers();
          expect(Math.abs((movedNow.length * 100) / USERS.length - percent)).toBeLessThan(percent % 100 === 0 ? 1 : 15);
          // While the share grows, moved users must not move back.
          if (percent > 0) expect(before.filter((at) => !movedNow.includes(at))).toEqual([]);
          before = movedNow;
          if (percent !== 100) continue;
          const url = `http://127.0.0.1:${ports.front}`;
          const verified = await run(['verify', url, '--host', 'nginx'], { cwd: site.root });
          expect(verified, verified.stdout).toMatchObject({ code: 0, stderr: '' });
        }
        load.isStopped = true;
        await Promise.all(clients);
        await front.stop();
        expect(failed).toEqual([]);
        expect(requests).toBeGreaterThan(500);
        expect(oldRequests.filter((request) => !/^(?:GET|HEAD|OPTIONS) /.test(request))).toEqual([]);
      },
    );
  });
