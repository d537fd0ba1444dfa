import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CHUNK } from '../../users/row-chunks.ts';

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
      // A consumer that stops at the start has not reached it.
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
