import { readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import Reporter from './reporter.ts';

/** Test files that have run whole and are left out: `.ci/run` runs no test twice. */
const tested = process.env['THEMECAST_TESTED_FILES'];

export default defineConfig({
  test: {
    dir: 'test',
    exclude: [
      ...configDefaults.exclude,
      // A matter of minutes, for `npm run bench`.
      '**/scale/**',
      ...(tested === undefined ? [] : [...readFileSync(tested, 'utf8').matchAll(/(?<=^test\/).+$/gm)].map(String)),
    ],
    // Of two cores, Vitest would use one.
    maxWorkers: '100%',
    // Commands and servers are spawned for real; two cores are busy with them.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: [new Reporter(), ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : [])],
    // What a test prints is shown if it fails.
    silent: 'passed-only',
  },
});
