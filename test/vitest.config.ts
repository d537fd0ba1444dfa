import { configDefaults, defineConfig } from 'vitest/config';
import Reporter from './reporter.ts';

export default defineConfig({
  test: {
    dir: 'test',
    // A matter of minutes, for `npm run bench`.
    exclude: [...configDefaults.exclude, '**/scale/**'],
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
