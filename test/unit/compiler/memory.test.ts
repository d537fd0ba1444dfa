import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Memory, type ThemeEntry } from '../../../src/compiler/memory.ts';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { ContainedFolder } from '../../../src/disk/contained-folder.ts';

let folder: string;
let inputsUsed: string[];
let diagnostics: Diagnostics;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'themecast-test-'));
  inputsUsed = [];
  diagnostics = new Diagnostics();
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const DAY_MS = 24 * 60 * 60 * 1000;
const ID = 'a'.repeat(32);
const storeOf = (name: string, below: string, shard?: string) => ({
  dir: new ContainedFolder(path.join(folder, name)),
  folder: below,
  id: ID,
  shard,
});

const open = (program = '1', shard?: string, contents = 'contents'): Memory => {
  for (const name of [contents, 'state']) mkdirSync(path.join(folder, name), { recursive: true });
  return new Memory({ contents: storeOf(contents, 'index', shard), state: storeOf('state', ''), program });
};

/** Memoizes a value by name and inputs, with a diagnostic. */
const memoize = (memory: Memory, name: string, ...inputs: unknown[]): Promise<string> =>
  memory.memoize(name, inputs, diagnostics.report, async (report) => {
    inputsUsed.push(name);
    report('theme/none', { file: name }, {});
    return `${name} of ${inputs.join()}`;
  });

/** Returns the path of the index with results that depend on time. */
const indexFile = (): string => path.join(folder, 'state', ID);

/** Returns the stored entry of a theme. */
const entry = (slug: string, id = '1'): ThemeEntry => ({
  id,
  key: 'key',
  reads: [],
  compiled: { slug, writtenId: 0, images: [], diagnostics: [], unused: [] },
});

describe('a stored result', () => {
  it.each(['in one process', 'in the next one'])('is computed again only for other inputs, %s', async (where) => {
    let memory = open();
    await memoize(memory, 'a', 1, 'x');
    await memoize(memory, 'b', 1);
    await memory.save();
    if (where === 'in the next one') memory = open();
    expect(await memoize(memory, 'a', 1, 'x')).toBe('a of 1,x');
    expect(await memoize(memory, 'b', 2)).toBe('b of 2');
    expect(inputsUsed).toEqual(['a', 'b', 'b']);
    expect(diagnostics.sorted.map(({ location }) => location.file)).toEqual(['a', 'a', 'b', 'b']);
  });

  it('is computed again if an input is unknown, or if the computation failed', async () => {
    const memory = open();
    await memoize(memory, 'unknown', undefined);
    const fail = memory.memoize('failed', [1], diagnostics.report, () => Promise.reject(new Error('no memory')));
    await expect(fail).rejects.toThrow('no memory');
    inputsUsed = [];
    await memoize(memory, 'unknown', undefined);
    await memoize(memory, 'failed', 1);
    expect(inputsUsed).toEqual(['unknown', 'failed']);
  });

  it('is ignored if it is damaged or from another version of the program', async () => {
    const memory = open();
    await memoize(memory, 'a', 1);
    await memory.save();
    inputsUsed = [];
    await memoize(open('2'), 'a', 1);
    const bytes = readFileSync(indexFile());
    for (const offset of [0, 5, 80, bytes.length - 5]) {
      const damaged = Buffer.from(bytes);
      damaged[offset] = (damaged[offset] ?? 0) ^ 1;
      writeFileSync(indexFile(), damaged);
      await memoize(open(), 'a', 1);
    }
    expect(inputsUsed).toHaveLength(5);
  });

  it('is removed after 30 days without use, however many builds used other results', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const memory = open();
      await memoize(memory, 'gone', 1);
      await memory.save();
      for (let build = 0; build < 12; build++) {
        const nextMemory = open();
        await memoize(nextMemory, 'changing', build);
        await nextMemory.save();
      }
      vi.setSystemTime(Date.now() + 20 * DAY_MS);
      inputsUsed = [];
      const laterMemory = open();
      await memoize(laterMemory, 'gone', 1);
      await memoize(laterMemory, 'changing', 20);
      await laterMemory.save();
      expect(inputsUsed).toEqual(['changing']);
      for (const days of [20, 20]) {
        vi.setSystemTime(Date.now() + days * DAY_MS);
        const lastMemory = open();
        await memoize(lastMemory, 'changing', Date.now());
        await lastMemory.save();
      }
      inputsUsed = [];
      await memoize(open(), 'gone', 1);
      expect(inputsUsed).toEqual(['gone']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a compiled theme', () => {
  it('is fresh only for the fingerprint of its folder', async () => {
    const memory = open();
    memory.addTheme('harbor', entry('harbor'), 'print');
    await memory.save();
    const nextMemory = open();
    const stored = nextMemory.theme('harbor');
    expect(stored).toEqual(entry('harbor'));
    expect(stored && nextMemory.isFresh('harbor', stored, 'print')).toBe(true);
    expect(stored && nextMemory.isFresh('harbor', stored, 'other')).toBe(false);
    expect(stored && nextMemory.isFresh('harbor', stored, undefined)).toBe(false);
    expect(nextMemory.isFresh('harbor', entry('harbor', '2'), 'print')).toBe(false);
  });

  it('is portable, without its fingerprint', async () => {
    const memory = open();
    memory.addTheme('harbor', entry('harbor'), 'print');
    await memoize(memory, 'a', 1);
    await memory.save();
    inputsUsed = [];
    rmSync(path.join(folder, 'state'), { recursive: true });
    const otherMachine = open();
    const stored = otherMachine.theme('harbor');
    expect(stored).toEqual(entry('harbor'));
    expect(stored && otherMachine.isFresh('harbor', stored, 'print')).toBe(false);
    await memoize(otherMachine, 'a', 1);
    expect(inputsUsed).toEqual(['a']);
  });

  it('is merged from other machines by copying their files, which then become part of the index', async () => {
    for (const shard of ['1-of-2', '2-of-2']) {
      const memory = open('1', shard, shard);
      memory.addTheme(`of-${shard}`, entry(`of-${shard}`), undefined);
      await memory.save();
      cpSync(path.join(folder, shard), path.join(folder, 'contents'), { recursive: true });
    }
    for (const names of [[`${ID}.1-of-2`, `${ID}.2-of-2`], [ID]]) {
      expect(readdirSync(path.join(folder, 'contents/index')).toSorted()).toEqual(names);
      const merged = open();
      const slugs = [...merged.themes()].map(({ compiled }) => compiled.slug);
      expect(slugs).toEqual(['of-1-of-2', 'of-2-of-2']);
      await merged.save();
    }
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['an entry of another theme', entry('meadow')],
    ['an entry without images', { ...entry('harbor'), compiled: { ...entry('harbor').compiled, images: undefined } }],
    [
      'an entry with a path in place of a hash',
      {
        ...entry('harbor'),
        compiled: { ...entry('harbor').compiled, images: [{ path: 'a.png', sha256: '../../a', decodings: [] }] },
      },
    ],
  ])('is ignored if another version of the program wrote it: %s', (_, value) => {
    const memory = open();
    memory.addTheme('harbor', value as ThemeEntry, undefined);
    expect(memory.theme('harbor')).toBeUndefined();
  });
});
