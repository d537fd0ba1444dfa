import { beforeEach, describe, expect, it } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { BuildCache } from '../../../src/io/incremental-cache.ts';

describe('the memory of the last build', () => {
  let memory: BuildCache;
  let made: string[];
  let diagnostics: Diagnostics;
  beforeEach(() => {
    memory = new BuildCache();
    made = [];
  });

  /** What a build makes under a key, of some parts, with a finding. */
  const recall = (key: string, ...parts: unknown[]): Promise<string> =>
    memory.memoize(key, parts, diagnostics.report, async (report) => {
      made.push(key);
      report('theme/none', { file: key }, {});
      return `${key} of ${parts.join()}`;
    });
  const build = (): void => {
    diagnostics = new Diagnostics();
    memory.begin(new Map([['a.svg', '1']]));
  };

  it('makes again only what is made of other parts, and repeats the findings', async () => {
    build();
    expect(await recall('a', 1, 'x')).toBe('a of 1,x');
    expect(await recall('b', 1)).toBe('b of 1');
    build();
    expect(await recall('a', 1, 'x')).toBe('a of 1,x');
    expect(await recall('b', 2)).toBe('b of 2');
    expect(made).toEqual(['a', 'b', 'b']);
    expect(diagnostics.sorted.map(({ location }) => location.file)).toEqual(['a', 'b']);
  });

  it('makes again what has a part that is not known, what was not asked for once, what was dropped, and all when asked to', async () => {
    build();
    for (const key of ['unknown', 'skipped', 'dropped', 'kept']) await recall(key, key === 'unknown' ? undefined : 1);
    memory.drop('dropped');
    build();
    for (const key of ['unknown', 'dropped', 'kept']) await recall(key, key === 'unknown' ? undefined : 1);
    build();
    made = [];
    await recall('skipped', 1);
    await recall('kept', 1);
    expect(made).toEqual(['skipped']);
    memory.clear();
    build();
    await recall('kept', 1);
    expect(made).toEqual(['skipped', 'kept']);
  });

  it('makes again what could not be made', async () => {
    build();
    const fail = memory.memoize('a', [1], diagnostics.report, () => Promise.reject(new Error('no memory')));
    await expect(fail).rejects.toThrow('no memory');
    expect(await recall('a', 1)).toBe('a of 1');
  });

  it('tells files by their stamps', () => {
    build();
    expect(memory.fingerprintOf('a.svg')).toBe('1');
    expect(memory.fingerprintOf('b.svg')).toBeUndefined();
  });
});
