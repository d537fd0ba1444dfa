import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyDigest, wordOf } from '../../../src/users/key-digest.ts';
import { KEY_BYTES } from '../../../src/users/key.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@+:|=/~-'.split('');

describe('keyProblem', () => {
  it('accepts the same alphabet as the table of bytes', () => {
    const bytes = [...KEY_BYTES.keys()].filter((byte) => KEY_BYTES[byte] === 1);
    expect(bytes).toEqual(ALPHABET.map((character) => character.charCodeAt(0)).toSorted((a, b) => a - b));
  });
});

describe('KeyDigest', () => {
  it('is HMAC-SHA256, for secrets shorter and longer than a block', () => {
    const key = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 1, maxLength: 128 });
    const secret = fc.uint8Array({ minLength: 32, maxLength: 200 });
    const kind = fc.constantFrom('user' as const, 'group' as const);
    fc.assert(
      fc.property(secret, fc.array(fc.tuple(kind, key), { minLength: 1, maxLength: 5 }), (bytes, keys) => {
        const digest = new KeyDigest(bytes);
        for (const [keyKind, text] of keys) {
          digest.key.set(Buffer.from(text));
          const expected = createHmac('sha256', bytes)
            .update(`${keyKind === 'user' ? 'u:' : 'g:'}${text}`)
            .digest();
          const actual = digest.of(keyKind, text.length);
          expect(Buffer.from(actual, 'latin1')).toEqual(expected);
          expect(wordOf(actual, 8)).toBe(expected.readUInt32BE(8));
        }
      }),
    );
  });

  it('rejects a key that is longer than its buffer', () => {
    expect(() => new KeyDigest(Buffer.alloc(32)).of('user', 129)).toThrow('Bug');
  });
});
