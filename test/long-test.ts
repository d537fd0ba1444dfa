import { it } from 'vitest';

export const isLong = process.env['THEMECAST_LONG_TESTS'] !== undefined;

/** Declares a test that only `npm run stress journeys` runs, because it takes too long for every change. */
export const longTest: typeof it = isLong ? it : Object.assign(() => undefined, it);

/** Returns cases that only `npm run stress journeys` runs. */
export function longCases<Case extends readonly unknown[]>(...cases: readonly Case[]): readonly Case[] {
  return isLong ? cases : [];
}

/** Returns every third of many similar cases, or all in `npm run stress journeys`. */
export function sampled<Case>(cases: readonly Case[]): readonly Case[] {
  return cases.filter((_, index) => isLong || index % 3 === 0);
}

/** Returns how often to repeat a slow step: all times in `npm run stress journeys`, otherwise a third, but at least once. */
export function sampledRuns(runs: number): number {
  return isLong ? runs : Math.ceil(runs / 3);
}
