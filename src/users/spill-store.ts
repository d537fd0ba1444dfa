/** A range of bytes in a spill. */
export interface Extent {
  at: number;
  length: number;
}

/** Where bytes go that do not fit in memory. */
export interface SpillStore {
  append(bytes: Uint8Array): Extent;
  read(extent: Extent): Buffer;
}

/** Bytes in memory, or spilled. */
export type Stored = Extent | Buffer;
