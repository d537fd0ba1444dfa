import type { Range } from './references.ts';

/** Where a tag and its attributes are: saxes only says how far it has read. */
export class TagPlaces {
  readonly text: string;
  start = 0;
  #from = 0;
  ranges = new Map<string, Range>();

  constructor(text: string) {
    this.text = text;
  }

  /** A tag has begun: its name was read. @returns where the name is, with the bracket */
  open(name: string, position: number): Range {
    this.start = this.text.lastIndexOf('<', position - 1);
    this.#from = this.start + 1 + name.length;
    this.ranges = new Map();
    return [this.start, this.#from];
  }

  /** An attribute was read. */
  add(name: string, position: number): void {
    const start = this.#from + this.text.slice(this.#from, position).search(/\S/);
    this.ranges.set(name, [start, position]);
    this.#from = position;
  }
}
