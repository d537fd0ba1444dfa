import type { Range } from './references.ts';

/**
 * Elements that no viewer draws: what an editor says of the drawing and of who drew it, in RDF and XMP, which need not stand in
 * `<metadata>`, and `<i:pgf>`, the whole document of Illustrator with layers that are hidden. Any prefix may stand for their
 * namespaces: in others of the same names nothing is drawn, or they are refused.
 */
const METADATA: ReadonlySet<string> = new Set(['metadata', 'RDF', 'xmpmeta', 'pgf']);

/** The comments and the metadata of an SVG, which are left out of what is published. */
export class Unpublished {
  readonly ranges: Range[] = [];
  #start = 0;
  #depth = 0;

  /** Whether the parser is in metadata, which is not published. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  comment(range: Range): void {
    if (this.#depth === 0) this.ranges.push(range);
  }

  open(name: string, start: number): void {
    if (METADATA.has(name) && this.#depth++ === 0) this.#start = start;
  }

  close(name: string, end: number): void {
    if (METADATA.has(name) && --this.#depth === 0) this.ranges.push([this.#start, end]);
  }
}
