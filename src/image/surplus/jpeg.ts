import { isFill } from './fill.ts';
import { type AcCodes, acCodesOf, type Codes, codesOf, SPARE } from './jpeg-codes.ts';
import { bitsOfUnits, type Block } from './jpeg-scan.ts';

// Markers (ITU-T T.81, table B.1).
const [SOF0, SOF1, SOF2, DHT, SOS, DRI] = [0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdd];

/** What is known of a JPEG where its pixels begin. */
interface Header {
  width: number;
  height: number;
  components: Component[];
  /** Units between restarts; 0 for none. */
  restartInterval: number;
  dc: Codes[];
  ac: AcCodes[];
}

interface Component {
  id: number;
  /** Blocks side by side and above each other in a unit of several components (§A.2.3). */
  across: number;
  down: number;
}

/**
 * How many bytes a JPEG holds within its coded pixels that no pixel needs; fill bytes do not count. Reads how long the codes are, and
 * nothing else of them. Where the pixels are in several scans, there is nothing to look for: libjpeg reads such a file to its end
 * before it shows anything of it, and warns of what it does not need, which is refused.
 * @param jpeg - as it is published
 * @returns nothing if the pixels end too early, or are not coded as they should be
 */
export function jpegSurplus(jpeg: Buffer): number | undefined {
  const header: Header = { width: 0, height: 0, components: [], restartInterval: 0, dc: [], ac: [] };
  for (let at = 2; ;) {
    const marker = jpeg.readUInt8(at + 1);
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    const content = jpeg.subarray(at + 4, end);
    if (marker === SOF2) return 0;
    if (marker === DHT) readTables(content, header);
    if (marker === DRI) header.restartInterval = content.readUInt16BE(0);
    if (marker === SOF0 || marker === SOF1) readFrame(content, header);
    if (marker === SOS) return surplusOf(content, intervalsAt(jpeg, end), header);
    at = end;
  }
}

function readTables(content: Buffer, { dc, ac }: Header): void {
  for (let at = 0; at < content.length;) {
    const head = content.readUInt8(at);
    const lengths = content.subarray(at + 1, at + 17);
    const end = at + 17 + lengths.reduce((sum, count) => sum + count, 0);
    const symbols = content.subarray(at + 17, end);
    if (head >> 4 === 1) ac[head & 15] = acCodesOf(lengths, symbols);
    else dc[head & 15] = codesOf(lengths, symbols, (bits, symbol) => bits + (symbol & 15)); // and of the number that follows
    at = end;
  }
}

function readFrame(content: Buffer, header: Header): void {
  header.height = content.readUInt16BE(1);
  header.width = content.readUInt16BE(3);
  header.components = Array.from({ length: content.readUInt8(5) }, (_, index) => {
    const factors = content.readUInt8(7 + 3 * index);
    return { id: content.readUInt8(6 + 3 * index), across: factors >> 4, down: factors & 15 };
  });
}

/** The coded bytes of a scan between its restarts (§B.1.1.5, §B.2.1), without what is stuffed between them. */
function intervalsAt(jpeg: Buffer, start: number): Uint8Array[] {
  const intervals: Uint8Array[] = [];
  let pieces: Buffer[] = [];
  for (let at = start; ;) {
    const found = jpeg.indexOf(0xff, at);
    if (found === -1) throw new RangeError('The pixels have no end.');
    let next = found + 1;
    while (jpeg[next] === 0xff) next++;
    const marker = jpeg.readUInt8(next);
    pieces.push(jpeg.subarray(at, marker === 0 ? found + 1 : found));
    at = next + 1;
    if (marker === 0) continue;
    intervals.push(Buffer.concat([...pieces, Buffer.alloc(SPARE)]));
    pieces = [];
    if (marker < 0xd0 || marker > 0xd7) return intervals;
  }
}

/** What is left over in the intervals of a scan. */
function surplusOf(scan: Buffer, intervals: readonly Uint8Array[], header: Header): number | undefined {
  const { components, restartInterval } = header;
  if (scan.readUInt8(0) < components.length) return 0;
  const [across, down] = [
    Math.max(...components.map((one) => one.across)),
    Math.max(...components.map((one) => one.down)),
  ];
  // A component alone is coded block by block, several unit by unit, each with as many blocks of a component as its factors say (§A.2).
  const isAlone = components.length === 1;
  const [columns, rows] = isAlone ? [1, 1] : [across, down];
  const units = Math.ceil(header.width / columns / 8) * Math.ceil(header.height / rows / 8);
  const unit: Block[] = [];
  for (const [index, component] of components.entries()) {
    const selector = scan.readUInt8(2 + 2 * index);
    const [dc, ac] = [header.dc[selector >> 4], header.ac[selector & 15]];
    if (dc === undefined || ac === undefined || scan.readUInt8(1 + 2 * index) !== component.id) return undefined;
    for (let left = isAlone ? 1 : component.across * component.down; left > 0; left--) unit.push({ dc, ac });
  }
  const step = restartInterval === 0 ? units : restartInterval;
  if (intervals.length * step < units) return undefined;
  let surplus = 0;
  for (const [index, bytes] of intervals.entries()) {
    const left = Math.max(0, Math.min(step, units - index * step));
    const bits = bitsOfUnits(bytes, unit, left);
    const length = bytes.length - SPARE;
    if (bits === undefined || bits > length * 8) return undefined;
    const rest = bytes.subarray(Math.ceil(bits / 8), length);
    if (!isFill(rest)) surplus += rest.length;
  }
  return surplus;
}
