import type { IncomingMessage } from 'node:http';

/** Of a body that is too large, so many times the limit is read and dropped, so that browsers come to read the answer. */
const PATIENCE = 4;

/**
 * The body of a request.
 * @param limit - greatest size, in bytes; counted as it comes, whatever the headers say. What is more is dropped: with 0, all of it
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too large' | 'cut off'> {
  // http-server hands on a wrapper, which buffers without limit, and gives plain listeners nothing.
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
