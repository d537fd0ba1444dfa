import path from 'node:path';
import { sha256Of } from '../../disk/files.ts';
import { Cache } from '../../compiler/cache.ts';
import { IndexFile } from '../../compiler/index-file.ts';
import { ContainedFolder } from '../../disk/contained-folder.ts';

/** A file of the source, as it was fetched last. */
interface FetchedFile {
  sha256: string;
  etag?: string | undefined;
  modified?: string | undefined;
}

/** The record is saved after this many files: an import that is stopped goes on from there. */
const STORED_AFTER = 20;

/** What was fetched, in the cache of the user: an import that was stopped goes on, and a later one fetches only what has changed. */
export class FetchedFiles {
  readonly #cache: Cache;
  readonly #index: IndexFile;
  #unstored = 0;

  private constructor(cache: Cache, index: IndexFile) {
    this.#cache = cache;
    this.#index = index;
  }

  /** @param folder - of the cache; without one, all is fetched every time */
  static async open(folder: string | undefined, root: string): Promise<FetchedFiles> {
    const cache = await Cache.open(folder);
    const id = sha256Of(`import ${path.resolve(root)}`).slice(0, 32);
    const place = { dir: new ContainedFolder(cache.folder), folder: 'index', id };
    return new FetchedFiles(cache, new IndexFile(folder === undefined ? undefined : place));
  }

  /** What is known of a URL; nothing if its bytes are not there any more. */
  async known(url: string, limit: number): Promise<FetchedFile | undefined> {
    const entry = this.#index.get(url) as FetchedFile | undefined;
    return entry !== undefined && (await this.read(entry.sha256, limit)) !== undefined ? entry : undefined;
  }

  /** The bytes with a hash; nothing if there are none, or others. */
  async read(sha256: string, limit: number): Promise<Buffer | undefined> {
    return this.#cache.read(sha256, limit);
  }

  /** Stores the bytes of a URL. @returns their hash */
  async add(url: string, bytes: Buffer, headers: Readonly<Record<string, string>>): Promise<string> {
    const sha256 = await this.#cache.add(bytes);
    this.#index.set(url, { sha256, etag: headers['etag'], modified: headers['last-modified'] } satisfies FetchedFile);
    if (++this.#unstored % STORED_AFTER === 0) await this.#index.save();
    return sha256;
  }

  async close(): Promise<void> {
    await this.#index.save();
    await this.#cache.close();
  }
}
