import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { violationsIn, differenceFrom, hashesOf, outputOf } from './long/site.js';
import { publishTiny, tinySite } from './long/tiny-site.js';
import { retire } from '../src/io/output/history.ts';
import { takeLock } from '../src/io/disk/lock.ts';
import { readTree } from './site-folder.ts';
import { sampledRuns, longTest } from './long-test.ts';

let root: string;
const at = (...names: string[]): string => path.join(root, ...names);
const mediaOf = (version: string): string[] =>
  tinySite(version).files.flatMap((file) => (file.path.startsWith('media/') ? [file.path] : []));

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'themecast-publish-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function fresh(version: string): Promise<ReturnType<typeof outputOf>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-publish-'));
  await publishTiny(folder, version);
  const output = outputOf(folder);
  await rm(folder, { recursive: true });
  return output;
}

async function media(): Promise<string[]> {
  return [...(await readTree(at('dist'))).keys()].filter((file) => file.startsWith('media/'));
}

describe('publishing in place', () => {
  test('does not touch unchanged files', async () => {
    await publishTiny(root, 'a');
    const files = ['dist/manifest.json', 'dist/api/v2/theme/index.json', 'edge/users.json', 'edge/nginx/rules.conf'];
    const inodes = () => Promise.all(files.map(async (file) => (await stat(at(file))).ino));
    const before = await inodes();
    await publishTiny(root, 'a');
    expect(await inodes()).toEqual(before);
  });

  test('does not publish what was staged ahead and is in no list', async () => {
    const [file = ''] = mediaOf('a');
    await publishTiny(root, 'a', undefined, undefined, `${path.dirname(file)}/ahead.png`);
    expect(outputOf(root)).toEqual(await fresh('a'));
  });

  test('restores a file that was changed in the output', async () => {
    await publishTiny(root, 'a');
    const wanted = outputOf(root);
    await writeFile(at('dist/api/v2/theme/config/harbor.json'), '{}');
    await writeFile(at('edge/users.json'), '{}');
    await publishTiny(root, 'a');
    expect(outputOf(root)).toEqual(wanted);
  });

  test('removes obsolete documents and their folders at once, and retains obsolete media for cached documents', async () => {
    await publishTiny(root, 'a');
    await publishTiny(root, 'b');
    expect(differenceFrom(root, await fresh('b'))).toEqual([]);
    expect(new Set(await media())).toEqual(new Set([...mediaOf('a'), ...mediaOf('b')]));
    expect((await stat(at('.dist.history.json'))).mode & 0o777).toBe(0o600);
  });

  test('removes media thirty days after the last document that named them', async () => {
    await publishTiny(root, 'a');
    await publishTiny(root, 'b');
    const days = 24 * 60 * 60 * 1000;
    await lastNamed(Date.now() - 29 * days);
    await publishTiny(root, 'b');
    expect(await media()).toEqual(expect.arrayContaining(mediaOf('a')));
    await lastNamed(Date.now() - 31 * days);
    await publishTiny(root, 'b');
    expect(await media()).toEqual(mediaOf('b').toSorted());
    expect((await readdir(root)).toSorted()).toEqual(['dist', 'edge']);
  });

  async function lastNamed(time: number): Promise<void> {
    const history = await readFile(at('.dist.history.json'), 'utf8');
    const moved = history.replace(/"last_named":"[^"]*"/g, `"last_named":"${new Date(time).toISOString()}"`);
    await writeFile(at('.dist.history.json'), moved);
  }

  test('removes media after fifty further publications that drop some', () => {
    const now = new Date();
    let retired: ReturnType<typeof retire>['retired'] = [];
    for (let n = 0; n < 50; n++) retired = retire(retired, [`media/${n}.png`], new Set(), now).retired;
    expect(retired).toHaveLength(50);
    const next = retire(retired, ['media/50.png'], new Set(), now);
    expect(next.expired).toEqual(['media/0.png']);
    expect(next.retired.map(({ files }) => files[0])).toEqual(expect.arrayContaining(['media/1.png', 'media/50.png']));
    // A publication that drops nothing does not count.
    expect(retire(retired, [], new Set(), now).expired).toEqual([]);
  });

  test('retains media that are named again', async () => {
    for (const version of ['a', 'b', 'a']) await publishTiny(root, version);
    const { retired } = JSON.parse(await readFile(at('.dist.history.json'), 'utf8')) as {
      retired: { files: string[] }[];
    };
    expect(retired.flatMap(({ files }) => files).filter((file) => mediaOf('a').includes(file))).toEqual([]);
  });

  test.each(['{"version"', 'null', '{}', '{"retired":1,"begun":[]}'])(
    'ignores a history that is damaged: %s',
    async (text) => {
      await publishTiny(root, 'a');
      await writeFile(at('.dist.history.json'), text);
      await publishTiny(root, 'b');
      expect(differenceFrom(root, await fresh('b'))).toEqual([]);
    },
  );
});

