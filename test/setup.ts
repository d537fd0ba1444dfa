import { beforeAll } from 'vitest';
import { shareDecoders } from './shared-decoders.ts';

// Before each file of tests. This module is read again for each, those that it imports are not.
beforeAll(() => shareDecoders());
