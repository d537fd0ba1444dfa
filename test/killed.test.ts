import { describe, test } from 'vitest';
import { expectNextBuildsWhole } from './killed.ts';

/** Kills at a sample of calls; test/long/killed.test.ts kills at every call. */
describe('a build after a killed build publishes exactly the files that a build into an empty folder does', () => {
  test.each(['a deletion'] as const)('%s', { timeout: 60_000 }, (change) => expectNextBuildsWhole(change, false, 53));
});
