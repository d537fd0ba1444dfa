import { crc32, deflateSync } from 'node:zlib';
import type { Pixels } from '../image/pixels.ts';

/** The filter of a row: each pixel as its difference from the one to the left. */
const SUB = 1;

/** A PNG (https://www.w3.org/TR/png-3/) of pixels that were decoded already: 8-bit RGBA. */
export function pngOf({ width, height, rgba }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0, to = 0, from = 0; y < height; y++) {
    rows[to++] = SUB;
    for (let x = 0; x < width * 4; x++, from++) rows[to++] = (rgba[from] ?? 0) - (x < 4 ? 0 : (rgba[from - 4] ?? 0));
  }
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
