import { codedImages } from '../container/gif.ts';
import { isFill } from './fill.ts';

/** The most codes of LZW in a GIF, and the bits of the longest (GIF89a, appendix F). */
const CODES = 4096;
const LONGEST = 12;

/**
 * How many bytes a GIF holds within its coded pixels that no pixel needs; fill bytes do not count.
 * @param gif - as it is published
 * @returns nothing if the pixels end too early, or are not coded as they should be
 */
export function gifSurplus(gif: Buffer): number | undefined {
  let surplus = 0;
  for (const { pixels, bits, codes } of codedImages(gif)) {
    if (bits < 1 || bits > 11) return undefined;
    const used = usedBytes(codes, bits, pixels);
    if (used === undefined) return undefined;
    const rest = codes.subarray(used);
    if (!isFill(rest)) surplus += rest.length;
  }
  return surplus;
}

/**
 * The bytes that the codes of so many pixels take. What a code stands for does not matter, only how many pixels.
 * @param bits - of the smallest code
 */
function usedBytes(bytes: Buffer, bits: number, pixels: number): number | undefined {
  const [clear, end] = [1 << bits, (1 << bits) + 1];
  const counts = new Uint32Array(CODES).fill(1, 0, clear);
  let [bit, size, next, before] = [0, bits + 1, end + 1, -1];
  const read = (): number => {
    const at = bit >> 3;
    const three = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    return (three >> (bit & 7)) & ((1 << size) - 1);
  };
  for (let left = pixels; left > 0;) {
    if (bit + size > bytes.length * 8) return undefined;
    const code = read();
    bit += size;
    if (code === end) return Math.ceil(bit / 8);
    if (code === clear) {
      [size, next, before] = [bits + 1, end + 1, -1];
      continue;
    }
    if (code > next || (before === -1 && code > clear)) return undefined;
    if (before !== -1 && next < CODES) {
      counts[next] = (counts[before] as number) + 1;
      next++;
      if (next === 1 << size && size < LONGEST) size++;
    }
    left -= counts[code] as number;
    before = code;
  }
  // Some encoders clear their table once more before they end.
  if (read() === clear) {
    bit += size;
    size = bits + 1;
  }
  return Math.ceil((read() === end ? bit + size : bit) / 8);
}
