import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { sha256Of } from '../../../src/io/disk/files.ts';
import {
  identifyingDevice,
  identityOf,
  isSettled,
  treeIdentity,
  untilSettled,
} from '../../../src/compiler/fingerprints.ts';
import { IncrementalCache } from '../../../src/io/incremental/incremental-cache.ts';
import { ContainedFolder } from '../../../src/io/disk/contained-folder.ts';
import { onFileSystem } from '../../site-folder.ts';

let folder: string;
let made: string[];
let diagnostics: Diagnostics;
beforeEach(() => {
  // Of an overlay, as containers have it, no identity counts.
  if (identifyingDevice(tmpdir()) === undefined) vi.stubEnv('TMPDIR', '/dev/shm');
  folder = mkdtempSync(path.join(tmpdir(), 'themecast-test-'));
  made = [];
  diagnostics = new Diagnostics();
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

/** Whole numbers below a limit, from a seed. */
const numbers =
  (seed: number) =>
  (limit: number): number =>
    ((seed = Math.imul(seed, 1_103_515_245) + 12_345) >>> 16) % limit;

const DAY = 24 * 60 * 60 * 1000;
const ID = 'a'.repeat(32);
const place = (name: string, shard?: string) => ({
  dir: new ContainedFolder(path.join(folder, name)),
  folder: 'index',
  id: ID,
  shard,
});

const open = (program = '1', shard?: string, contents = 'contents'): IncrementalCache => {
  for (const name of [contents, 'state']) mkdirSync(path.join(folder, name), { recursive: true });
  return new IncrementalCache({ contents: place(contents, shard), state: place('state'), program });
};

/** What a build makes under a key, of some parts, with a diagnostic. */
const make = (cache: IncrementalCache, key: string, ...parts: unknown[]): Promise<string> =>
  cache.memoize(key, parts, diagnostics.report, async (report) => {
    made.push(key);
    report('theme/none', { file: key }, {});
    return `${key} of ${parts.join()}`;
  });

/** The index file. */
const index = (): string => path.join(folder, 'contents/index', ID);

describe('the incremental cache', () => {
  it.each(['in one process', 'in the next one'])('makes again only what has other parts, %s', async (where) => {
    let cache = open();
    await make(cache, 'a', 1, 'x');
    await make(cache, 'b', 1);
    await cache.save();
    if (where === 'in the next one') cache = open();
    expect(await make(cache, 'a', 1, 'x')).toBe('a of 1,x');
    expect(await make(cache, 'b', 2)).toBe('b of 2');
    expect(made).toEqual(['a', 'b', 'b']);
    expect(diagnostics.sorted.map(({ location }) => location.file)).toEqual(['a', 'a', 'b', 'b']);
  });

  it('makes again what has an unknown part, what failed, and what is not whole', async () => {
    const cache = open();
    for (const key of ['unknown', 'kept']) await make(cache, key, key === 'unknown' ? undefined : 1);
    const fail = cache.memoize('failed', [1], diagnostics.report, () => Promise.reject(new Error('no memory')));
    await expect(fail).rejects.toThrow('no memory');
    made = [];
    for (const key of ['unknown', 'failed', 'kept']) await make(cache, key, key === 'unknown' ? undefined : 1);
    expect(made).toEqual(['unknown', 'failed']);
    const whole = (isWhole: boolean): unknown => cache.recall('kept', [1], diagnostics.report, () => isWhole);
    expect([whole(true), whole(false)]).toEqual([{ made: 'kept of 1' }, undefined]);
  });

  it('believes neither another program, nor what is damaged', async () => {
    const cache = open();
    await make(cache, 'a', 1);
    await cache.save();
    made = [];
    await make(open('2'), 'a', 1);
    const bytes = readFileSync(index());
    for (const at of [0, 5, 80, bytes.length - 5]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(index(), damaged);
      await make(open(), 'a', 1);
    }
    expect(made).toHaveLength(5);
  });

  it('travels with what rests on contents, and without times', async () => {
    const file = path.join(folder, 'a.svg');
    writeFileSync(file, 'one');
    await untilSettled(Date.now());
    const cache = open();
    await make(cache, 'a', 1);
    cache.remember(IncrementalCache.local('build'), [1], 'result');
    cache.files.contentOf(file, 10);
    await cache.save();
    made = [];
    rmSync(path.join(folder, 'state'), { recursive: true });
    const elsewhere = open();
    await make(elsewhere, 'a', 1);
    expect(made).toEqual([]);
    expect(elsewhere.recall(IncrementalCache.local('build'), [1], diagnostics.report)).toBeUndefined();
    expect(elsewhere.files.contentOf(file, 10)).toMatchObject({ isRead: true });
  });

  it('is merged from shards by copying their files, which are part of it once it is stored', async () => {
    for (const shard of ['1-of-2', '2-of-2']) {
      const cache = open('1', shard, shard);
      await make(cache, `of ${shard}`, 1);
      await cache.save();
      cpSync(path.join(folder, shard), path.join(folder, 'contents'), { recursive: true });
    }
    made = [];
    for (const names of [[`${ID}.1-of-2`, `${ID}.2-of-2`], [ID]]) {
      expect(readdirSync(path.join(folder, 'contents/index')).toSorted()).toEqual(names);
      const merged = open();
      for (const shard of ['1-of-2', '2-of-2']) await make(merged, `of ${shard}`, 1);
      await merged.save();
    }
    expect(made).toEqual([]);
  });

  it('forgets what was not used for 30 days, however many builds used other results', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const cache = open();
      await make(cache, 'gone', 1);
      await cache.save();
      for (let build = 0; build < 12; build++) {
        const next = open();
        await make(next, 'changing', build);
        await next.save();
      }
      vi.setSystemTime(Date.now() + 20 * DAY);
      made = [];
      const later = open();
      await make(later, 'gone', 1);
      await make(later, 'changing', 20);
      await later.save();
      expect(made).toEqual(['changing']);
      for (const days of [20, 20]) {
        vi.setSystemTime(Date.now() + days * DAY);
        const last = open();
        await make(last, 'changing', Date.now());
        await last.save();
      }
      made = [];
      await make(open(), 'gone', 1);
      expect(made).toEqual(['gone']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not written if nothing has changed, and is lost without harm', async () => {
    const cache = open();
    await make(cache, 'a', 1);
    await cache.save();
    const { ino } = statSync(index());
    const next = open();
    await make(next, 'a', 1);
    await next.save();
    expect(statSync(index()).ino).toBe(ino);
    rmSync(index());
    mkdirSync(index()); // nothing can be renamed over it
    await make(next, 'b', 1);
    await next.save();
    expect(readdirSync(path.join(folder, 'contents/index'))).toEqual([ID]);
  });
});

describe('the hashes of files', () => {
  /** A file that was written long enough ago. */
  const write = async (text: string): Promise<string> => {
    const file = path.join(folder, 'a.svg');
    writeFileSync(file, text);
    await untilSettled(Date.now());
    return file;
  };
  const read = (cache: IncrementalCache, file: string): { text: string; isRead: boolean } => {
    const content = cache.files.contentOf(file, 100);
    if ('problem' in content) throw new Error(content.problem);
    expect(content.sha256).toBe(sha256Of(content.bytes()));
    return { text: String(content.bytes()), isRead: content.isRead };
  };

  it('opens a file once, and again after it has changed', async () => {
    const file = await write('one');
    const cache = open();
    expect(read(cache, file)).toEqual({ text: 'one', isRead: true });
    expect(read(cache, file)).toEqual({ text: 'one', isRead: false });
    await cache.save();
    expect(read(open(), file)).toEqual({ text: 'one', isRead: false });
    const { atime, mtime } = statSync(file);
    await write('two');
    utimesSync(file, atime, mtime); // size and time of modification are the same
    expect(read(open(), file)).toEqual({ text: 'two', isRead: true });
  });

  it('sees that two files have changed places', async () => {
    const [file, other] = [await write('one'), path.join(folder, 'b.svg')];
    writeFileSync(other, 'two');
    const { atime, mtime } = statSync(file);
    utimesSync(other, atime, mtime);
    await untilSettled(Date.now());
    const cache = open();
    expect([read(cache, file).text, read(cache, other).text]).toEqual(['one', 'two']);
    await cache.save();
    for (const [from, to] of [
      ['a.svg', 'c'],
      ['b.svg', 'a.svg'],
      ['c', 'b.svg'],
    ] as const)
      renameSync(path.join(folder, from), path.join(folder, to));
    const next = open();
    expect([read(next, file).text, read(next, other).text]).toEqual(['two', 'one']);
  });

  it.each([
    ['ext4', 0xef53, true],
    ['XFS', 0x58465342, true],
    ['Btrfs', 0x9123683e, true],
    ['F2FS', 0xf2f52010, true],
    ['ZFS', 0x2fc12fc1, true],
    ['tmpfs', 0x01021994, true],
    ['an overlay', 0x794c7630, false],
    ['SquashFS', 0x73717368, false],
    ['EROFS', 0xe0f5e1e2, false],
    ['ISO 9660', 0x9660, false],
    ['FAT', 0x4d44, false],
    ['NFS', 0x6969, false],
    ['SMB', 0xff534d42, false],
    ['FUSE', 0x65735546, false],
    ['9P', 0x01021997, false],
  ])('are retained by times where these tell: %s', async (_, type, counts) => {
    const file = await write('one');
    const cache = open();
    read(cache, file);
    await cache.save();
    const end = onFileSystem(type);
    try {
      const [digest, again] = [treeIdentity(folder).digest, treeIdentity(folder).digest];
      expect(again === digest).toBe(counts);
      const next = open();
      next.files.begin({ files: new Map([[file, identityOf(statSync(file))]]), names: undefined }); // what the watch saw
      expect(read(next, file)).toEqual({ text: 'one', isRead: !counts });
      expect(next.files.identityOf(file) !== undefined).toBe(counts);
      next.files.addWritten(file, sha256Of('one'));
      expect(read(next, file).isRead).toBe(!counts);
      await next.save();
    } finally {
      end();
    }
  });

  it('are those of the files after each of 660 random edits', { timeout: 60_000 }, async () => {
    const next = numbers(20_261_123);
    const at = (name: number): string => path.join(folder, `${name}.svg`);
    for (let name = 0; name < 6; name++) writeFileSync(at(name), 'one');
    let cache = open();
    for (let edit = 0; edit < 660; edit++) {
      const [file, other] = [at(next(6)), at(next(6))];
      const { atime, mtime } = statSync(file);
      const kind = next(5);
      if (kind === 0) writeFileSync(file, String(100 + next(900)));
      else if (kind === 1 && other !== file) cpSync(other, file, { preserveTimestamps: true });
      else {
        writeFileSync(path.join(folder, 'new'), String(100 + next(900)));
        renameSync(path.join(folder, 'new'), file);
      }
      if (kind > 2) utimesSync(file, atime, mtime);
      if (edit % 60 === 0) await untilSettled(Date.now());
      for (const one of [file, other]) expect(read(cache, one).text).toBe(readFileSync(one, 'utf8'));
      if (edit % 20 > 0) continue;
      await cache.save();
      cache = open();
    }
  });

  it('does not trust a time that the next change may share', () => {
    const at = (ctimeMs: number): Parameters<typeof isSettled>[0] => ({ ctimeMs }) as Parameters<typeof isSettled>[0];
    expect(isSettled(at(1_000_000.25), 1_000_015)).toBe(false);
    expect(isSettled(at(1_000_000.25), 1_000_030)).toBe(true);
    expect(isSettled(at(1_000_000), 1_000_060)).toBe(false); // a file system with whole seconds
    expect(isSettled(at(1_000_000), 1_003_000)).toBe(true);
    expect(isSettled(at(2_000_000.25), 1_000_000)).toBe(false); // a clock that was set back
  });

  it('throws if bytes are no longer those of their hash', async () => {
    const file = await write('one');
    const cache = open();
    read(cache, file);
    const content = cache.files.contentOf(file, 100);
    writeFileSync(file, 'two');
    expect(() => 'bytes' in content && typeof content.bytes === 'function' && content.bytes()).toThrow(
      'changed while it was being read',
    );
  });

  it('knows what this build wrote, unless another has written it since', async () => {
    const file = await write('one');
    const cache = open();
    cache.files.addWritten(file, sha256Of('one'));
    expect(read(cache, file).isRead).toBe(false);
    await cache.save();
    expect(read(open(), file).isRead).toBe(false);
    const next = open();
    next.files.addWritten(file, sha256Of('one'));
    await write('two');
    await next.save();
    expect(read(open(), file)).toEqual({ text: 'two', isRead: true });
  });
});

describe('the identity of a folder', () => {
  it('changes with every name, kind and content below it, and with nothing else', async () => {
    const themes = path.join(folder, 'themes');
    mkdirSync(path.join(themes, 'a/b'), { recursive: true });
    const seen = new Set<string>();
    const changes: (() => void)[] = [
      () => undefined,
      () => writeFileSync(path.join(themes, 'a/b/c.svg'), 'one'),
      () => writeFileSync(path.join(themes, 'a/b/c.svg'), 'two'),
      () => renameSync(path.join(themes, 'a/b/c.svg'), path.join(themes, 'a/c.svg')),
      () => mkdirSync(path.join(themes, 'empty')),
      () => rmSync(path.join(themes, 'a/c.svg')),
      () => rmSync(path.join(themes, 'a'), { recursive: true }),
    ];
    for (const change of changes) {
      change();
      await untilSettled(Date.now());
      writeFileSync(path.join(themes, '.ignored'), String(seen.size));
      const { digest, isSettled: settled } = treeIdentity(themes, (name) => name.startsWith('.'));
      expect([settled, treeIdentity(themes, (name) => name.startsWith('.')).digest]).toEqual([true, digest]);
      seen.add(digest);
    }
    expect(seen.size).toBe(changes.length);
  });
});
