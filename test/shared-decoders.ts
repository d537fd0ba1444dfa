import { acquireDecoders } from '../src/system/decoder/shared.ts';

const releases = new Map<typeof acquireDecoders, () => void>();

/**
 * Shares decoders between all builds of a worker: starting a decoder takes longer than most builds of tests.
 * @param acquire - a function of the modules that build, in src/ or compiled
 */
export function shareDecoders(acquire = acquireDecoders): void {
  if (!releases.has(acquire)) releases.set(acquire, acquire().release);
}

/** Stops shared decoders, so that decoders end with each build, as outside tests. */
export function releaseDecoders(): void {
  for (const release of releases.values()) release();
  releases.clear();
}
