/** The names of themes, slugs or ids, each with the index of its theme. An empty one is none. */
export class Names {
  readonly byText: ReadonlyMap<string, number>;
  readonly bytes: readonly Uint8Array[];
  readonly byHash = new Map<number, number>();

  constructor(names: readonly string[]) {
    this.byText = new Map(names.flatMap((name, index) => (name === '' ? [] : [[name, index]])));
    this.bytes = names.map((name) => Buffer.from(name));
    for (const index of this.byText.values()) {
      const hash = this.bytes[index]?.reduce(hashed, 0) ?? 0;
      // Two names of one hash are both looked up by text.
      this.byHash.set(hash, this.byHash.has(hash) ? -1 : index);
    }
  }
}

/** The hash of a name, byte by byte. */
export function hashed(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}
