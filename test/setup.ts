import { beforeAll } from 'vitest';
import { shareDecoders } from './shared-decoders.ts';

// Runs before each test file. This module is loaded again for each, its imports are not.
beforeAll(() => shareDecoders());