describe('a history that anyone wrote', () => {
  const planted = (files: readonly string[]): string =>
    JSON.stringify({
      version: 2,
      begun: [
        { appear: files, go: files },
        { appear: files, go: files },
      ],
      retired: [{ last_named: '2020-01-01T00:00:00.000Z', files }],
    });

  test('removes what it names inside the output alone', async () => {
    await publishTiny(root, 'a');
    await writeFile(at('dist/robots.txt'), 'mine');
    await mkdir(at('elsewhere'));
    await writeFile(at('elsewhere/victim'), 'retained');
    await symlink(at('elsewhere'), at('dist/link'));
    await writeFile(at('.dist.history.json'), planted(['robots.txt', 'link/victim']));
    expect(await publishTiny(root, 'b')).toEqual([at('dist/link')]);
    expect((await readdir(at('dist'))).toSorted()).toEqual(['api', 'link', 'manifest.json', 'media']);
    expect(await readFile(at('elsewhere/victim'), 'utf8')).toBe('retained');
  });

  test.each(['../victim', '/etc/hosts', 'media/../../victim', './victim', ''])('names nothing by %j', async (name) => {
    await publishTiny(root, 'a');
    await writeFile(at('victim'), 'retained');
    await writeFile(at('dist/robots.txt'), 'mine');
    await writeFile(at('.dist.history.json'), planted(['robots.txt', name]));
    expect(await publishTiny(root, 'b')).toEqual([at('dist/robots.txt')]);
    expect(await readFile(at('victim'), 'utf8')).toBe('retained');
  });

  test('of the version before keeps its media, and is not carried out', async () => {
    await publishTiny(root, 'a');
    await publishTiny(root, 'b');
    const { retired } = JSON.parse(await readFile(at('.dist.history.json'), 'utf8')) as { retired: unknown };
    const pending = { id: '00000000-0000-4000-8000-000000000000', plans: ['0'.repeat(64)] };
    await writeFile(
      at('.dist.history.json'),
      JSON.stringify({ version: 1, pending, releases: [], retired, seal: 'x' }),
    );
    expect(await publishTiny(root, 'c')).toEqual([]);
    expect(await media()).toEqual(expect.arrayContaining(mediaOf('a')));
  });
});

describe('foreign files', () => {
  beforeEach(() => publishTiny(root, 'a'));

  test('are left alone and named', async () => {
    await mkdir(at('dist/.well-known'));
    for (const file of ['dist/.well-known/security.txt', 'dist/media/harbor/mine.png', 'edge/nginx/local.conf'])
      await writeFile(at(file), 'mine');
    await symlink('/etc/passwd', at('dist/link'));
    const foreign = await publishTiny(root, 'b');
    expect(foreign.map((file) => path.relative(root, file)).toSorted()).toEqual(
      ['dist/.well-known/security.txt', 'dist/link', 'dist/media/harbor/mine.png', 'edge/nginx/local.conf'].toSorted(),
    );
    expect(await readFile(at('dist/media/harbor/mine.png'), 'utf8')).toBe('mine');
    expect(await readlink(at('dist/link'))).toBe('/etc/passwd');
  });

  test.each([
    ['a file', 'dist/api/v2/theme/config/only-b.json', /only-b\.json was not made by themecast/],
    ['a private file', 'edge/nginx/only-b.conf', /only-b\.conf was not made by themecast/],
    ['a folder', 'dist/api/v2/theme/config/only-b.json/', /only-b\.json was not made by themecast/],
    ['a file in place of a folder', 'dist/media/only-b', /only-b is not a folder, but a folder is needed there/],
  ])('are never replaced: %s', async (_, place, message) => {
    if (place.endsWith('/')) await mkdir(at(place));
    else await writeFile(at(place), 'mine');
    const before = outputOf(root);
    await expect(publishTiny(root, 'b')).rejects.toThrow(message);
    expect(outputOf(root)).toEqual(before);
  });

  test('are never written to through a symbolic link', async () => {
    const elsewhere = at('elsewhere');
    await mkdir(elsewhere);
    await symlink(elsewhere, at('dist/media/only-b'));
    await expect(publishTiny(root, 'b')).rejects.toThrow(/only-b is not a folder/);
    expect(await readdir(elsewhere)).toEqual([]);
  });

  test('are left alone even in place of a live release', async () => {
    await mkdir(at('elsewhere'));
    for (const tree of ['dist', 'edge']) await symlink('../elsewhere', at(tree, 'current'));
    expect(await publishTiny(root, 'b')).toEqual([at('dist/current'), at('edge/current')]);
    expect(differenceFrom(root, await fresh('b'))).toEqual(['left over: elsewhere']);
  });

  test('are never removed, even if a list names them', async () => {
    await writeFile(at('thesis.txt'), 'ten years of work');
    const manifest = await readFile(at('dist/manifest.json'), 'utf8');
    await writeFile(at('dist/manifest.json'), manifest.replace('"files": [', '"files": [{"path":"../thesis.txt"},'));
    await publishTiny(root, 'b');
    expect(await readFile(at('thesis.txt'), 'utf8')).toBe('ten years of work');
  });
});

