import { defineConfig } from 'vitest/config';

/** What needs no server: each mutant runs the tests that reach it. */
export default defineConfig({ test: { include: ['test/unit/**/*.test.ts'], testTimeout: 30_000 } });
