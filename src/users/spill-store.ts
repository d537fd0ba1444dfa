/** A range of bytes in a spill. */
export interface Extent {
  at: number;
  length: number;
}

/** A store for bytes that do not fit in memory. */
export interface SpillStore {
  append(bytes: Uint8Array): Extent;
  read(extent: Extent): Buffer;
}

/** Bytes in memory, or spilled. */
export type Stored = Extent | Buffer;
