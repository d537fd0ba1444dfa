import { spawnSync } from 'node:child_process';
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
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { differenceFrom, outputOf, sha256 } from './long/site.js';
import { publishTiny, tinySite } from './long/tiny-site.js';
import { takeLock } from '../src/system/disk/lock.ts';
import { readTree } from './site-folder.ts';

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

async function publishAlone(version: string): Promise<ReturnType<typeof outputOf>> {
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
  test('moves images, configs, the list and private files in this order, and then removes obsolete files', async () => {
    await publishTiny(root, 'a');
    const { rename, rm: remove } = promises;
    const steps: string[] = [];
    const recordStep = (step: string, file: string): void => {
      const name = path.relative(root, file);
      const kind = /^(?:dist\/media|dist\/api\/v2\/theme\/config|dist|edge)/.exec(name)?.[0] ?? '';
      const entry = `${step} ${path.basename(name) === 'manifest.json' ? 'manifest' : path.basename(kind)}`;
      if (kind !== '' && !name.includes('.themecast-') && steps.at(-1) !== entry) steps.push(entry);
    };
    Object.assign(promises, {
      rename: (from: string, to: string) => (recordStep('move', to), rename(from, to)),
      rm: (file: string, options: object) => (recordStep('remove', file), remove(file, options)),
    });
    syncBuiltinESMExports();
    try {
      await publishTiny(root, 'b');
    } finally {
      Object.assign(promises, { rename, rm: remove });
      syncBuiltinESMExports();
    }
    expect(steps).toEqual([
      ...['media', 'config', 'dist', 'edge'].map((kind) => `move ${kind}`),
      ...['config', 'media', 'edge'].map((kind) => `remove ${kind}`),
      'move manifest',
    ]);
  });

  test('restores a file that was changed in the output', async () => {
    await publishTiny(root, 'a');
    const expected = outputOf(root);
    await writeFile(at('dist/api/v2/theme/config/harbor.json'), '{}');
    await writeFile(at('edge/users.ndjson'), '{}');
    await publishTiny(root, 'a');
    expect(outputOf(root)).toEqual(expected);
  });

  test('removes obsolete files and their folders at once', async () => {
    await publishTiny(root, 'a');
    await publishTiny(root, 'b');
    expect(differenceFrom(root, await publishAlone('b'))).toEqual([]);
    expect(await media()).toEqual(mediaOf('b').toSorted());
    expect((await readdir(at('dist/media'))).toSorted()).toEqual(['harbor', 'meadow', 'only-b']);
    expect((await readdir(root)).toSorted()).toEqual(['dist', 'edge']);
  });
});

