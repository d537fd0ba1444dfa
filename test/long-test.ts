import { it } from 'vitest';

export const isLong = process.env['THEMECAST_LONG_TESTS'] !== undefined;

/** Runs a test in `npm run stress journeys` only: it takes longer than every change may wait for. */
export const longTest: typeof it = isLong ? it : Object.assign(() => undefined, it);

/** Returns cases that run only in `npm run stress journeys`. */
export function longCases<Case extends readonly unknown[]>(...cases: readonly Case[]): readonly Case[] {
  return isLong ? cases : [];
}

/** Returns every third of many similar cases, or all in `npm run stress journeys`. */
export function sampled<Case>(cases: readonly Case[]): readonly Case[] {
  return cases.filter((_, index) => isLong || index % 3 === 0);
}

/** Returns how often a test repeats a slow step: a third of the repetitions in `npm run stress journeys`, and at least one. */
export function sampledRuns(runs: number): number {
  return isLong ? runs : Math.ceil(runs / 3);
}
