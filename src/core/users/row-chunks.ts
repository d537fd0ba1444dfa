/** Minimum size of every chunk except the last, in bytes. */
export const CHUNK = 1024 * 1024;
/** Maximum length of a line, in bytes. A longer line is split, so that it cannot fill the memory; a valid line has less than 1 kB. */
const MAX_LINE = 1024 * 1024;
const LF = 10;

/**
 * Splits bytes into chunks that end at the end of a line.
 * @param chunk - minimum size of every chunk except the last, in bytes
 */
export async function* rowChunks(bytes: AsyncIterable<Buffer>, chunk: number): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const part of bytes) {
    pending.push(part);
    length += part.length;
    if (length < chunk) continue;
    const end = part.lastIndexOf(LF) + 1;
    if (end === 0 && length < MAX_LINE + chunk) continue;
    const cut = end === 0 ? part.length : end;
    const all = [...pending.slice(0, -1), part.subarray(0, cut)];
    yield joined(all);
    pending = [part.subarray(cut)];
    length = part.length - cut;
  }
  if (length > 0) yield joined(pending);
}

/** Copies parts into a buffer that can be transferred to another thread. */
function joined(parts: readonly Buffer[]): Buffer {
  const all = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) end += part.copy(all, end);
  return all;
}
