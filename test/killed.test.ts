import { afterEach, describe, test, vi } from 'vitest';
import { CHANGES, expectNextBuildsWhole } from './killed.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A sample; `npm run stress journeys` kills at every call. */
describe('a build after one that was killed publishes what one in an empty folder does, all of it and nothing else', () => {
  test.each(CHANGES)('%s', { timeout: 60_000 }, (change) => expectNextBuildsWhole(change, false, 41));

  test('with keyed shards, without a home', { timeout: 60_000 }, async () => {
    vi.stubEnv('HOME', '');
    vi.stubEnv('XDG_STATE_HOME', '/dev/null/none');
    await expectNextBuildsWhole('a deletion', true, 41);
  });
});
