/** A box of an ISO base media file (ISO/IEC 14496-12, §4.2), with the offsets of its start, its content and its end. */
export interface Box {
  type: string;
  start: number;
  content: number;
  end: number;
}

/** Maximum number of adjacent boxes: an image with the largest grid has 65,536 parts. */
const MAX_BOXES = 100_000;

/** Parses the consecutive boxes between two offsets of a file. @returns the boxes, and the first incomplete one, if there is any */
export function boxesIn(bytes: Buffer, start: number, end: number): { boxes: Box[]; incomplete: Box | undefined } {
  const boxes: Box[] = [];
  for (let at = start; at < end;) {
    const box = boxAt(bytes, at, end);
    if (box.end > end || box.content > box.end || boxes.length === MAX_BOXES) return { boxes, incomplete: box };
    boxes.push(box);
    at = box.end;
  }
  return { boxes, incomplete: undefined };
}

function boxAt(bytes: Buffer, start: number, end: number): Box {
  const type = bytes.toString('latin1', start + 4, start + 8);
  if (start + 8 > end) return { type, start, content: start + 8, end: start };
  const length = bytes.readUInt32BE(start);
  if (length === 0) return { type, start, content: start + 8, end }; // up to the end of its container
  if (length !== 1) return { type, start, content: start + 8, end: start + length };
  const isComplete = start + 16 <= end;
  return {
    type,
    start,
    content: start + 16,
    end: isComplete ? start + Number(bytes.readBigUInt64BE(start + 8)) : start,
  };
}

/** Turns a box into free space, so that readers skip it and everything after it keeps its offset. */
export function freeBox(bytes: Buffer, box: Box): void {
  bytes.write('free', box.start + 4, 'latin1');
  bytes.fill(0, box.content, box.end);
}
