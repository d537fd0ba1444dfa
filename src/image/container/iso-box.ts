/** A box of an ISO base media file (ISO/IEC 14496-12, §4.2): where it starts, where its content does, and where both end. */
export interface Box {
  type: string;
  start: number;
  content: number;
  end: number;
}

/** Boxes side by side: an image of the largest grid has 65,536 parts. */
const BOX_LIMIT = 100_000;

/**
 * The boxes between two places of a file, one after the other.
 * @returns them, and where something begins that is no whole box, if anything does
 */
export function boxesIn(bytes: Buffer, start: number, end: number): { boxes: Box[]; rest: Box | undefined } {
  const boxes: Box[] = [];
  for (let at = start; at < end;) {
    const box = boxAt(bytes, at, end);
    if (box.end > end || box.content > box.end || boxes.length === BOX_LIMIT) return { boxes, rest: box };
    boxes.push(box);
    at = box.end;
  }
  return { boxes, rest: undefined };
}

function boxAt(bytes: Buffer, start: number, end: number): Box {
  const type = bytes.toString('latin1', start + 4, start + 8);
  if (start + 8 > end) return { type, start, content: start + 8, end: start };
  const length = bytes.readUInt32BE(start);
  if (length === 0) return { type, start, content: start + 8, end }; // up to the end of what it is in
  if (length !== 1) return { type, start, content: start + 8, end: start + length };
  const isWhole = start + 16 <= end;
  return { type, start, content: start + 16, end: isWhole ? start + Number(bytes.readBigUInt64BE(start + 8)) : start };
}

/** Turns a box into free space: readers pass over it, and everything behind it stays where it is. */
export function freeBox(bytes: Buffer, box: Box): void {
  bytes.write('free', box.start + 4, 'latin1');
  bytes.fill(0, box.content, box.end);
}
