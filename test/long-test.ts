import { it } from 'vitest';

/** `it` in `npm run stress journeys`, and nothing elsewhere: a test that takes longer than every change may wait for. */
export const longTest: typeof it =
  process.env['THEMECAST_LONG_TESTS'] === undefined ? Object.assign(() => undefined, it) : it;
