/** A Huffman table (ITU-T T.81, §C) as what to do at the next bits; 0 where no code begins so. */
export interface Codes {
  /** By the next {@link SHORT} bits, for codes that are no longer: small enough for the fastest memory of a processor. */
  short: Uint32Array;
  /** By the next 16 bits. */
  long: Uint32Array;
}

const SHORT = 10;

/**
 * @param lengths - how many codes there are of 1 to 16 bits
 * @param symbols - what they stand for
 * @param meaning - what a code of so many bits and its symbol come to, as a number over 0
 */
export function codesOf(
  lengths: Uint8Array,
  symbols: Uint8Array,
  meaning: (bits: number, symbol: number) => number,
): Codes {
  const codes = { short: new Uint32Array(2 ** SHORT), long: new Uint32Array(2 ** 16) };
  let [at, code] = [0, 0];
  for (const [index, count] of lengths.entries()) {
    const span = 2 ** (15 - index);
    for (let left = count; left > 0 && code < 2 ** 16; left--, code += span) {
      const found = meaning(index + 1, symbols[at++] ?? 0);
      codes.long.fill(found, code, code + span);
      if (index < SHORT) codes.short.fill(found, code >> (16 - SHORT), (code + span) >> (16 - SHORT));
    }
  }
  return codes;
}

/** What to do at a bit of a buffer; 0 if no code begins there. */
export function codeAt({ short, long }: Codes, bytes: Uint8Array, bit: number): number {
  const next = next16(bytes, bit);
  return (short[next >> (16 - SHORT)] as number) || (long[next] as number);
}

/** The codes of all coefficients of a block but the first. */
export interface AcCodes extends Codes {
  /**
   * By the next {@link SEVERAL} bits, all coefficients that are whole in them, which saves half of the time: their bits; from the 8th
   * bit on, how many coefficients they are; and from the 16th on, how many without the last.
   */
  several: Uint32Array;
}

const SEVERAL = 12;

/** A code of coefficients: its bits, how many zeros come first, and how many bits the number has that follows (§F.1.2.2). */
export const AC = {
  meaning: (bits: number, symbol: number): number => bits | (symbol << 8),
  bits: (code: number): number => code & 255,
  zeros: (code: number): number => code >> 12,
  size: (code: number): number => (code >> 8) & 15,
  /** No number follows, and it does not stand for 16 zeros either: in a sequential scan the block ends. */
  isEnd: (code: number): boolean => ((code >> 8) & 15) === 0 && code >> 12 !== 15,
} as const;

export function acCodesOf(lengths: Uint8Array, symbols: Uint8Array): AcCodes {
  const codes = codesOf(lengths, symbols, AC.meaning);
  const several = new Uint32Array(2 ** SEVERAL);
  for (let next = 0; next < several.length; next++) {
    let [bits, count, before, isEnd] = [0, 0, 0, false];
    while (!isEnd) {
      const code = codes.long[(next << (16 - SEVERAL + bits)) & 0xffff] as number;
      const length = AC.bits(code) + AC.size(code);
      if (code === 0 || bits + length > SEVERAL) break;
      isEnd = AC.isEnd(code);
      before = count;
      bits += length;
      count += isEnd ? 64 : AC.zeros(code) + 1;
    }
    several[next] = bits | (count << 8) | (before << 16);
  }
  return { ...codes, several };
}

/** What {@link AcCodes.several} has at a bit of a buffer; 0 if no coefficient is whole there. */
export function severalAt({ several }: AcCodes, bytes: Uint8Array, bit: number): number {
  return several[next16(bytes, bit) >> (16 - SEVERAL)] as number;
}

/** Bytes after the bits that are read last, so that 16 bits can be looked at from each of them. */
export const SPARE = 4;

/** The 16 bits of a buffer that begin at a bit. */
export function next16(bytes: Uint8Array, bit: number): number {
  const at = bit >> 3;
  const three = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
  return (three >> (8 - (bit & 7))) & 0xffff;
}
