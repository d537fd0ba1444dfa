import { describe, expect, it } from 'vitest';
import { mapConcurrently } from '../../../src/system/disk/concurrency.ts';

describe('mapConcurrently', () => {
  it('keeps the order of the items, and runs at most the given number of tasks', async () => {
    let [running, maximum] = [0, 0];
    const results = await mapConcurrently([3, 1, 2], 2, async (item) => {
      maximum = Math.max(maximum, ++running);
      for (let turn = 0; turn < item; turn++) await Promise.resolve();
      running--;
      return item * 10;
    });
    expect(results).toEqual([30, 10, 20]);
    expect(maximum).toBe(2);
  });

  it('starts no task after a failure, and throws once the running tasks have finished', async () => {
    const done: number[] = [];
    const items = Array.from({ length: 100 }, (_, index) => index);
    const run = mapConcurrently(items, 2, async (item) => {
      await Promise.resolve();
      if (item === 1) throw new Error('the second');
      done.push(item);
    });
    await expect(run).rejects.toThrow('the second');
    const finished = [...done];
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    expect(done).toEqual(finished);
    expect(done.length).toBeLessThan(5);
  });
});
