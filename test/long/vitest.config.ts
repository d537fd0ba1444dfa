import { configDefaults } from 'vitest/config';
import base from '../vitest.config.ts';

/** The journeys are tests like all others, but take too long for every change. */
export default { ...base, test: { ...base.test, dir: 'test/long', exclude: configDefaults.exclude } };
