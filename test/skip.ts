import { expect, it, type TestContext } from 'vitest';

/** Skips a test that this machine cannot run, with a reason. In CI, where everything is installed, the test fails instead. */
export function skip(context: TestContext, reason: string): never {
  if (process.env['CI'] !== undefined) expect.fail(reason);
  return context.skip(reason);
}

/** Declares a single skipped test in place of all tests that this machine cannot run. @param name - the subject of the tests */
export function skipAll(name: string, reason: string): void {
  it(name, (context) => skip(context, reason));
}
