import type { Range } from './references.ts';

/**
 * Elements that no viewer draws. These are metadata of editors about the drawing and its author, in RDF and XMP, which need not be inside
 * `<metadata>`; and `<i:pgf>`, the whole Illustrator document including hidden layers. Their prefixes vary. Elements of the same names in other
 * namespaces are not drawn, or are rejected.
 */
const METADATA: ReadonlySet<string> = new Set(['metadata', 'RDF', 'xmpmeta', 'pgf']);

/** Attributes in which Inkscape and Sodipodi store names of files. */
const FILE_ATTRIBUTE = /^(?:absref|docbase|docname|export-filename)$/;

/** Collects the comments and the metadata of an SVG, which are not published. */
export class Unpublished {
  readonly ranges: Range[] = [];
  #start = 0;
  #depth = 0;

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  comment(range: Range): void {
    if (this.#depth === 0) this.ranges.push(range);
  }

  /** Leaves out an attribute in which an editor keeps a name of a file on the author's machine. */
  attribute(name: string, range: Range): void {
    if (this.#depth === 0 && FILE_ATTRIBUTE.test(name)) this.ranges.push(range);
  }

  open(name: string, start: number): void {
    if (METADATA.has(name) && this.#depth++ === 0) this.#start = start;
  }

  close(name: string, end: number): void {
    if (METADATA.has(name) && --this.#depth === 0) this.ranges.push([this.#start, end]);
  }
}
