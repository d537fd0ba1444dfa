/**
 * So many bytes of coded pixels may be missing without a decoder noticing, for what encoders fill up with: measured on files of
 * libwebp, up to nine. Even, so that no chunk needs other padding.
 */
const SLACK = 12;

/** Bytes of coded pixels: all of a stretch, and the field that says how long it is if that is not the chunk's own. */
interface Stretch {
  start: number;
  end: number;
  /** Where the field is, and the bits below its number. */
  size?: { at: number; shift: number };
}

/**
 * A WebP, each time without the last bytes of another stretch of its coded pixels. A decoder that takes one of them does not need
 * those bytes, so the file holds something else in their place.
 * @param webp - as it is published
 */
export function shortenedWebps(webp: Buffer): Buffer[] {
  const shortened: Buffer[] = [];
  for (let at = 12; at + 8 <= webp.length;) {
    const type = webp.toString('latin1', at, at + 4);
    const length = webp.readUInt32LE(at + 4);
    const [start, end] = [at + 8, at + 8 + length];
    const stretches =
      type === 'VP8 '
        ? partitions(webp, start, end)
        : type === 'VP8L'
          ? [{ start, end }]
          : type === 'ALPH' && webp.readUInt8(start) % 4 === 1 // compressed (RFC 9649, §2.7.1.2)
            ? [{ start: start + 1, end }]
            : [];
    for (const stretch of stretches)
      if (stretch.end - stretch.start > SLACK) shortened.push(without(webp, at, stretch));
    at = end + (length % 2);
  }
  return shortened;
}

/** @param chunk - where the chunk is that the stretch is in */
function without(webp: Buffer, chunk: number, { end, size }: Stretch): Buffer {
  const short = Buffer.concat([webp.subarray(0, end - SLACK), webp.subarray(end)]);
  for (const at of [4, chunk + 4]) short.writeUInt32LE(webp.readUInt32LE(at) - SLACK, at);
  if (size !== undefined) short.writeUIntLE(webp.readUIntLE(size.at, 3) - SLACK * 2 ** size.shift, size.at, 3);
  return short;
}

/** The partitions of a lossy image (RFC 6386, §9): of how each block is predicted, and one, two, four or eight of coefficients. */
function partitions(webp: Buffer, start: number, end: number): Stretch[] {
  const first = {
    start: start + 10,
    end: start + 10 + (webp.readUIntLE(start, 3) >> 5),
    size: { at: start, shift: 5 },
  };
  const count = coefficientPartitions(webp.subarray(first.start, first.end));
  const stretches: Stretch[] = [first];
  let at = first.end + 3 * (count - 1);
  for (let index = 0; index < count - 1; index++) {
    const size = { at: first.end + 3 * index, shift: 0 };
    const next = at + webp.readUIntLE(size.at, 3);
    stretches.push({ start: at, end: next, size });
    at = next;
  }
  return [...stretches, { start: at, end }];
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
