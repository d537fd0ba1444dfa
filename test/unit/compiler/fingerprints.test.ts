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
import {
  trustedDevice,
  isSettled,
  settledFingerprint,
  takeFingerprints,
  untilSettled,
} from '../../../src/compiler/fingerprints.ts';
import { onFileSystem } from '../../site-folder.ts';

let folder: string;
beforeEach(() => {
  // On an overlay, which containers use, no fingerprint is trusted.
  if (trustedDevice(tmpdir()) === undefined) vi.stubEnv('TMPDIR', '/dev/shm');
  folder = mkdtempSync(path.join(tmpdir(), 'themecast-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

const at = (...names: string[]): string => path.join(folder, ...names);
const folderFingerprint = (): string | undefined => takeFingerprints(folder).get('');

/** Whole numbers below a limit, from a seed. */
const numbers =
  (seed: number) =>
  (limit: number): number =>
    ((seed = Math.imul(seed, 1_103_515_245) + 12_345) >>> 16) % limit;

describe('the fingerprint of a folder', () => {
  it('changes with every name, kind and content below it, and with nothing else', async () => {
    mkdirSync(at('a/b'), { recursive: true });
    const isIgnored = (name: string): boolean => name.startsWith('.');
    const seen = new Set<string | undefined>();
    const changes: (() => void)[] = [
      () => undefined,
      () => writeFileSync(at('a/b/c.svg'), 'one'),
      () => writeFileSync(at('a/b/c.svg'), 'two'),
      () => renameSync(at('a/b/c.svg'), at('a/c.svg')),
      () => mkdirSync(at('empty')),
      () => rmSync(at('a/c.svg')),
      () => rmSync(at('a'), { recursive: true }),
    ];
    for (const change of changes) {
      change();
      await untilSettled(Date.now());
      writeFileSync(at('.ignored'), String(seen.size));
      const print = takeFingerprints(folder, { isIgnored }).get('');
      expect(print).toBeDefined();
      expect(takeFingerprints(folder, { isIgnored }).get('')).toBe(print);
      seen.add(print);
    }
    expect(seen.size).toBe(changes.length);
  });

  it('is not trusted while a file in the folder may change again within the same tick, nor are the fingerprints of its parents', async () => {
    mkdirSync(at('a'));
    mkdirSync(at('b'));
    writeFileSync(at('b/one'), '');
    await untilSettled(Date.now());
    writeFileSync(at('a/two'), '');
    // Independent of the speed of the machine: a change has the time of the last tick.
    vi.spyOn(Date, 'now').mockReturnValue(statSync(at('a/two')).ctimeMs + 15);
    const prints = takeFingerprints(folder);
    vi.restoreAllMocks();
    expect([prints.get(''), prints.get('a')]).toEqual([undefined, undefined]);
    expect(prints.get('b')).toBeDefined();
  });

  it('is taken again only for folders that have changed', async () => {
    for (const name of ['a', 'b', 'a/c']) mkdirSync(at(name));
    for (const name of ['a/one', 'b/one', 'a/c/one']) writeFileSync(at(name), name);
    await untilSettled(Date.now());
    const before = takeFingerprints(folder);
    writeFileSync(at('a/one'), 'other');
    writeFileSync(at('b/one'), 'other');
    await untilSettled(Date.now());
    const after = takeFingerprints(folder, { since: { before, changed: new Set(['', 'a']) } });
    expect(after.get('a')).not.toBe(before.get('a'));
    expect([after.get('b'), after.get('a/c')]).toEqual([before.get('b'), before.get('a/c')]);
    expect(after.get('')).not.toBe(folderFingerprint());
    const all = takeFingerprints(folder, { since: { before, changed: new Set(['', 'a', 'b']) } });
    expect(all.get('')).toBe(folderFingerprint());
  });

  it('distinguishes the contents after each of 660 random edits', { timeout: 60_000 }, async () => {
    const next = numbers(20_261_123);
    const file = (name: number): string => at(`${name}.svg`);
    for (let name = 0; name < 6; name++) writeFileSync(file(name), 'one');
    const texts = (): string =>
      readdirSync(folder)
        .toSorted()
        .map((name) => readFileSync(at(name), 'utf8'))
        .join(' ');
    const seen = new Map<string, string>();
    for (let edit = 0; edit < 660; edit++) {
      const [one, other] = [file(next(6)), file(next(6))];
      const { atime, mtime } = statSync(one);
      const kind = next(5);
      if (kind === 0) writeFileSync(one, String(100 + next(900)));
      else if (kind === 1 && other !== one) cpSync(other, one, { preserveTimestamps: true });
      else {
        writeFileSync(at('new'), String(100 + next(900)));
        renameSync(at('new'), one);
      }
      if (kind > 2) utimesSync(one, atime, mtime);
      if (edit % 20 === 0) await untilSettled(Date.now());
      const print = folderFingerprint();
      if (print === undefined) continue;
      const earlierTexts = seen.get(print) ?? texts();
      expect(texts()).toBe(earlierTexts);
      seen.set(print, earlierTexts);
    }
    expect(seen.size).toBeGreaterThan(20);
  });
});

it.each([
  ['ext4', 0xef53, true],
  ['tmpfs', 0x01021994, true],
  ['an overlay', 0x794c7630, false],
  ['NFS', 0x6969, false],
  ['SMB', 0xff534d42, false],
  ['FUSE', 0x65735546, false],
])('on %s, which has the type %i, fingerprints are trusted: %s', async (_, type, isTrusted) => {
  writeFileSync(at('a.svg'), 'one');
  await untilSettled(Date.now());
  const end = onFileSystem(type);
  try {
    expect(folderFingerprint() !== undefined).toBe(isTrusted);
    expect(settledFingerprint(at('a.svg')) !== undefined).toBe(isTrusted);
  } finally {
    end();
  }
});

it('a time that the next change may share is not trusted', () => {
  expect(isSettled({ ctimeMs: 1_000_000.25 }, 1_000_015)).toBe(false);
  expect(isSettled({ ctimeMs: 1_000_000.25 }, 1_000_030)).toBe(true);
  expect(isSettled({ ctimeMs: 1_000_000 }, 1_000_060)).toBe(false); // a file system with whole seconds
  expect(isSettled({ ctimeMs: 1_000_000 }, 1_003_000)).toBe(true);
  expect(isSettled({ ctimeMs: 2_000_000.25 }, 1_000_000)).toBe(false); // a clock that was set back
});
