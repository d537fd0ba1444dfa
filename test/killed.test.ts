import { describe, test } from 'vitest';
import { expectNextBuildsWhole } from './killed.ts';

/** A sample; test/long/killed.test.ts kills at every call. */
describe('a build after one that was killed publishes what one in an empty folder does, all of it and nothing else', () => {
  test.each(['a deletion'] as const)('%s', { timeout: 60_000 }, (change) => expectNextBuildsWhole(change, false, 53));
});
