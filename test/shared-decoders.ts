import { takeDecoders } from '../src/build/resources.ts';

const held = new Map<typeof takeDecoders, () => void>();

/**
 * Has all builds of a worker share decoders: to start one takes longer than most builds of a test.
 * @param take - of the modules that build: those of src/, or what was compiled
 */
export function keepDecoders(take = takeDecoders): void {
  if (!held.has(take)) held.set(take, take().giveBack);
}

/** Has them end with each build, as outside of tests. */
export function letDecodersEnd(): void {
  for (const giveBack of held.values()) giveBack();
  held.clear();
}
