import { AC, type AcCodes, codeAt, type Codes, severalAt } from './jpeg-codes.ts';

/** The tables by which a block is coded: of its first coefficient, and of the others. */
export interface Block {
  dc: Codes;
  ac: AcCodes;
}

/**
 * The bits of a number of units of a sequential scan (ITU-T T.81, §F.2.2).
 * @param unit - the blocks of a unit
 * @returns nothing where there is no code
 */
export function bitsOfUnits(bytes: Uint8Array, unit: readonly Block[], units: number): number | undefined {
  const end = bytes.length * 8;
  let bit = 0;
  for (let left = units; left > 0; left--) {
    for (const { dc, ac } of unit) {
      const first = bit < end ? codeAt(dc, bytes, bit) : 0;
      if (first === 0) return undefined;
      bit += first;
      for (let k = 1; k < 64;) {
        const several = severalAt(ac, bytes, bit);
        // The last of them must not be beyond the block: what follows would be read as if it belonged to this one.
        if (several !== 0 && k + (several >> 16) < 64) {
          bit += several & 255;
          k += (several >> 8) & 255;
          continue;
        }
        const code = codeAt(ac, bytes, bit);
        if (code === 0) return undefined;
        bit += AC.bits(code) + AC.size(code);
        k += AC.isEnd(code) ? 64 : AC.zeros(code) + 1;
      }
    }
  }
  return bit;
}
