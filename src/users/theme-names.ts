/** The names of themes, slugs or ids, each with the index of its theme; empty names are omitted. */
export class Names {
  readonly byText: ReadonlyMap<string, number>;
  readonly bytes: readonly Uint8Array[];
  readonly byHash = new Map<number, number>();

  constructor(names: readonly string[]) {
    this.byText = new Map(names.flatMap((name, index) => (name === '' ? [] : [[name, index]])));
    this.bytes = names.map((name) => Buffer.from(name));
    for (const index of this.byText.values()) {
      const hash = this.bytes[index]?.reduce(hashed, 0) ?? 0;
      // If two names have the same hash, both are looked up as text.
      this.byHash.set(hash, this.byHash.has(hash) ? -1 : index);
    }
  }
}

/** Adds a byte to the hash of a name. */
export function hashed(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}
