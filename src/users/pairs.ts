import type { KeyKind } from './key.ts';

/** Bytes of a pair before its key: kind, theme (two), length. */
const HEAD_BYTES = 4;
/** Initial capacity, in bytes. */
const INITIAL_BYTES = 64 * 1024;

/** Keys and the indexes of their themes, as bytes: as objects, millions of them would fill the memory. */
export class Pairs {
  #bytes = Buffer.alloc(0);
  #end = 0;

  /** @param key - at most 255 bytes of ASCII */
  add(kind: KeyKind, key: Uint8Array, theme: number): void {
    const start = this.#end;
    const end = start + HEAD_BYTES + key.length;
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(2 * this.#bytes.length, INITIAL_BYTES));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
    }
    this.#bytes[start] = kind === 'user' ? 0 : 1;
    this.#bytes.writeUInt16BE(theme, start + 1);
    this.#bytes[start + 3] = key.length;
    this.#bytes.set(key, start + HEAD_BYTES);
    this.#end = end;
  }

  /** Returns all pairs since the last call. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#end));
    this.#end = 0;
    return taken;
  }
}

export function* readPairs(bytes: Buffer): Generator<{ kind: KeyKind; key: string; theme: number }> {
  for (let at = 0; at < bytes.length;) {
    const start = at + HEAD_BYTES;
    const end = start + (bytes[at + 3] ?? 0);
    yield {
      kind: bytes[at] === 0 ? 'user' : 'group',
      key: bytes.toString('latin1', start, end),
      theme: bytes.readUInt16BE(at + 1),
    };
    at = end;
  }
}