describe('foreign files', () => {
  beforeEach(() => publishTiny(root, 'a'));

  test('are left alone and reported', async () => {
    await mkdir(at('dist/.well-known'));
    await mkdir(at('dist/media/team'));
    await mkdir(at('dist/schema'));
    await mkdir(at('edge/cloudflare/.wrangler'), { recursive: true });
    const foreignFiles = [
      'dist/.well-known/security.txt',
      'dist/_headers',
      'dist/media/harbor/mine.png',
      'dist/media/team/photo.0123456789abcdef.png',
      'dist/schema/openapi.json',
      'edge/cloudflare/.wrangler/state.json',
      'edge/nginx/TOKEN_SECRET.map',
    ];
    for (const file of foreignFiles) await writeFile(at(file), 'mine');
    await symlink('/etc/passwd', at('dist/link'));
    const foreign = await publishTiny(root, 'b');
    expect(foreign.map((file) => path.relative(root, file)).toSorted()).toEqual(
      [...foreignFiles, 'dist/link'].toSorted(),
    );
    for (const file of foreignFiles) expect(await readFile(at(file), 'utf8')).toBe('mine');
    expect(await publishTiny(root, 'b')).toEqual(foreign);
    expect(await readlink(at('dist/link'))).toBe('/etc/passwd');
  });

  test.each([
    ['a file', 'dist/api/v2/theme/config/only-b.json', /only-b\.json was not made by themecast/],
    ['a private folder', 'edge/caddy/users.caddy/', /users\.caddy was not made by themecast/],
    ['a folder', 'dist/api/v2/theme/config/only-b.json/', /only-b\.json was not made by themecast/],
    ['a file in place of a folder', 'dist/media/only-b', /only-b is not a folder, but a folder is needed there/],
  ])('are never replaced: %s', async (_, place, message) => {
    if (place.endsWith('/')) await mkdir(at(place), { recursive: true });
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

  test.each(['../thesis.txt', '/thesis.txt', 'media/../../thesis.txt', './thesis.txt'])(
    'outside the output are never removed: a list that contains %s is refused',
    async (name) => {
      await writeFile(at('thesis.txt'), 'ten years of work');
      for (const [file, text] of [
        ['dist/manifest.json', `{"files":[{"path":"${name}"}]}`],
        ['edge/files.json', `{"version":1,"users":0,"files":["${name}"]}`],
        ['edge/.themecast-unfinished.json', `{"out":["${name}"],"edge":[]}`],
      ] as const) {
        const before = await readFile(at(file)).catch(() => undefined);
        await writeFile(at(file), text);
        await expect(publishTiny(root, 'b')).rejects.toThrow(`${file} is not the list of a build`);
        await (before === undefined ? rm(at(file)) : writeFile(at(file), before));
      }
      expect(await readFile(at('thesis.txt'), 'utf8')).toBe('ten years of work');
      await publishTiny(root, 'b');
    },
  );
});

describe('a folder without a list of files', () => {
  test.each([
    ['dist', 'schema/openapi.json', '{"openapi":"3.1.0","info":{"title":"Our API"}}'],
    ['dist', 'media/team/photo.0123456789abcdef.png', 'a photo'],
    ['dist', 'api/v2/theme/config/harbor.json', '{"name":"Our theme"}'],
    ['dist', 'index.html', '<!doctype html>'],
    ['edge', 'nginx/TOKEN_SECRET.map', '"k" "secret";'],
    ['edge', 'notes/README.md', 'ours'],
  ])('is rejected if it contains a foreign file: %s/%s', async (tree, name, text) => {
    await mkdir(at(tree, path.dirname(name)), { recursive: true });
    await writeFile(at(tree, name), text);
    await expect(publishTiny(root, 'a')).rejects.toThrow(`${tree} contains files that themecast did not make, like `);
    expect(outputOf(root)).toMatchObject({ [tree]: { [name]: sha256(text) } });
  });
});

describe('edge/', () => {
  const modes = async (): Promise<Set<string>> => {
    const names = ['.', ...(await readdir(at('edge'), { recursive: true }))];
    const entries = await Promise.all(names.map((name) => lstat(at('edge', name))));
    return new Set(
      entries.map((entry) => `${entry.isDirectory() ? 'folder' : 'file'} ${(entry.mode & 0o777).toString(8)}`),
    );
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
    await chmod(at('edge/users.ndjson'), 0o644);
    await publishTiny(root, 'a');
    expect((await stat(at('edge'))).mode & 0o777).toBe(0o700);
    expect((await stat(at('edge/users.ndjson'))).mode & 0o777).toBe(0o600);
  });
});

/** Returns the source text of a module that publishes a version. */
function publishScript(version: string): string {
  const module = path.join(import.meta.dirname, './long/tiny-site.js');
  return `import(${JSON.stringify(module)}).then(({ publishTiny }) => publishTiny('.', '${version}'))`;
}

describe('lock', () => {
  const owner = { id: 'x', pid: process.pid, host: hostname(), since: '2026-11-21T12:00:00.000Z' };
  const writeLock = (changes: object) => symlink(JSON.stringify({ ...owner, ...changes }), at('.dist.lock'));

  test('of an ended process is taken over', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await writeLock({ pid });
    await publishTiny(root, 'a');
    expect(differenceFrom(root, await publishAlone('a'))).toEqual([]);
  });

  test.each([
    [
      'of another host',
      { host: 'elsewhere' },
      /process \d+ on elsewhere, since 2026-11-21T12:00:00\.000Z.*if it already has, remove .*\.dist\.lock\./,
    ],
    [
      'without an owner',
      { pid: undefined },
      /\.dist\.lock locks .*dist, but names no build\. Remove it, unless a build is running\./,
    ],
  ])('%s is left alone, and the message says how to remove it', async (_, changes, message) => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await writeLock({ pid, ...changes });
    await expect(publishTiny(root, 'a')).rejects.toThrow(message);
    expect(await readdir(root)).toEqual(['.dist.lock']);
  });

  test('has at most one owner when several processes take it over', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    for (let round = 0; round < 10; round++) {
      await writeLock({ pid, id: String(round) });
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(at('.dist.lock'), 'dist')));
      const releases = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
      expect(releases).toHaveLength(1);
      await releases[0]?.();
      expect(await readdir(root)).toEqual([]);
    }
  });
});
