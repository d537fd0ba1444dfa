import { type Documents, documents } from '../../core/document/documents.ts';
import { manifest } from '../../core/document/files/manifest.ts';
import { type FileFacts, type OutputFile, partsOf } from '../../core/document/files/output-file.ts';
import { pageStyle } from '../runtime.ts';
import type { Site } from '../../core/theme/site/site.ts';
import { iconsOf, type Linked } from '../link/link.ts';
import type { Memory } from '../store/memory.ts';
import type { LinkedHosts, MediaFile } from '../model.ts';
import { schemaDocuments } from '../openapi/openapi.ts';

/** The files of the public output: images, documents, files for hosts, and the manifest of all of them. */
export class PublicFiles {
  readonly media: readonly MediaFile[];
  readonly #icons: readonly MediaFile[];
  readonly #texts: readonly Documents[];
  /** Facts about each document from an earlier build with the same inputs. */
  readonly #storedFacts: readonly (readonly FileFacts[] | undefined)[];
  readonly #hostFiles: readonly FileFacts[];
  readonly #site: Site;
  readonly #memory: Memory;
  #facts: FileFacts[] = [];

  constructor(linked: Linked, hosts: LinkedHosts, memory: Memory) {
    const { site } = linked.settings;
    const themes = linked.published;
    this.media = linked.media();
    this.#icons = iconsOf(themes, site, this.media);
    this.#texts = [...documents(themes, site, pageStyle()), ...schemaDocuments(themes, site, linked.rules)];
    this.#storedFacts = this.#texts.map(
      ({ name, inputs }) => memory.recall(`documents ${name}`, inputs) as FileFacts[] | undefined,
    );
    this.#hostFiles = hosts.public;
    this.#site = site;
    this.#memory = memory;
  }

  /** Yields each file when it is requested; the manifest last. */
  *files(): Generator<FileFacts | OutputFile | MediaFile> {
    const facts: FileFacts[] = [];
    for (const list of [this.media, this.#icons, this.#documents(), this.#hostFiles])
      for (const file of list) {
        yield file;
        // Without its text, to save memory.
        facts.push('content' in file ? withoutContent(file) : file);
      }
    const last = manifest(facts, this.#site);
    this.#facts = [...facts, withoutContent(last)];
    yield last;
  }

  get figures(): { files: number; bytes: number; media: number } {
    const bytes = this.#facts.reduce((sum, file) => sum + file.bytes, 0);
    return { files: this.#facts.length, bytes, media: this.media.length };
  }

  /** Yields documents with their sizes and hashes. With unchanged inputs, a document is made only if it is written. */
  *#documents(): Generator<OutputFile> {
    for (const [at, { name, inputs, files }] of this.#texts.entries()) {
      const stored = this.#storedFacts[at];
      const facts: FileFacts[] = [];
      for (const [index, { make }] of files.entries()) {
        const fact = stored?.[index];
        const file = fact === undefined ? make() : { ...fact, content: { parts: () => partsOf(make()) } };
        yield file;
        facts.push(fact ?? withoutContent(file));
      }
      if (stored === undefined) this.#memory.remember(`documents ${name}`, inputs, facts);
    }
  }
}

/** Returns the facts about a file without its content. */
export function withoutContent({ path, bytes, sha256 }: OutputFile): FileFacts {
  return { path, bytes, sha256 };
}
