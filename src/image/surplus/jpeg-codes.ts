/** A Huffman table (ITU-T T.81, §C) as what to do at the next 16 bits; 0 where no code begins so. */
export type Codes = Uint32Array;

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
  const codes = new Uint32Array(2 ** 16);
  let [at, code] = [0, 0];
  for (const [index, count] of lengths.entries()) {
    const span = 2 ** (15 - index);
    for (let left = count; left > 0 && code < 2 ** 16; left--, code += span)
      codes.fill(meaning(index + 1, symbols[at++] ?? 0), code, code + span);
  }
  return codes;
}

/** The codes of all coefficients of a block but the first. */
export interface AcCodes {
  single: Codes;
  /**
   * By the next {@link SEVERAL} bits, all coefficients that are whole in them, which saves half of the time: their bits; from the 8th
   * bit on, how many coefficients they are; and from the 16th on, how many without the last.
   */
  several: Uint32Array;
}

/** Measured: with more bits, the tables take longer to make than they save. */
export const SEVERAL = 12;

/** Bytes after the last coded one, so that 32 bits can be read from each. */
export const SPARE = 4;

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
  const single = codesOf(lengths, symbols, AC.meaning);
  const several = new Uint32Array(2 ** SEVERAL);
  for (let next = 0; next < several.length; next++) {
    let [bits, count, before, isEnd] = [0, 0, 0, false];
    while (!isEnd) {
      const code = single[(next << (16 - SEVERAL + bits)) & 0xffff] as number;
      const length = AC.bits(code) + AC.size(code);
      if (code === 0 || bits + length > SEVERAL) break;
      isEnd = AC.isEnd(code);
      before = count;
      bits += length;
      count += isEnd ? 64 : AC.zeros(code) + 1;
    }
    several[next] = bits | (count << 8) | (before << 16);
  }
  return { single, several };
}
