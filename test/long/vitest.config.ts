import { readFileSync } from 'node:fs';
import path from 'node:path';
import glob from 'fast-glob';
import { configDefaults } from 'vitest/config';
import base from '../../vitest.config.ts';

const tests = path.dirname(import.meta.dirname);
const hasLongTest = (file: string): boolean => /\/long-test\.ts'/.test(readFileSync(path.join(tests, file), 'utf8'));

/** Runs the tests that take too long for every change: those in this folder, and some in other files. */
export default {
  ...base,
  test: {
    ...base.test,
    env: { ...base.test?.env, THEMECAST_LONG_TESTS: '1' },
    include: [
      'long/**/*.test.ts',
      ...glob.sync('**/*.test.ts', { cwd: tests, ignore: ['long/**'] }).filter(hasLongTest),
    ],
    exclude: configDefaults.exclude,
  },
};
