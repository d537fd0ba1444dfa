import { type Documents, documents } from '../document/documents.ts';
import { manifest } from '../document/manifest.ts';
import { type FileFacts, type OutputFile, partsOf } from '../document/output-file.ts';
import { openApiTemplate, pageStyle } from './runtime.ts';
import type { Site } from '../theme/site.ts';
import { iconsOf, type Linked } from './link.ts';
import type { Memory } from './memory.ts';
import type { LinkedHosts, MediaFile } from './model.ts';
import { schemaDocuments } from './openapi/documents.ts';

/** The files of the public output: images, documents, files of hosts, and the manifest of all of them. */
export class PublicFiles {
  readonly media: readonly MediaFile[];
  readonly #icons: readonly MediaFile[];
  readonly #texts: readonly Documents[];
  /** The documents as they were made of the same before. */
  readonly #known: readonly (readonly FileFacts[] | undefined)[];
  readonly #ofHosts: readonly FileFacts[];
  readonly #site: Site;
  readonly #memory: Memory;
  #rows: FileFacts[] = [];
  /** The manifest, if it is known before anything is made. */
  readonly manifest: OutputFile | undefined;

  constructor(linked: Linked, hosts: LinkedHosts, memory: Memory) {
    const { site } = linked.settings;
    const themes = linked.published();
    this.media = linked.media();
    this.#icons = iconsOf(themes, site, this.media);
    this.#texts = [
      ...documents(themes, site, pageStyle()),
      ...schemaDocuments(themes, site, linked.rules, openApiTemplate),
    ];
    this.#known = this.#texts.map(
      ({ name, inputs }) => memory.recall(`documents ${name}`, inputs) as FileFacts[] | undefined,
    );
    this.#ofHosts = hosts.public;
    this.#site = site;
    this.#memory = memory;
    if (this.#known.every((facts) => facts !== undefined)) {
      const all = [...this.media, ...this.#icons, ...this.#known.flat(), ...this.#ofHosts];
      this.manifest = manifest(all, site);
      this.#rows = [...all, this.manifest];
    }
  }

  /** Each file, made when it is asked for; the manifest last. */
  *files(): Generator<FileFacts | OutputFile | MediaFile> {
    const rows: FileFacts[] = [];
    for (const list of [this.media, this.#icons, this.#documents(), this.#ofHosts])
      for (const file of list) {
        yield file;
        // Without its text.
        rows.push('content' in file ? withoutContent(file) : file);
      }
    const last = manifest(rows, this.#site);
    this.#rows = [...rows, withoutContent(last)];
    yield last;
  }

  get figures(): { files: number; bytes: number; media: number } {
    const bytes = this.#rows.reduce((sum, file) => sum + file.bytes, 0);
    return { files: this.#rows.length, bytes, media: this.media.length };
  }

  /** Documents with their sizes and hashes. Those whose inputs have not changed are only made if they are written. */
  *#documents(): Generator<OutputFile> {
    for (const [at, { name, inputs, files }] of this.#texts.entries()) {
      const known = this.#known[at];
      const facts: FileFacts[] = [];
      for (const [index, { make }] of files.entries()) {
        const fact = known?.[index];
        const made = fact === undefined ? make() : { ...fact, content: { parts: () => partsOf(make()) } };
        yield made;
        facts.push(fact ?? withoutContent(made));
      }
      if (known === undefined) this.#memory.remember(`documents ${name}`, inputs, facts);
    }
  }
}

/** The path, size and hash of a file that was made. */
export function withoutContent({ path, bytes, sha256, mediaType, cacheClass }: OutputFile): FileFacts {
  return { path, bytes, sha256, mediaType, cacheClass };
}
