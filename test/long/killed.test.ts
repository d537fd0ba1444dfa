import { afterEach, describe, test, vi } from 'vitest';
import { CHANGES, expectNextBuildsWhole } from '../killed.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const cases = CHANGES.flatMap((change) =>
  [false, true].flatMap((keyed) => [true, false].map((home) => [change, keyed, home] as const)),
);

describe('killed at any renaming or removal', () => {
  test.each(cases)('%s (keyed: %s; home: %s)', { timeout: 600_000 }, async (change, keyed, home) => {
    if (!home) vi.stubEnv('XDG_STATE_HOME', '/dev/null/none');
    // Of keyed shards, there are some seventy like each other.
    await expectNextBuildsWhole(change, keyed, keyed ? 7 : 1);
  });
});
