import { Decoders } from './pool.ts';

/** The decoders of this process, and the number of those who use them. */
let shared: { decoders: Decoders; users: number } | undefined;

/** @returns the decoders that all of this process share, and a function that releases them: they end with the last release */
export function acquireDecoders(): { decoders: Decoders; release: () => void } {
  const acquired = (shared ??= { decoders: new Decoders(), users: 0 });
  acquired.users++;
  const release = (): void => {
    if (--acquired.users > 0) return;
    acquired.decoders.close();
    shared = undefined;
  };
  return { decoders: acquired.decoders, release };
}

/** Does something with the decoders of this process. */
export async function withDecoders<T>(use: (decoders: Decoders) => Promise<T>): Promise<T> {
  const { decoders, release } = acquireDecoders();
  try {
    return await use(decoders);
  } finally {
    release();
  }
}
