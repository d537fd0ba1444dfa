import { env } from 'node:process';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Set by mutation.js: tests that need no server. Each mutant runs those that cover it.
    include: env['MUTATION_TESTS']?.split(',') ?? ['test/unit/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      // Its threads run the compiled code, which contains no mutants.
      'test/unit/users/users.test.ts',
      // Thousands of generated texts take too long for every mutant.
      '**/*-property.test.ts',
    ],
    setupFiles: ['test/long/stryker-setup.js'],
    testTimeout: 30_000,
  },
});
