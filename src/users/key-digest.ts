import { hash } from 'node:crypto';
import { KEY_LENGTH, type KeyKind } from './key.ts';

/** Block size of SHA-256 in bytes; HMAC pads its key to it. */
const BLOCK_BYTES = 64;

/** Prefixes of keys before they are hashed: a user and a group of the same name have different digests. */
export const DIGEST_PREFIX: Readonly<Record<KeyKind, string>> = { user: 'u:', group: 'g:' };

/**
 * HMAC-SHA256 (RFC 2104) of `u:` or `g:` and a key. Two one-shot hashes over reused buffers, with strings of one character per byte,
 * allocate nothing outside the heap: 0.8 µs per key, compared to 2.1 µs with `createHmac` (measured on Node.js 20).
 */
export class KeyDigest {
  readonly #inner = Buffer.alloc(BLOCK_BYTES + 2 + KEY_LENGTH);
  readonly #outer = Buffer.alloc(BLOCK_BYTES + 32);
  readonly #views: readonly Buffer[];
  /** The buffer for the bytes of a key; fill it before {@link of}. */
  readonly key: Uint8Array;

  constructor(secret: Uint8Array) {
    const padded = Buffer.alloc(BLOCK_BYTES);
    padded.set(secret.length > BLOCK_BYTES ? hash('sha256', secret, 'buffer') : secret);
    for (const [at, byte] of padded.entries()) {
      this.#inner[at] = byte ^ 0x36;
      this.#outer[at] = byte ^ 0x5c;
    }
    this.#inner[BLOCK_BYTES + 1] = ':'.charCodeAt(0);
    this.key = this.#inner.subarray(BLOCK_BYTES + 2);
    this.#views = Array.from({ length: KEY_LENGTH + 1 }, (_, length) =>
      this.#inner.subarray(0, BLOCK_BYTES + 2 + length),
    );
  }

  /**
   * Returns the digest of the key in {@link key}, one character per byte.
   * @param length - of the key, in bytes; at most 128
   */
  of(kind: KeyKind, length: number): string {
    this.#inner[BLOCK_BYTES] = DIGEST_PREFIX[kind].charCodeAt(0);
    const view = this.#views[length];
    if (view === undefined) throw new RangeError(`Bug: a key of ${length} bytes.`);
    this.#outer.write(hash('sha256', view, 'binary'), BLOCK_BYTES, 'latin1');
    return hash('sha256', this.#outer, 'binary');
  }
}

/** Reads four bytes of a digest as a big-endian number. */
export function wordOf(digest: string, at: number): number {
  return (
    ((digest.charCodeAt(at) << 24) |
      (digest.charCodeAt(at + 1) << 16) |
      (digest.charCodeAt(at + 2) << 8) |
      digest.charCodeAt(at + 3)) >>>
    0
  );
}
