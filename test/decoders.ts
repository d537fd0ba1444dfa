import { beforeAll } from 'vitest';
import { takeDecoders } from '../src/build/resources.ts';

let held: ReturnType<typeof takeDecoders> | undefined;

/** Lets the decoders end with each build, as outside of tests. */
export function letDecodersEnd(): void {
  held?.giveBack();
  held = undefined;
}

// One set for all builds of a worker: to start a decoder takes longer than most builds of a test.
beforeAll(() => {
  held ??= takeDecoders();
});
