import { it } from 'vitest';

export const isLong = process.env['THEMECAST_LONG_TESTS'] !== undefined;

/** `it` in `npm run stress journeys`, and nothing elsewhere: a test that takes longer than every change may wait for. */
export const longTest: typeof it = isLong ? it : Object.assign(() => undefined, it);

/** Cases of a test that are run there alone. */
export function longCases<Case extends readonly unknown[]>(...cases: readonly Case[]): readonly Case[] {
  return isLong ? cases : [];
}

/** Every third of many cases that are alike; there, all of them. */
export function sampled<Case>(cases: readonly Case[]): readonly Case[] {
  return cases.filter((_, index) => isLong || index % 3 === 0);
}

/** How often a test repeats what takes long: a third of what it does there, and at least once. */
export function sampledRuns(runs: number): number {
  return isLong ? runs : Math.ceil(runs / 3);
}
