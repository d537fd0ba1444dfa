import { env } from 'node:process';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // What needs no server: each mutant runs the tests that reach it.
    include: env['MUTATION_TESTS']?.split(',') ?? ['test/unit/**/*.test.ts'],
    // Its threads run the compiled code, which has no mutants in it.
    exclude: [...configDefaults.exclude, 'test/unit/mapping/users.test.ts'],
    testTimeout: 30_000,
  },
});
