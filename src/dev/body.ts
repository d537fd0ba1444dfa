import type { IncomingMessage } from 'node:http';

/** Up to this many times the limit is read and discarded, so that browsers get to read the response. */
const PATIENCE = 4;

/**
 * The body of a request.
 * @param limit - maximum size in bytes, counted on arrival, whatever the headers say. A body beyond it is discarded: with 0, any body
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too large' | 'cut off'> {
  // http-server passes on a wrapper that buffers without limit and emits nothing to plain listeners.
  const source = (request as IncomingMessage & { request?: IncomingMessage }).request ?? request;
  source.unpipe();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    source.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > limit * PATIENCE) resolve('too large');
    });
    source.once('end', () => resolve(bytes > limit ? 'too large' : Buffer.concat(chunks)));
    source.once('error', () => resolve('cut off'));
    source.once('close', () => resolve('cut off')); // after its end, this changes nothing
    source.resume();
  });
}
