import { beforeAll } from 'vitest';
import { shareDecoders } from './shared-decoders.ts';

// Runs before each test file. Vitest loads this module again for each file, but not the modules that it imports.
beforeAll(() => shareDecoders());
