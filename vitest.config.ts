import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import Reporter from './test/reporter.ts';

/** Test files that passed already and are excluded, so that `.ci/run` runs no test twice. */
const tested = process.env['THEMECAST_TESTED_FILES'];

/** Commands of tests write to no real home. */
const home = mkdtempSync(path.join(tmpdir(), 'themecast-home-'));
process.once('exit', () => rmSync(home, { recursive: true, force: true }));

export default defineConfig({
  test: {
    env: { XDG_CACHE_HOME: path.join(home, 'cache'), XDG_STATE_HOME: path.join(home, 'state') },
    dir: 'test',
    setupFiles: [path.join(import.meta.dirname, 'test/setup.ts')],
    exclude: [
      ...configDefaults.exclude,
      // Take minutes; parts of `npm run stress`.
      '**/long/**',
      ...(tested === undefined ? [] : [...readFileSync(tested, 'utf8').matchAll(/(?<=^test\/).+$/gm)].map(String)),
    ],
    // Files of one worker share their modules, which saves loading them 180 times.
    isolate: false,
    // The compiled program is run as it is.
    server: { deps: { external: [/\/lib\//] } },
    // By default, Vitest would use only one of two cores.
    maxWorkers: '100%',
    // Limits end tests that hang. None measures speed: tests spawn real commands and servers, on machines that do other work too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: [new Reporter(), ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : [])],
    // The output of a test is printed if it fails.
    silent: 'passed-only',
  },
});
