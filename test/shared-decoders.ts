import { takeDecoders } from '../src/build/resources.ts';

let held: ReturnType<typeof takeDecoders> | undefined;

/** Has all builds of a worker share decoders: to start one takes longer than most builds of a test. */
export function keepDecoders(): void {
  held ??= takeDecoders();
}

/** Has them end with each build, as outside of tests. */
export function letDecodersEnd(): void {
  held?.giveBack();
  held = undefined;
}
