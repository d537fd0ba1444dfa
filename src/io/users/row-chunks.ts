import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Bytes that are read at least before a chunk is given on, but for the last. */
export const CHUNK = 1024 * 1024;
/** A line that is longer is cut, so that it cannot fill the memory; no key and theme are a thousandth of it. */
const LONGEST_LINE = 1024 * 1024;
const LF = 10;

/**
 * Reads to chunks that end where a line ends.
 * @param chunk - bytes of each at least, but for the last
 */
export async function* rowChunks(bytes: AsyncIterable<Buffer>, chunk: number): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const part of bytes) {
    pending.push(part);
    length += part.length;
    if (length < chunk) continue;
    const end = part.lastIndexOf(LF) + 1;
    if (end === 0 && length < LONGEST_LINE + chunk) continue;
    const cut = end === 0 ? part.length : end;
    const all = [...pending.slice(0, -1), part.subarray(0, cut)];
    yield joined(all);
    pending = [part.subarray(cut)];
    length = part.length - cut;
  }
  if (length > 0) yield joined(pending);
}

/** The same bytes, uncompressed if they are gzip (RFC 1952: 1f 8b). */
export async function* uncompressed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = bytes[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < 2) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  const all = (async function* () {
    try {
      yield start;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      // Whoever stops at the start has not reached it.
      await iterator.return?.();
    }
  })();
  if (start[0] !== 0x1f || start[1] !== 0x8b) {
    yield* all;
    return;
  }
  const output = new PassThrough({ highWaterMark: CHUNK });
  const done = pipeline(all, createGunzip({ chunkSize: CHUNK }), output).catch((error: unknown) => {
    output.destroy(error as Error);
  });
  yield* output as AsyncIterable<Buffer>;
  await done;
}

/** A buffer of its own, which another thread can be given. */
function joined(parts: readonly Buffer[]): Buffer {
  const all = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) end += part.copy(all, end);
  return all;
}
