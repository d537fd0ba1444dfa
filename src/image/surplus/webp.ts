/**
 * So many bytes of coded pixels may be missing without a decoder noticing, for what encoders fill up with: measured on files of
 * libwebp, up to nine.
 */
const SLACK = 12;

/** The most bytes of zeros that an empty macroblock reads: 25 decisions of at most seven bits (RFC 6386, §7.3, §13.3). */
const EMPTY_MACROBLOCK = 22;

/** The frame header of a lossy image: length of the first partition, start code, width and height (RFC 6386, §9.1). */
const FRAME_HEADER = 10;

/**
 * The images of a WebP, each time without the last bytes of another stretch of coded pixels. A decoder that takes one of them does
 * not need those bytes, so the file holds something else in their place.
 * @param webp - as it is published
 */
export function shortenedWebps(webp: Buffer): Buffer[] {
  const chunks = chunksOf(webp);
  const [lossy, alpha, lossless] = ['VP8 ', 'ALPH', 'VP8L'].map((type) => chunks.get(type));
  return [
    ...(lossy === undefined ? [] : shortenedLossy(lossy)),
    ...(lossy === undefined || alpha === undefined ? [] : shortenedAlpha(alpha, lossy)),
    ...(lossless === undefined ? [] : shortenedLossless(lossless)),
  ];
}

function chunksOf(webp: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + 8 <= webp.length;) {
    const length = webp.readUInt32LE(at + 4);
    chunks.set(webp.toString('latin1', at, at + 4), webp.subarray(at + 8, at + 8 + length));
    at += 8 + length + (length % 2);
  }
  return chunks;
}

function shortenedLossless(content: Buffer): Buffer[] {
  return isLong(content) ? [simpleWebp('VP8L', [shortened(content)])] : [];
}

/** Compressed transparency is a lossless image without its header (RFC 9649, §2.7.1.2, §3.4), much faster to decode than the whole file. */
function shortenedAlpha(alpha: Buffer, lossy: Buffer): Buffer[] {
  if (alpha.readUInt8(0) % 4 !== 1) return [];
  const header = Buffer.alloc(5, 0x2f);
  header.writeUInt32LE(sideOf(lossy, 6) - 1 + (sideOf(lossy, 8) - 1) * 2 ** 14, 1);
  return shortenedLossless(Buffer.concat([header, alpha.subarray(1)]));
}

/** The partitions of a lossy image (RFC 6386, §9): of how each block is predicted, and one, two, four or eight of coefficients. */
function shortenedLossy(content: Buffer): Buffer[] {
  const end = FRAME_HEADER + (content.readUIntLE(0, 3) >> 5);
  const modes = content.subarray(FRAME_HEADER, end);
  const coefficients = coefficientsOf(content, end, coefficientPartitions(modes));
  // Without coefficients: measured, 50 ms instead of 90 to 170 for 16 megapixels.
  const rows = Math.ceil(Math.ceil(sideOf(content, 8) / 16) / coefficients.length);
  const empty = Buffer.alloc((rows * Math.ceil(sideOf(content, 6) / 16) + 1) * EMPTY_MACROBLOCK);
  return [
    ...(isLong(modes)
      ? [
          lossyWebp(
            content,
            shortened(modes),
            coefficients.map(() => empty),
          ),
        ]
      : []),
    ...coefficients.flatMap((one, index) =>
      isLong(one) ? [lossyWebp(content, modes, coefficients.with(index, shortened(one)))] : [],
    ),
  ];
}

/** The partitions of coefficients; the sizes of all but the last come first (§9.5). */
function coefficientsOf(content: Buffer, start: number, count: number): Buffer[] {
  let at = start + 3 * (count - 1);
  return Array.from({ length: count }, (_, index) => {
    const end = index === count - 1 ? content.length : at + content.readUIntLE(start + 3 * index, 3);
    const partition = content.subarray(at, end);
    at = end;
    return partition;
  });
}

function lossyWebp(content: Buffer, modes: Buffer, coefficients: readonly Buffer[]): Buffer {
  const header = Buffer.from(content.subarray(0, FRAME_HEADER));
  header.writeUIntLE((header.readUIntLE(0, 3) % 32) + modes.length * 32, 0, 3);
  const sizes = Buffer.alloc(3 * (coefficients.length - 1));
  for (const [index, { length }] of coefficients.slice(0, -1).entries()) sizes.writeUIntLE(length, 3 * index, 3);
  return simpleWebp('VP8 ', [header, modes, sizes, ...coefficients]);
}

/** A file of one chunk (RFC 9649, §2.5, §2.6). */
function simpleWebp(type: 'VP8 ' | 'VP8L', content: readonly Buffer[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  const header = Buffer.from(`RIFF....WEBP${type}....`);
  header.writeUInt32LE(12 + length + (length % 2), 4);
  header.writeUInt32LE(length, 16);
  return Buffer.concat([header, ...content, Buffer.alloc(length % 2)]);
}

/** Width or height of a lossy image, without the two bits for its scaling. */
function sideOf(content: Buffer, at: number): number {
  return content.readUInt16LE(at) % 2 ** 14;
}

function isLong(stretch: Buffer): boolean {
  return stretch.length > SLACK;
}

function shortened(stretch: Buffer): Buffer {
  return stretch.subarray(0, -SLACK);
}

/** How many partitions of coefficients the frame header announces (§9.2 to §9.5, §19.2). */
function coefficientPartitions(header: Buffer): number {
  const bits = evenBits(header);
  const signed = (values: number, size: number): void => {
    for (let left = values; left > 0; left--) if (bits(1) === 1) bits(size + 1);
  };
  bits(2); // colour space, clamping
  if (bits(1) === 1) {
    const [updatesMap, updatesData] = [bits(1), bits(1)];
    if (updatesData === 1) {
      bits(1);
      signed(4, 7);
      signed(4, 6);
    }
    if (updatesMap === 1) for (let left = 3; left > 0; left--) if (bits(1) === 1) bits(8);
  }
  bits(10); // loop filter
  if (bits(1) === 1 && bits(1) === 1) signed(8, 6);
  return 2 ** bits(2);
}

/** Reads numbers of so many bits that are as likely 0 as 1, as frame headers are coded (§7.3). */
function evenBits(bytes: Buffer): (count: number) => number {
  let [at, range, value, shifted] = [2, 255, bytes.readUInt16BE(0), 0];
  const bit = (): number => {
    const split = 1 + (((range - 1) * 128) >> 8);
    const isOne = value >= split * 256;
    if (isOne) value -= split * 256;
    range = isOne ? range - split : split;
    for (; range < 128; range *= 2) {
      value *= 2;
      if (++shifted < 8) continue;
      shifted = 0;
      value += bytes[at++] ?? 0;
    }
    return isOne ? 1 : 0;
  };
  return (count) => {
    let number = 0;
    for (let left = count; left > 0; left--) number = number * 2 + bit();
    return number;
  };
}
