import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeLock } from '../../../src/system/disk/lock.ts';
import { hasControl, hasLogCommand } from '../diagnostics/control.ts';
import { sampledRuns } from '../../long-test.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Returns the message about a lock file with the given text. */
async function messageOf(text: string): Promise<string> {
  const file = path.join(folder, 'lock');
  await symlink(text, file);
  try {
    const releaseLock = await takeLock(file, 'dist');
    await releaseLock();
    return '';
  } catch (error) {
    expect(error).toMatchObject({ code: 'locked' });
    return (error as Error).message;
  } finally {
    await rm(file, { force: true });
  }
}

it('the message about a planted lock file is a single line that is safe to print', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.constantFrom('##[error]x', 'a\n::error::x', '\u001b[2J', '\u202e', '../../tmp', -1, 1.5, null, {}),
  );
  const owner = fc.record({ pid: fc.oneof(fc.nat(), hostile), host: hostile, since: hostile, started: hostile });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        owner.map((value) => JSON.stringify(value)),
        fc.string({ minLength: 1 }),
      ),
      async (text) => {
        fc.pre(!text.includes('\0'));
        const message = await messageOf(text);
        expect(hasControl(message) || message.includes('\n') || hasLogCommand(message)).toBe(false);
      },
    ),
    { numRuns: sampledRuns(200) },
  );
});
