import { env } from 'node:process';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // What needs no server: each mutant runs the tests that reach it.
    include: env['MUTATION_TESTS']?.split(',') ?? [
      'test/unit/**/*.test.ts',
      'scripts/torture/stryker-fixtures.test.js',
    ],
    exclude: [
      ...configDefaults.exclude,
      // Their threads and processes run the compiled code, which has no mutants in it.
      'test/unit/mapping/users.test.ts',
      'test/unit/io/**',
      // Thousands of generated texts: too long for every mutant.
      '**/*-property.test.ts',
    ],
    setupFiles: ['scripts/torture/stryker-setup.js'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
