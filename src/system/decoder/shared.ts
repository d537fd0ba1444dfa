import { Decoders } from './pool.ts';

/** The decoders of this process, and the number of their users. */
let shared: { decoders: Decoders; users: number } | undefined;

/** Returns the decoders that the whole process shares, and a function that releases them. They end with the last release. */
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

/** Runs a function with the decoders of this process. */
export async function withDecoders<T>(use: (decoders: Decoders) => Promise<T>): Promise<T> {
  const { decoders, release } = acquireDecoders();
  try {
    return await use(decoders);
  } finally {
    release();
  }
}
