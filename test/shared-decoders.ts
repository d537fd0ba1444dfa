import { acquireDecoders } from '../src/decoder/shared.ts';

const releases = new Map<typeof acquireDecoders, () => void>();

/**
 * Makes all builds of a worker share decoders: starting one takes longer than most builds of a test.
 * @param acquire - a function of the modules that build, in src/ or compiled
 */
export function shareDecoders(acquire = acquireDecoders): void {
  if (!releases.has(acquire)) releases.set(acquire, acquire().release);
}

/** Makes decoders end with each build, as outside of tests. */
export function releaseDecoders(): void {
  for (const release of releases.values()) release();
  releases.clear();
}