describe('edge/', () => {
  const modes = async (): Promise<Set<string>> => {
    const names = ['.', ...(await readdir(at('edge'), { recursive: true }))];
    const found = await Promise.all(names.map((name) => lstat(at('edge', name))));
    return new Set(found.map((one) => `${one.isDirectory() ? 'folder' : 'file'} ${(one.mode & 0o777).toString(8)}`));
  };

  test.each(['0000', '0022', '0777'])('is private under umask %s', async (umask) => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `umask ${umask}; exec "$0" -e "$1"`, process.execPath, publishScript('a')],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(await modes()).toEqual(new Set(['folder 700', 'file 600']));
  });

  test('is made private again', async () => {
    await publishTiny(root, 'a');
    for (const name of ['edge', 'edge/nginx']) await chmod(at(name), 0o755);
    await chmod(at('edge/users.json'), 0o644);
    await publishTiny(root, 'a');
    expect((await stat(at('edge'))).mode & 0o777).toBe(0o700);
    expect((await stat(at('edge/users.json'))).mode & 0o777).toBe(0o600);
  });
});

/** A module that publishes a version, as text. */
function publishScript(version: string): string {
  const module = path.join(import.meta.dirname, './long/tiny-site.js');
  return `import(${JSON.stringify(module)}).then(({ publishTiny }) => publishTiny('.', '${version}'))`;
}

/** Runs a publication with a fault at the nth call that changes the disk or opens a file for writing. */
async function faulty(n: number): Promise<{ code: number | null; stderr: string; isReached: boolean }> {
  const action = `throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });`;
  const hook = `
    const promises = require('node:fs/promises');
    const fs = require('node:fs');
    let calls = 0;
    for (const name of ['writeFileSync', 'mkdirSync', 'chmodSync', 'openSync']) {
      const original = fs[name];
      fs[name] = (...args) => { if (++calls === ${n}) { ${action} } return original(...args); };
    }
    for (const name of ['writeFile', 'rename', 'mkdir', 'rm', 'rmdir', 'symlink', 'unlink', 'link', 'chmod', 'open']) {
      const original = promises[name];
      promises[name] = async (...args) => { if (++calls === ${n}) { ${action} } return original(...args); };
    }
    require('node:module').syncBuiltinESMExports();
    process.on('exit', () => console.log(calls < ${n} ? 'not reached' : 'reached'));
    ${publishScript('b')}.catch((error) => { console.error(error.message); process.exitCode = 2; });`;
  const child = spawnSync(process.execPath, ['-e', hook], { cwd: root, encoding: 'utf8' });
  return { code: child.status, stderr: child.stderr, isReached: child.stdout !== 'not reached\n' };
}

describe('faults', () => {
  test(
    'ENOSPC at any call: the output is intact, and the next publication repairs everything',
    { timeout: 120_000 },
    async () => {
      const [a, b] = await Promise.all([fresh('a'), fresh('b')]);
      // A sample of calls; test/long/faults.js injects faults into every system call of real builds, and kills them there.
      for (let n = 1; ; n += 72 / sampledRuns(3)) {
        await rm(root, { recursive: true, force: true });
        await mkdir(root);
        await publishTiny(root, 'a');
        const before = outputOf(root);
        const { code, stderr, isReached } = await faulty(n);
        if (code === 2) expect(stderr).toMatch(/no space left on device.*Make room on the disk, and build again\.\n$/);
        if (code === 2 && !stderr.includes('the next build moves the rest')) expect(outputOf(root)).toEqual(before);
        expect(violationsIn(root, [a, b])).toEqual([]);

        await publishTiny(root, 'b');
        expect(hashesOf(at('dist'))).toMatchObject(b.dist);
        expect(hashesOf(at('edge'))).toEqual(b.edge);
        expect((await readdir(root)).toSorted()).toEqual(['.dist.history.json', 'dist', 'edge']);
        expect(await readdir(at('dist'))).toEqual(['api', 'manifest.json', 'media']);
        if (!isReached) return expect(n).toBeGreaterThan(20);
      }
    },
  );
});

