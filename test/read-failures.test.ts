import fs from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openCaches } from '../src/compiler/store/resources.ts';
import { Session } from '../src/commands/dev/session/session.ts';
import { run, type Run } from './command-line.ts';
import { Repository } from './deploy/repository.ts';
import { isLong } from './long-test.ts';

const SYNC = [
  'openSync',
  'lstatSync',
  'statSync',
  'readdirSync',
  'realpathSync',
  'readFileSync',
  'existsSync',
] as const;
const ASYNC = ['open', 'lstat', 'stat', 'readdir', 'realpath', 'readFile'] as const;
type Call = (...args: unknown[]) => unknown;

/**
 * Runs a function whose nth read of a file below the folders fails as on a bad disk.
 * @returns its outcome, and the read that failed
 */
async function withFailingRead<T>(
  n: number,
  folders: readonly string[],
  action: () => Promise<T>,
): Promise<[T, string | undefined]> {
  const original = {
    ...Object.fromEntries(SYNC.map((name) => [name, fs[name]])),
    readSync: fs.readSync,
  } as unknown as Record<string, Call>;
  const originals = Object.fromEntries(ASYNC.map((name) => [name, promises[name]])) as unknown as Record<string, Call>;
  const opened = new Set<unknown>();
  let reads = 0;
  let failed: string | undefined;
  const isOurs = (file: unknown): boolean =>
    typeof file === 'string' && folders.some((folder) => path.resolve(file).startsWith(folder));
  const failAtNthRead = (name: string, file: unknown): void => {
    if (++reads !== n) return;
    failed = `${name} ${String(file)}`;
    throw Object.assign(new Error(`EIO: i/o error, ${name} '${String(file)}'`), { code: 'EIO', syscall: name });
  };
  for (const name of SYNC)
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        if (isOurs(args[0]) && name !== 'existsSync') failAtNthRead(name, args[0]);
        const result = original[name]?.(...args);
        if (name === 'openSync' && isOurs(args[0]) && typeof args[1] === 'number') opened.add(result);
        return result;
      },
    });
  Object.assign(fs, {
    readSync: (...args: unknown[]) => {
      if (opened.delete(args[0])) failAtNthRead('read', args[0]);
      return original['readSync']?.(...args);
    },
  });
  for (const name of ASYNC)
    Object.assign(promises, {
      [name]: async (...args: unknown[]) => {
        if (isOurs(args[0])) failAtNthRead(name, args[0]);
        const result = await originals[name]?.(...args);
        if (name === 'open' && isOurs(args[0])) {
          const handle = result as FileHandle;
          const read = handle.read.bind(handle) as Call;
          Object.assign(handle, {
            read: async (...rest: unknown[]) => {
              failAtNthRead('read', args[0]);
              return read(...rest);
            },
          });
        }
        return result;
      },
    });
  syncBuiltinESMExports();
  try {
    return [await action(), failed];
  } finally {
    Object.assign(fs, original);
    Object.assign(promises, originals);
    syncBuiltinESMExports();
  }
}

describe('a read that fails once', { timeout: 600_000 }, () => {
  let repository: Repository;
  let state: string;

  beforeAll(async () => {
    repository = await Repository.make(
      {
        site: { base_url: 'https://community.example.org', identity: [{ user: { cookie: 'uid' } }] },
        themes: { harbor: {}, meadow: {} },
        users: [
          ['tom', 'meadow'],
          ['ann', 'harbor'],
        ],
      },
      { host: 'nginx', port: 0, env: {} },
    );
    const { themesDir } = repository.site;
    await repository.commit();
    await repository.git('switch', '--quiet', '--create', 'work');
    const yaml = path.join(themesDir, 'meadow/theme.yaml');
    await promises.writeFile(yaml, (await promises.readFile(yaml, 'utf8')).replace(/^id: .*$/m, 'id: 7'));
    await repository.commit({ 'themes/users.csv': 'user,theme\ntom,harbor\nann,harbor\n' });
    state = await promises.mkdtemp(path.join(tmpdir(), 'themecast-state-'));
  });
  afterAll(async () => {
    await repository.remove();
    await promises.rm(state, { recursive: true });
  });

  /** For each command, the part of its result that must equal a run without failures. */
  const COMMANDS: Readonly<Record<string, { args: readonly string[]; keep: (result: Run) => unknown }>> = {
    check: { args: ['check'], keep: ({ code, stdout }) => [code, stdout.replace(/ in .*$/m, '')] },
    build: { args: ['build', '--quiet'], keep: ({ code, stdout }) => [code, stdout] },
    diff: { args: ['diff', 'main'], keep: ({ code, stdout, stderr }) => [code, stdout, stderr] },
  };

  it.each(Object.entries(COMMANDS))('does not affect the next run of %s', async (_, { args, keep }) => {
    const { root, themesDir } = repository.site;
    const env = { XDG_STATE_HOME: state, TMPDIR: path.join(root, '.tmp') };
    await promises.mkdir(env.TMPDIR, { recursive: true });
    const removeState = (): Promise<void> => promises.rm(state, { recursive: true, force: true });
    const expected = keep(await run(args, { cwd: root, env }));
    const outcomes: string[] = [];
    for (let n = 1; ; n += isLong ? 1 : 7) {
      await removeState();
      await repository.git('clean', '-fdxq', '--exclude=.tmp');
      const [result, failed] = await withFailingRead(n, [themesDir, path.join(root, '.tmp')], () =>
        run(args, { cwd: root, env }),
      );
      if (failed === undefined) break;
      outcomes.push(failed);
      expect(result.stderr, failed).not.toMatch(/ at .*:\d+:\d+|Cannot read properties|undefined/);
      // The command succeeds regardless, or reports the unreadable file; it never treats a file as missing or removed.
      if (JSON.stringify(keep(result)) !== JSON.stringify(expected)) {
        expect([1, 2], failed).toContain(result.code);
        expect(result.stdout + result.stderr, failed).toMatch(/i\/o error|cannot be read/);
        if (args[0] === 'diff') expect(result, failed).toMatchObject({ code: 2, stdout: '' });
      }
      expect(keep(await run(args, { cwd: root, env })), failed).toEqual(expected);
    }
    expect(outcomes.length).toBeGreaterThan(5);
  });

  it('does not affect the next update of `dev`, nor its comparison with the commit', async () => {
    const { root, themesDir, cacheDir } = repository.site;
    for (let n = 1, hasFailed = true; hasFailed; n += isLong ? 1 : 9) {
      vi.stubEnv('XDG_STATE_HOME', path.join(state, `dev-${n}`));
      const caches = await openCaches({ themesDir, cacheDir });
      const stop = new AbortController();
      const session = new Session({ themesDir, cacheDir, cwd: root }, caches, stop.signal);
      const compare = async () => session.view && (await session.commit.compare(session.view.state));
      const [, failed] = await withFailingRead(n, [themesDir], async () => {
        await session.update();
        await compare();
      });
      hasFailed = failed !== undefined;
      await session.update();
      expect([session.problems, session.goodBuild?.slugs], failed).toEqual([undefined, ['harbor', 'meadow']]);
      expect((await compare())?.changed, failed).toEqual(new Set());
      session.resources.table.save();
      stop.abort();
    }
    vi.unstubAllEnvs();
  });
});
