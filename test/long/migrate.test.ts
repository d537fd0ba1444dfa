import { spawnSync } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpClient } from '../../src/http/io/client.ts';
import type { Outcome } from '../../src/http/exchange.ts';
import { run } from '../command-line.ts';
import { codeBlocks, readPage } from '../docs/pages.ts';
import { NGINX } from '../hosts/nginx-process.ts';
import { freePort, installed, missing as missingServer, startServer } from '../hosts/process.ts';
import { skipAll } from '../skip.ts';
import {
  fillOldService,
  missingForOldService,
  type OldService,
  oldUsers,
  ROTATED_BANNER,
  startOldService,
} from '../verify/old-service.ts';

const HAPROXY = installed('haproxy', '-v');
const PAGE = readPage('docs/migrating.md');
const CONFIG = '/api/v2/theme/config/';
/** Requests under way at the same time while shares change. */
const CLIENTS = 4;
const IS_ROOT = process.getuid?.() === 0;

const old = missingForOldService();
const reason =
  old?.reason ??
  (NGINX === undefined ? missingServer('nginx') : HAPROXY === undefined ? missingServer('HAProxy') : undefined);
if (reason !== undefined && old?.isOptional === true) it('leaves another service', (context) => context.skip(reason));
else if (reason !== undefined) skipAll('leaving another service', reason);

/** The lines of the page that set shares, as they are printed: none, a tenth, all. */
function shareLines(host: 'nginx' | 'haproxy'): string[] {
  const start = host === 'nginx' ? 'split_clients ' : '100';
  const lines =
    codeBlocks(PAGE, 'text')
      .find((block) => block.startsWith(start))
      ?.split('\n') ?? [];
  expect(lines).toHaveLength(4);
  return lines.slice(0, 3);
}

/** The responses that are right for a user, and whose they are. */
type RightAnswers = ReadonlyMap<string, ReadonlyMap<string, 'old' | 'new'>>;

/** A service behind a public server that can be told which share of the requesters the build gets. */
interface Front {
  port: number;
  /** @param line - the line of the page that sets a share, without the command around it */
  setShare: (line: string) => Promise<void>;
  stop: () => Promise<void>;
}

