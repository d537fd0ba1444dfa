import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyDigest, wordOf } from '../../../src/users/key-digest.ts';
import { KEY_BYTES, keyProblem } from '../../../src/users/key.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@+:|=/~-'.split('');

describe('keyProblem', () => {
  it.each(['a', '4711', 'ann@example.org', 'a.b_c@d+e:f|g=h/i~j-k', 'k'.repeat(128)])('%s is fine', (key) => {
    expect(keyProblem(key)).toBeUndefined();
  });

  it.each([
    ['~a', 'starts with `~`'],
    ['a b', 'contains a space at position 2'],
    ['a;', 'contains `;` at position 2'],
    ['ë', 'contains the character U+00EB at position 1'],
    ['a👩', 'contains the character U+1F469 at position 2'],
    ['k'.repeat(129), 'is 129 characters long, more than 128'],
  ])('%s %s', (key, problem) => {
    expect(keyProblem(key)).toBe(problem);
  });

  it('and the table of bytes agree on the alphabet', () => {
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
        for (const [of, text] of keys) {
          digest.key.set(Buffer.from(text));
          const expected = createHmac('sha256', bytes)
            .update(`${of === 'user' ? 'u:' : 'g:'}${text}`)
            .digest();
          const found = digest.of(of, text.length);
          expect(Buffer.from(found, 'latin1')).toEqual(expected);
          expect(wordOf(found, 8)).toBe(expected.readUInt32BE(8));
        }
      }),
    );
  });

  it('takes no key that is longer than its buffer', () => {
    expect(() => new KeyDigest(Buffer.alloc(32)).of('user', 129)).toThrow('Bug');
  });
});
