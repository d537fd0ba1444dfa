import { acquireDecoders } from '../src/decoder/shared.ts';

const releases = new Map<typeof acquireDecoders, () => void>();

/**
 * Has all builds of a worker share decoders: to start one takes longer than most builds of a test.
 * @param acquire - of the modules that build: those of src/, or what was compiled
 */
export function shareDecoders(acquire = acquireDecoders): void {
  if (!releases.has(acquire)) releases.set(acquire, acquire().release);
}

/** Has them end with each build, as outside of tests. */
export function releaseDecoders(): void {
  for (const release of releases.values()) release();
  releases.clear();
}
