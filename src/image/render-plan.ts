/** A share of the work that several processes divide among them; `index` counts from 1. */
export interface Shard {
  index: number;
  total: number;
}

/** What the plan must know of a job. */
export interface PlannedJob {
  /** Differs between jobs, and is the same on every machine. */
  key: string;
  /** Relative cost. */
  cost: number;
}

/**
 * The jobs of one shard, largest first. All shards compute the same plan: each job goes to the shard with the least to do so
 * far, so that the loads of two shards differ by at most one job.
 */
export function jobsOfShard<J extends PlannedJob>(jobs: readonly J[], { index, total }: Shard): J[] {
  const loads = Array.from({ length: total }, () => 0);
  // By code unit, not by locale: machines may differ in theirs.
  const ordered = jobs.toSorted((a, b) => b.cost - a.cost || (a.key < b.key ? -1 : 1));
  return ordered.filter(({ cost }) => {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + cost;
    return least === index - 1;
  });
}
