import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jobsOfShard, type PlannedJob } from '../../../src/image/render-plan.ts';

const jobLists = fc.uniqueArray(fc.record({ key: fc.string({ maxLength: 8 }), cost: fc.nat(1_000_000) }), {
  selector: ({ key }) => key,
  maxLength: 60,
});
const totals = fc.integer({ min: 1, max: 12 });

function planOf(jobs: readonly PlannedJob[], total: number): PlannedJob[][] {
  return Array.from({ length: total }, (_, at) => jobsOfShard(jobs, { index: at + 1, total }));
}

const loadOf = (jobs: readonly PlannedJob[]): number => jobs.reduce((sum, { cost }) => sum + cost, 0);

it('puts every job into exactly one shard', () => {
  fc.assert(
    fc.property(jobLists, totals, (jobs, total) => {
      const planned = planOf(jobs, total).flat();
      const byKey = (all: readonly PlannedJob[]): PlannedJob[] => all.toSorted((a, b) => (a.key < b.key ? -1 : 1));
      expect(byKey(planned)).toEqual(byKey(jobs));
    }),
  );
});

it('gives all shards the same load, but for one job', () => {
  fc.assert(
    fc.property(jobLists, totals, (jobs, total) => {
      const loads = planOf(jobs, total).map(loadOf);
      const largest = Math.max(0, ...jobs.map(({ cost }) => cost));
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(largest);
    }),
  );
});

it('does not depend on the order of the jobs', () => {
  const shuffled = jobLists.chain((jobs) =>
    fc.tuple(fc.constant(jobs), fc.shuffledSubarray(jobs, { minLength: jobs.length })),
  );
  fc.assert(
    fc.property(shuffled, totals, ([jobs, others], total) => {
      expect(planOf(others, total)).toEqual(planOf(jobs, total));
    }),
  );
});

it('starts with the largest jobs', () => {
  const jobs = [7, 1, 9, 3, 9].map((cost, at) => ({ key: `${at}`, cost }));
  expect(planOf(jobs, 2).map((shard) => shard.map(({ cost }) => cost))).toEqual([
    [9, 7],
    [9, 3, 1],
  ]);
});
