import { configDefaults, defineConfig } from 'vitest/config';

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
  },
});
