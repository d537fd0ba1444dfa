import { maxPixels } from '../../image/limits.ts';
import type { Job, Reply } from './job.ts';
import type { Decoders } from './pool.ts';
import type { Failure } from './process.ts';

/** Limits of decoding one image: processor time in milliseconds, memory in bytes. An idle decoder takes about 80 MB. */
const MAX_COST = { time: 10_000, memory: 1_000_000_000 };

/** Decodes an image as a build does. */
export function decode(
  { bytes, format, spec, isLookedAt = false }: Pick<Job, 'bytes' | 'format' | 'spec' | 'isLookedAt'>,
  decoders: Decoders,
): Promise<Reply | Failure> {
  return decoders.run({ bytes, format, pixelLimit: maxPixels(format), spec, isLookedAt }, MAX_COST);
}