describe.each(reason === undefined ? ['service'] : [])('leaving another %s', () => {
  const started = performance.now();
  let folder = '';
  let filled = '';
  let service: OldService;
  let database: Buffer;
  let users: Awaited<ReturnType<typeof oldUsers>>;
  const ports = { front: 0, themes: 0 };

  beforeAll(async () => {
    filled = await fillOldService();
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-migrate-'));
    service = await startOldService(filled, { OLD_SERVICE_VARIANT: 'token' });
    database = await service.database();
    users = await byPrimaryKey(await oldUsers());
    [ports.front, ports.themes] = [await freePort(), await freePort()];
    await importBuildCompare();
  }, 240_000);
  afterAll(async () => {
    await service?.stop();
    for (const one of [folder, filled]) if (one !== '') await rm(one, { recursive: true, force: true });
  });

  const themecast = async (...args: string[]): Promise<void> => {
    const { code, stdout, stderr } = await run(args, { cwd: folder });
    expect({ args, code, stderr, stdout }).toMatchObject({ args, code: 0, stderr: '' });
  };

  /** With the keys that the page puts into the cookie, in place of their names. */
  async function byPrimaryKey(named: typeof users): Promise<typeof users> {
    const code =
      'import json; from django.contrib.auth.models import User; print(json.dumps({u.username: str(u.pk) for u in User.objects.all()}))';
    const keys = JSON.parse(await service.manage('shell', '-c', code)) as Record<string, string>;
    return named.map((one) => ({ ...one, user: keys[one.user] ?? '' }));
  }

  /** What the queries of the page return; both the same. That of PostgreSQL is asked of SQLite, which the old service has here. */
  async function queriedUsers(): Promise<string> {
    const [sql = '', django = ''] = ['psql --csv', 'manage.py shell'].map((command) =>
      (new RegExp(`${command} -c "(.*)"`).exec(PAGE)?.[1] ?? '').replaceAll(
        /\btheme(?=\.models|_usertheme)/g,
        'service',
      ),
    );
    const fromDjango = await service.manage('shell', '-c', django);
    const asCsv =
      'import csv, sys; from django.db import connection; c = connection.cursor(); c.execute(sys.stdin.read()); w = csv.writer(sys.stdout); w.writerow(d[0] for d in c.description); w.writerows(c)';
    const fromSql = await service.manage('shell', '-c', asCsv.replace('sys.stdin.read()', JSON.stringify(sql)));
    const rows = (csv: string): string[] => csv.trimEnd().split(/\r?\n/).toSorted();
    expect(rows(fromSql)).toEqual(rows(fromDjango));
    expect(rows(fromDjango).length).toBeGreaterThan(users.length);
    return fromDjango;
  }

  /** What the page says, up to the deployment. */
  async function importBuildCompare(): Promise<void> {
    const write = (file: string, text: string): Promise<void> => writeFile(path.join(folder, file), text);
    spawnSync('git', ['init', '--quiet'], { cwd: folder });
    await write('users.csv', await queriedUsers());
    const rows = users.map(({ user, token }) => `${user},Token ${token}`);
    await write('sessions.csv', ['user,Authorization', ...rows, ''].join('\n'));
    const accepted = codeBlocks(PAGE, 'yaml').find((block) => block.includes('reason:')) ?? '';
    await write('accepted.yaml', accepted + ROTATED_BANNER);
    await themecast('import', service.url, '--base-url', `http://127.0.0.1:${ports.front}`, '--rate', '900', '--quiet');
    const site = path.join(folder, 'themes/site.yaml');
    await writeFile(site, (await readFile(site, 'utf8')).replace(/^edge: .*$/m, 'edge: [nginx]'));
    const root = path.join(folder, 'dist');
    await appendFile(site, `origin: {listen: "127.0.0.1:${ports.themes}", document_root: ${root}}\n`);
    await themecast('build', '--users', 'users.csv', '--quiet');
    await themecast('compare', service.url, ...'--accept accepted.yaml --sample sessions.csv:50 --rate 900'.split(' '));
    // Servers give up the rights of root, and then have to get through the folder.
    await chmod(folder, 0o755);
  }

  /** A configuration of the page, with the places of this test. */
  function configuration(language: string): string {
    const [block = ''] = codeBlocks(PAGE, language);
    return block
      .replaceAll('127.0.0.1:8801', new URL(service.url).host)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${ports.themes}`)
      .replace('listen 80;', `listen 127.0.0.1:${ports.front};`)
      .replace('bind :80', `bind 127.0.0.1:${ports.front}`)
      .replaceAll(/\/etc\/(?:nginx|haproxy)\//g, `${folder}/${language}/`);
  }

  /** Starts nginx with the build, and with further lines in its `http{}`. */
  async function serveBuild(
    prefix: string,
    http: string,
    port: number,
  ): Promise<{ args: string[]; stop: () => Promise<void> }> {
    await mkdir(prefix, { recursive: true });
    await cp(path.join(folder, 'edge/nginx'), path.join(prefix, 'themecast'), { recursive: true });
    await writeFile(
      path.join(prefix, 'nginx.conf'),
      `daemon off;\npid nginx.pid;\nworker_processes 2;\n${IS_ROOT ? 'user nobody nogroup;' : ''}\nevents {}\nhttp {\naccess_log off;\n${[
        'client_body',
        'proxy',
        'fastcgi',
        'uwsgi',
        'scgi',
      ]
        .map((name) => `${name}_temp_path ${name};`)
        .join('\n')}\ninclude themecast/hash.conf;\ninclude themecast/theme-service.conf;\n${http}}\n`,
    );
    const args = ['-p', prefix, '-c', path.join(prefix, 'nginx.conf'), '-e', path.join(prefix, 'error.log')];
    const host = await startServer({ command: NGINX ?? '', args, port });
    return { args, stop: () => host.stop() };
  }

  async function startNginx(): Promise<Front> {
    const prefix = path.join(folder, 'nginx');
    await mkdir(prefix);
    const share = path.join(prefix, 'themecast-share.conf');
    await writeFile(share, shareLines('nginx')[0] ?? '');
    const { args, stop } = await serveBuild(prefix, configuration('nginx'), ports.front);
    const setShare = async (line: string): Promise<void> => {
      await writeFile(share, line);
      const { status, stderr } = spawnSync(NGINX ?? '', [...args, '-s', 'reload'], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    };
    return { port: ports.front, setShare, stop };
  }

  async function startHaproxy(): Promise<Front> {
    const prefix = path.join(folder, 'haproxy');
    await mkdir(prefix);
    const build = await serveBuild(path.join(prefix, 'nginx'), '', ports.themes);
    const share = path.join(prefix, 'themecast-share.acl');
    await writeFile(share, shareLines('haproxy')[0] ?? '');
    const own = path.join(prefix, 'haproxy.cfg');
    const pid = path.join(prefix, 'pid');
    const rights = IS_ROOT ? 'user nobody\ngroup nogroup\n' : '';
    await writeFile(own, `global\nmaxconn 256\n${rights}\n${configuration('haproxy')}`);
    const host = await startServer({
      command: HAPROXY ?? '',
      args: ['-W', '-db', '-p', pid, '-f', own],
      port: ports.front,
    });
    const setShare = async (line: string): Promise<void> => {
      await writeFile(share, line);
      process.kill(Number((await readFile(pid, 'utf8')).split('\n')[0]), 'SIGUSR2');
    };
    const stop = async (): Promise<void> => {
      await host.stop();
      await build.stop();
    };
    return { port: ports.front, setShare, stop };
  }

  /** Requests CONFIG as every user without end, and notes who is answered by whom. */
  class Load {
    readonly #client = new HttpClient({ timeoutMs: 10_000 });
    readonly #right: RightAnswers;
    #isOver = false;
    #running: Promise<unknown> = Promise.resolve();
    requests = 0;
    readonly failed: string[] = [];

    constructor(right: RightAnswers) {
      this.#right = right;
    }

    begin(): void {
      const forever = async (offset: number): Promise<void> => {
        for (let at = offset; !this.#isOver; at++) await this.ask(users[at % users.length] as (typeof users)[number]);
      };
      this.#running = Promise.all(Array.from({ length: CLIENTS }, (_, at) => forever(at * 13)));
    }

    async end(): Promise<void> {
      this.#isOver = true;
      await this.#running;
      this.#client.close();
    }

    /** Who answers a user now. */
    async ask(user: (typeof users)[number]): Promise<'old' | 'new' | 'neither'> {
      this.requests++;
      const outcome = await this.#client.send(configRequest(ports.front, user));
      const side = this.#right.get(user.user)?.get(textOf(outcome)) ?? 'neither';
      if (side === 'neither') this.failed.push(textOf(outcome).slice(0, 300));
      return side;
    }

    /** Who answers each user, once that no longer changes: a server reloads while it responds. */
    async settled(): Promise<string[]> {
      let before: string[] = [];
      for (let round = 0; round < 60; round++) {
        const now: string[] = [];
        for (const user of users) now.push(await this.ask(user));
        if (round > 3 && now.join() === before.join()) return now;
        before = now;
      }
      throw new Error('The requesters go from one service to the other.');
    }
  }

  const configRequest = (port: number, { user, token }: (typeof users)[number]) =>
    ({
      method: 'GET',
      origin: `http://127.0.0.1:${port}`,
      target: CONFIG,
      headers: { Host: `127.0.0.1:${ports.front}`, Cookie: `uid=${user}`, Authorization: `Token ${token}` },
      limit: 100_000,
      keep: 100_000,
    }) as const;

  const textOf = (outcome: Outcome): string =>
    'noResponse' in outcome ? outcome.noResponse : `${outcome.status} ${Buffer.from(outcome.start).toString()}`;

  /** The two right answers for every user. */
  async function rightAnswers(): Promise<RightAnswers> {
    const client = new HttpClient({ timeoutMs: 10_000 });
    const list = JSON.parse(await readFile(path.join(folder, 'dist/api/v2/theme/index.json'), 'utf8')) as {
      id: number;
      name: string;
    }[];
    try {
      const right = new Map<string, Map<string, 'old' | 'new'>>();
      for (const user of users) {
        const answer = textOf(await client.send(configRequest(Number(new URL(service.url).port), user)));
        const file = await readFile(path.join(folder, `dist/api/v2/theme/config/${user.theme}.json`), 'utf8').catch(
          () => readFile(path.join(folder, 'dist/api/v2/theme/config/index.json'), 'utf8'),
        );
        // Both are of the theme that the user has.
        const id = list.find(({ name }) => name.toLowerCase() === user.theme)?.id;
        for (const text of [answer.slice(4), file]) expect((JSON.parse(text) as { id: number }).id).toBe(id);
        right.set(
          user.user,
          new Map([
            [answer, 'old'],
            [`200 ${file}`, 'new'],
          ]),
        );
      }
      return right;
    } finally {
      client.close();
    }
  }

  async function cutOverAndBack(
    front: Front,
    lines: readonly string[],
    half: (tenth: string) => string,
  ): Promise<number> {
    const [none = '', tenth = '', all = ''] = lines;
    const shares = [
      [0, none],
      [10, tenth],
      [50, half(tenth)],
      [100, all],
      [0, none],
    ] as const;
    const load = new Load(await rightAnswers());
    load.begin();
    let moved = new Set<number>();
    try {
      for (const [percent, line] of shares) {
        await front.setShare(`${line}\n`);
        const sides = await load.settled();
        const now = new Set(sides.flatMap((side, at) => (side === 'new' ? [at] : [])));
        if (percent === 0) expect(now.size).toBe(0);
        else if (percent === 100) expect(now.size).toBe(users.length);
        else expect(Math.abs((now.size * 100) / users.length - percent)).toBeLessThan(15);
        // While the share grows, those who have moved stay.
        if (percent > 0) expect([...moved].filter((at) => !now.has(at))).toEqual([]);
        moved = now;
        if (percent === 100) await themecast('verify', `http://127.0.0.1:${front.port}`, '--host', 'nginx', '--quiet');
      }
    } finally {
      await load.end();
    }
    expect(load.failed).toEqual([]);
    expect(load.requests).toBeGreaterThan(1000);
    return load.requests;
  }

  async function expectUnharmed(): Promise<void> {
    expect((await service.requests()).filter((request) => !/^(?:GET|HEAD|OPTIONS) /.test(request))).toEqual([]);
    expect((await service.database()).equals(database)).toBe(true);
  }

  it('by nginx: a share, all, and back, without a failed request', { timeout: 180_000 }, async ({ annotate }) => {
    const front = await startNginx();
    let requests = 0;
    try {
      await themecast('verify', `http://127.0.0.1:${ports.themes}`, '--quiet', '--host', 'nginx');
      requests = await cutOverAndBack(front, shareLines('nginx'), (line) => line.replace('10%', '50%'));
      await expectUnharmed();
    } finally {
      await front.stop();
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    await annotate(
      `From an empty folder to the new service and back: ${seconds} s, ${requests} requests, none failed.`,
    );
  });

  it('by HAProxy: a share, all, and back, without a failed request', { timeout: 180_000 }, async () => {
    const front = await startHaproxy();
    try {
      await cutOverAndBack(front, shareLines('haproxy'), (line) => line.replace('0:9', '0:49'));
      await expectUnharmed();
    } finally {
      await front.stop();
    }
  });
});
