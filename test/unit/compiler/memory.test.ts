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

const DAY = 24 * 60 * 60 * 1000;
const ID = 'a'.repeat(32);
const place = (name: string, below: string, shard?: string) => ({
  dir: new ContainedFolder(path.join(folder, name)),
  folder: below,
  id: ID,
  shard,
});

const open = (program = '1', shard?: string, contents = 'contents'): Memory => {
  for (const name of [contents, 'state']) mkdirSync(path.join(folder, name), { recursive: true });
  return new Memory({ contents: place(contents, 'index', shard), state: place('state', ''), program });
};

/** Memoizes a value of some inputs under a name, with a diagnostic. */
const make = (memory: Memory, name: string, ...inputs: unknown[]): Promise<string> =>
  memory.memoize(name, inputs, diagnostics.report, async (report) => {
    inputsUsed.push(name);
    report('theme/none', { file: name }, {});
    return `${name} of ${inputs.join()}`;
  });

/** Returns the index of results that depend on times. */
const state = (): string => path.join(folder, 'state', ID);

/** Returns a stored theme. */
const entry = (slug: string, id = '1'): ThemeEntry => ({
  id,
  key: 'key',
  reads: [],
  compiled: { slug, writtenId: 0, images: [], diagnostics: [], unused: [] },
});

describe('a stored result', () => {
  it.each(['in one process', 'in the next one'])('is made again only for other inputs, %s', async (where) => {
    let memory = open();
    await make(memory, 'a', 1, 'x');
    await make(memory, 'b', 1);
    await memory.save();
    if (where === 'in the next one') memory = open();
    expect(await make(memory, 'a', 1, 'x')).toBe('a of 1,x');
    expect(await make(memory, 'b', 2)).toBe('b of 2');
    expect(inputsUsed).toEqual(['a', 'b', 'b']);
    expect(diagnostics.sorted.map(({ location }) => location.file)).toEqual(['a', 'a', 'b', 'b']);
  });

  it('is made again if an input is unknown, or if it failed', async () => {
    const memory = open();
    await make(memory, 'unknown', undefined);
    const fail = memory.memoize('failed', [1], diagnostics.report, () => Promise.reject(new Error('no memory')));
    await expect(fail).rejects.toThrow('no memory');
    inputsUsed = [];
    await make(memory, 'unknown', undefined);
    await make(memory, 'failed', 1);
    expect(inputsUsed).toEqual(['unknown', 'failed']);
  });

  it('is ignored if it is damaged, or comes from another program', async () => {
    const memory = open();
    await make(memory, 'a', 1);
    await memory.save();
    inputsUsed = [];
    await make(open('2'), 'a', 1);
    const bytes = readFileSync(state());
    for (const at of [0, 5, 80, bytes.length - 5]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(state(), damaged);
      await make(open(), 'a', 1);
    }
    expect(inputsUsed).toHaveLength(5);
  });

  it('is forgotten after 30 days without use, however many builds used other results', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const memory = open();
      await make(memory, 'gone', 1);
      await memory.save();
      for (let build = 0; build < 12; build++) {
        const next = open();
        await make(next, 'changing', build);
        await next.save();
      }
      vi.setSystemTime(Date.now() + 20 * DAY);
      inputsUsed = [];
      const later = open();
      await make(later, 'gone', 1);
      await make(later, 'changing', 20);
      await later.save();
      expect(inputsUsed).toEqual(['changing']);
      for (const days of [20, 20]) {
        vi.setSystemTime(Date.now() + days * DAY);
        const last = open();
        await make(last, 'changing', Date.now());
        await last.save();
      }
      inputsUsed = [];
      await make(open(), 'gone', 1);
      expect(inputsUsed).toEqual(['gone']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a compiled theme', () => {
  it('is fresh for the fingerprint that its folder had, and for no other', async () => {
    const memory = open();
    memory.addTheme('harbor', entry('harbor'), 'print');
    await memory.save();
    const next = open();
    const stored = next.theme('harbor');
    expect(stored).toEqual(entry('harbor'));
    expect(stored && next.isFresh('harbor', stored, 'print')).toBe(true);
    expect(stored && next.isFresh('harbor', stored, 'other')).toBe(false);
    expect(stored && next.isFresh('harbor', stored, undefined)).toBe(false);
    expect(next.isFresh('harbor', entry('harbor', '2'), 'print')).toBe(false);
  });

  it('is portable, without its fingerprint', async () => {
    const memory = open();
    memory.addTheme('harbor', entry('harbor'), 'print');
    await make(memory, 'a', 1);
    await memory.save();
    inputsUsed = [];
    rmSync(path.join(folder, 'state'), { recursive: true });
    const elsewhere = open();
    const stored = elsewhere.theme('harbor');
    expect(stored).toEqual(entry('harbor'));
    expect(stored && elsewhere.isFresh('harbor', stored, 'print')).toBe(false);
    await make(elsewhere, 'a', 1);
    expect(inputsUsed).toEqual(['a']);
  });

  it('is merged from machines by copying their files, which are part of the index once it is stored', async () => {
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
    ['of another theme', entry('meadow')],
    ['without images', { ...entry('harbor'), compiled: { ...entry('harbor').compiled, images: undefined } }],
    [
      'with a path in place of a hash',
      {
        ...entry('harbor'),
        compiled: { ...entry('harbor').compiled, images: [{ path: 'a.png', sha256: '../../a', decodings: [] }] },
      },
    ],
  ])('that another program wrote does not count: %s', (_, value) => {
    const memory = open();
    memory.addTheme('harbor', value as ThemeEntry, undefined);
    expect(memory.theme('harbor')).toBeUndefined();
  });
});
