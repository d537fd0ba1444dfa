import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { coloursOf, convertToSrgb } from '../../../src/core/image/colours.ts';

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length);
  bytes.write(type, 4);
  content.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

const numbers = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer).swap32()));
const png = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([Buffer.alloc(8), ...chunks, chunk('IDAT', Buffer.alloc(1))]);
const P3 = numbers(31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000);
const PROFILE = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(200))]);

/** Returns a pixel in sRGB. */
function converted(bytes: Buffer, ...pixel: number[]): number[] {
  const { encoding } = coloursOf(bytes, 'png');
  const pixels = Uint8Array.from(pixel);
  if (encoding !== undefined) convertToSrgb(pixels, pixel.length, encoding);
  return [...pixels];
}

describe('colours of a PNG', () => {
  it.each([
    ['no colour information', png(), [200, 100, 50]],
    ['a gamma of 2.2 alone', png(chunk('gAMA', numbers(45455))), [200, 100, 50]],
    ['linear light', png(chunk('gAMA', numbers(100000))), [229, 168, 122]],
    ['primaries without a gamma', png(chunk('cHRM', P3)), [200, 100, 50]],
    ['sRGB before a gamma', png(chunk('sRGB', Buffer.alloc(1)), chunk('gAMA', numbers(100000))), [200, 100, 50]],
    ['cICP of sRGB', png(chunk('cICP', Buffer.from([1, 13, 0, 1]))), [200, 100, 50]],
    ['cICP of Display P3', png(chunk('cICP', Buffer.from([12, 13, 0, 1]))), [215, 93, 31]],
    ['a profile before a gamma', png(chunk('iCCP', PROFILE), chunk('gAMA', numbers(100000))), [200, 100, 50]],
  ])('are converted with %s', (_, bytes, pixel) => {
    for (const [channel, value] of converted(bytes, 200, 100, 50).entries())
      expect(Math.abs(value - (pixel[channel] ?? 0))).toBeLessThanOrEqual(2);
  });

  it('keep their alpha, and are converted from grey', () => {
    expect(converted(png(chunk('gAMA', numbers(100000))), 200, 7)).toEqual([229, 7]);
    expect(converted(png(chunk('gAMA', numbers(100000))), 200, 200, 200, 7)).toEqual([229, 229, 229, 7]);
  });

  it('ignore a profile without its checksum, as browsers do', () => {
    expect(coloursOf(png(chunk('iCCP', PROFILE)), 'png').isProfileIgnored).toBe(false);
    expect(coloursOf(png(chunk('iCCP', PROFILE.subarray(0, -4))), 'png').isProfileIgnored).toBe(true);
  });

  it('cannot be converted from HDR', () => {
    const encoding = coloursOf(png(chunk('cICP', Buffer.from([9, 16, 0, 1]))), 'png').encoding;
    expect(encoding).toBeDefined();
    expect(encoding?.toLight).toBeUndefined();
  });
});
