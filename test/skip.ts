import { expect, it, type TestContext } from 'vitest';

/** Skips a test that this machine cannot run, with the reason. In CI, where everything is installed, it fails instead. */
export function skip(context: TestContext, reason: string): never {
  if (process.env['CI'] !== undefined) expect.fail(reason);
  return context.skip(reason);
}

/** One test in place of all those that this machine cannot run. @param name - of what they test */
export function skipAll(name: string, reason: string): void {
  it(name, (context) => skip(context, reason));
}
