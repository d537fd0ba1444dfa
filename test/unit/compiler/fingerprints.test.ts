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
  // On an overlay file system, which containers use, no fingerprint is trusted.
  if (trustedDevice(tmpdir()) === undefined) vi.stubEnv('TMPDIR', '/dev/shm');
  folder = mkdtempSync(path.join(tmpdir(), 'themecast-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

const inFolder = (...names: string[]): string => path.join(folder, ...names);
const folderFingerprint = (): string | undefined => takeFingerprints(folder).get('');

/** Returns a seeded generator of whole numbers below a limit. */
const seededRandom =
  (seed: number) =>
  (limit: number): number =>
    ((seed = Math.imul(seed, 1_103_515_245) + 12_345) >>> 16) % limit;

describe('the fingerprint of a folder', () => {
  it('changes with every name, kind and content in the folder, and with nothing else', async () => {
    mkdirSync(inFolder('a/b'), { recursive: true });
    const isIgnored = (name: string): boolean => name.startsWith('.');
    const seenFingerprints = new Set<string | undefined>();
    const changes: (() => void)[] = [
      () => undefined,
      () => writeFileSync(inFolder('a/b/c.svg'), 'one'),
      () => writeFileSync(inFolder('a/b/c.svg'), 'two'),
      () => renameSync(inFolder('a/b/c.svg'), inFolder('a/c.svg')),
      () => mkdirSync(inFolder('empty')),
      () => rmSync(inFolder('a/c.svg')),
      () => rmSync(inFolder('a'), { recursive: true }),
    ];
    for (const change of changes) {
      change();
      await untilSettled(Date.now());
      writeFileSync(inFolder('.ignored'), String(seenFingerprints.size));
      const fingerprint = takeFingerprints(folder, { isIgnored }).get('');
      expect(fingerprint).toBeDefined();
      expect(takeFingerprints(folder, { isIgnored }).get('')).toBe(fingerprint);
      seenFingerprints.add(fingerprint);
    }
    expect(seenFingerprints.size).toBe(changes.length);
  });

  it("is not trusted while a file in the folder may change again within the same tick, nor is any parent's fingerprint", async () => {
    mkdirSync(inFolder('a'));
    mkdirSync(inFolder('b'));
    writeFileSync(inFolder('b/one'), '');
    await untilSettled(Date.now());
    writeFileSync(inFolder('a/two'), '');
    // Sets the clock shortly after the change, so that the test does not depend on the speed of the machine.
    vi.spyOn(Date, 'now').mockReturnValue(statSync(inFolder('a/two')).ctimeMs + 15);
    const fingerprints = takeFingerprints(folder);
    vi.restoreAllMocks();
    expect([fingerprints.get(''), fingerprints.get('a')]).toEqual([undefined, undefined]);
    expect(fingerprints.get('b')).toBeDefined();
  });

  it('is taken again only for changed folders', async () => {
    for (const name of ['a', 'b', 'a/c']) mkdirSync(inFolder(name));
    for (const name of ['a/one', 'b/one', 'a/c/one']) writeFileSync(inFolder(name), name);
    await untilSettled(Date.now());
    const before = takeFingerprints(folder);
    writeFileSync(inFolder('a/one'), 'other');
    writeFileSync(inFolder('b/one'), 'other');
    await untilSettled(Date.now());
    const after = takeFingerprints(folder, { since: { before, changed: new Set(['', 'a']) } });
    expect(after.get('a')).not.toBe(before.get('a'));
    expect([after.get('b'), after.get('a/c')]).toEqual([before.get('b'), before.get('a/c')]);
    expect(after.get('')).not.toBe(folderFingerprint());
    const allChanged = takeFingerprints(folder, { since: { before, changed: new Set(['', 'a', 'b']) } });
    expect(allChanged.get('')).toBe(folderFingerprint());
  });

  it('distinguishes the contents after each of 660 random edits', { timeout: 60_000 }, async () => {
    const random = seededRandom(20_261_123);
    const file = (name: number): string => inFolder(`${name}.svg`);
    for (let name = 0; name < 6; name++) writeFileSync(file(name), 'one');
    const allTexts = (): string =>
      readdirSync(folder)
        .toSorted()
        .map((name) => readFileSync(inFolder(name), 'utf8'))
        .join(' ');
    const textsByFingerprint = new Map<string, string>();
    for (let edit = 0; edit < 660; edit++) {
      const [edited, second] = [file(random(6)), file(random(6))];
      const { atime, mtime } = statSync(edited);
      const editKind = random(5);
      if (editKind === 0) writeFileSync(edited, String(100 + random(900)));
      else if (editKind === 1 && second !== edited) cpSync(second, edited, { preserveTimestamps: true });
      else {
        writeFileSync(inFolder('new'), String(100 + random(900)));
        renameSync(inFolder('new'), edited);
      }
      if (editKind > 2) utimesSync(edited, atime, mtime);
      if (edit % 20 === 0) await untilSettled(Date.now());
      const fingerprint = folderFingerprint();
      if (fingerprint === undefined) continue;
      const earlierTexts = textsByFingerprint.get(fingerprint) ?? allTexts();
      expect(allTexts()).toBe(earlierTexts);
      textsByFingerprint.set(fingerprint, earlierTexts);
    }
    expect(textsByFingerprint.size).toBeGreaterThan(20);
  });
});

it.each([
  ['ext4', 0xef53, true],
  ['tmpfs', 0x01021994, true],
  ['an overlay', 0x794c7630, false],
  ['NFS', 0x6969, false],
  ['SMB', 0xff534d42, false],
  ['FUSE', 0x65735546, false],
])('trusts fingerprints on %s (type %i): %s', async (_, type, isTrusted) => {
  writeFileSync(inFolder('a.svg'), 'one');
  await untilSettled(Date.now());
  const end = onFileSystem(type);
  try {
    expect(folderFingerprint() !== undefined).toBe(isTrusted);
    expect(settledFingerprint(inFolder('a.svg')) !== undefined).toBe(isTrusted);
  } finally {
    end();
  }
});

it('distrusts a time that the next change may share', () => {
  expect(isSettled({ ctimeMs: 1_000_000.25 }, 1_000_015)).toBe(false);
  expect(isSettled({ ctimeMs: 1_000_000.25 }, 1_000_030)).toBe(true);
  expect(isSettled({ ctimeMs: 1_000_000 }, 1_000_060)).toBe(false); // The file system stores whole seconds.
  expect(isSettled({ ctimeMs: 1_000_000 }, 1_003_000)).toBe(true);
  expect(isSettled({ ctimeMs: 2_000_000.25 }, 1_000_000)).toBe(false); // The clock was set back.
});