longTest('concurrent readers miss nothing during 600 publications', { timeout: 240_000 }, async () => {
  await publishTiny(root, 'a');
  const reader: ChildProcess = fork(path.join(import.meta.dirname, './long/reader.js'), [at('dist')]);
  await once(reader, 'message');
  for (let n = 1; n <= 600; n++) await publishTiny(root, n % 2 === 0 ? 'a' : 'b');
  const result = once(reader, 'message');
  reader.send('done');
  const [{ reads, problems }] = (await result) as [{ reads: number; problems: string[] }];
  expect(problems).toEqual([]);
  expect(reads).toBeGreaterThan(2000);
});

describe('lock', () => {
  const owner = { id: 'x', pid: process.pid, host: hostname(), since: '2026-11-21T12:00:00.000Z' };
  const writeLock = async (found: object) =>
    symlink(
      JSON.stringify({ pidNamespace: await readlink('/proc/self/ns/pid'), ...owner, ...found }),
      at('.dist.lock'),
    );

  test('exists during a publication only', async () => {
    const release = await takeLock(at('.dist.lock'), 'dist');
    await expect(publishTiny(root, 'a')).rejects.toThrow(
      new RegExp(
        `^Another build is writing .*dist: process ${process.pid}, since 20.*Z\\. Wait until it ends; if it already has, remove .*/\\.dist\\.lock\\.$`,
      ),
    );
    await release();
    await publishTiny(root, 'a');
    expect(await readdir(root)).toEqual(['dist', 'edge']);
  });

  test('of edge/ counts too', async () => {
    const release = await takeLock(at('.edge.lock'), 'edge');
    await expect(publishTiny(root, 'a')).rejects.toThrow(/Another build is writing .*edge/);
    expect(await readdir(root)).toEqual(['.edge.lock']);
    await release();
  });

  test('of an ended process is taken over', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await writeLock({ pid });
    await publishTiny(root, 'a');
    await writeLock({ started: '1' }); // the process id is in use again
    await publishTiny(root, 'b');
    expect(differenceFrom(root, await fresh('b'))).toEqual([]);
  });

  test('of a process that was killed during a takeover is taken over', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await writeLock({ pid });
    await symlink(await readlink(at('.dist.lock')), at('.dist.lock.takeover'));
    await publishTiny(root, 'a');
    expect(await readdir(root)).toEqual(['dist', 'edge']);
  });

  test.each([
    [
      'of another host',
      { host: 'elsewhere', pid: 7 },
      /process 7 on elsewhere, since 2026-11-21T12:00:00\.000Z.*if it already has, remove .*\.dist\.lock\./,
    ],
    [
      'of another container',
      { pidNamespace: 'pid:[1]', pid: 7 },
      /process 7, since .*if it already has, remove .*\.dist\.lock\./,
    ],
    [
      'without an owner',
      { pid: undefined },
      /\.dist\.lock locks .*dist, but names no build\. Remove it, unless a build is running\./,
    ],
  ])('%s is left alone, with a hint how to remove it', async (_, found, message) => {
    await writeLock(found);
    await expect(publishTiny(root, 'a')).rejects.toThrow(message);
    expect(await readdir(root)).toEqual(['.dist.lock']);
  });

  test('is left alone if it is no symbolic link', async () => {
    await writeFile(at('.dist.lock'), '');
    await expect(publishTiny(root, 'a')).rejects.toThrow(/\.dist\.lock locks .*dist, but names no build\./);
  });

  test('has at most one owner when many take it over', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    for (let round = 0; round < 10; round++) {
      await writeLock({ pid, id: String(round) });
      const taken = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(at('.dist.lock'), 'dist')));
      const winners = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(winners).toHaveLength(1);
      await winners[0]?.();
      expect(await readdir(root)).toEqual([]);
    }
  });
});
