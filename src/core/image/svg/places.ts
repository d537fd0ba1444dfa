import type { Range } from './references.ts';

/** Finds the places of a tag and its attributes: saxes only reports how far it has read. */
export class TagPlaces {
  readonly text: string;
  start = 0;
  #from = 0;
  ranges = new Map<string, Range>();

  constructor(text: string) {
    this.text = text;
  }

  /** Starts a tag whose name was read. @returns the range of the name, with the bracket */
  open(name: string, position: number): Range {
    this.start = this.text.lastIndexOf('<', position - 1);
    this.#from = this.start + 1 + name.length;
    this.ranges = new Map();
    return [this.start, this.#from];
  }

  add(name: string, position: number): void {
    const start = this.#from + this.text.slice(this.#from, position).search(/\S/);
    this.ranges.set(name, [start, position]);
    this.#from = position;
  }
}
