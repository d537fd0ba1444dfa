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

export type StoredBytes = Extent | Buffer;
