import { AC, type AcCodes, type Codes, SEVERAL, SPARE } from './jpeg-codes.ts';

/** The tables by which a block is coded: of its first coefficient, and of the others. */
export interface Block {
  dc: Codes;
  ac: AcCodes;
}

/**
 * The bits of a number of units of a sequential scan (ITU-T T.81, §F.2.2).
 * @param bytes - with {@link SPARE} more at their end
 * @param unit - the blocks of a unit
 * @returns nothing where there is no code
 */
export function bitsOfUnits(bytes: Uint8Array, unit: readonly Block[], units: number): number | undefined {
  // Measured: a quarter faster than three single bytes at a time.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = (bytes.length - SPARE) * 8;
  let bit = 0;
  for (let left = units; left > 0; left--) {
    for (const { dc, ac } of unit) {
      if (bit >= end) return undefined;
      const first = dc[(view.getUint32(bit >> 3) << (bit & 7)) >>> 16] as number;
      if (first === 0) return undefined;
      bit += first;
      for (let k = 1; k < 64;) {
        if (bit >= end) return undefined;
        const next = view.getUint32(bit >> 3) << (bit & 7);
        const several = ac.several[next >>> (32 - SEVERAL)] as number;
        // The last of them must not be beyond the block: what follows would be read as if it belonged to this one.
        if (several !== 0 && k + (several >> 16) < 64) {
          bit += several & 255;
          k += (several >> 8) & 255;
          continue;
        }
        const code = ac.single[next >>> 16] as number;
        if (code === 0) return undefined;
        bit += AC.bits(code) + AC.size(code);
        k += AC.isEnd(code) ? 64 : AC.zeros(code) + 1;
      }
    }
  }
  return bit;
}
