import path from 'node:path';
import { sha256Of } from '../../disk/files.ts';
import { Cache } from '../../compiler/cache.ts';
import { IndexFile } from '../../compiler/index-file.ts';
import { ContainedFolder } from '../../disk/contained-folder.ts';

/** A file of the source, with the validators of its last response. */
interface FetchedFile {
  sha256: string;
  etag?: string | undefined;
  modified?: string | undefined;
}

/** Files between two saves of the index. */
const SAVE_INTERVAL = 20;

/** Stores fetched files in the user's cache: an interrupted import continues, and a later one fetches only changed files. */
export class FetchedFiles {
  readonly #cache: Cache;
  readonly #index: IndexFile;
  #unstored = 0;

  private constructor(cache: Cache, index: IndexFile) {
    this.#cache = cache;
    this.#index = index;
  }

  /** @param folder - the cache folder; without it, everything is fetched each time */
  static async open(folder: string | undefined, root: string): Promise<FetchedFiles> {
    const cache = await Cache.open(folder);
    const id = sha256Of(`import ${path.resolve(root)}`).slice(0, 32);
    const place = { dir: new ContainedFolder(cache.folder), folder: 'index', id };
    return new FetchedFiles(cache, new IndexFile(folder === undefined ? undefined : place));
  }

  /** Returns the last file of a URL; undefined if its bytes are no longer in the cache. */
  async find(url: string, limit: number): Promise<FetchedFile | undefined> {
    const entry = this.#index.get(url) as FetchedFile | undefined;
    return entry !== undefined && (await this.read(entry.sha256, limit)) !== undefined ? entry : undefined;
  }

  /** Returns the bytes with a digest; undefined if they are missing or damaged. */
  async read(sha256: string, limit: number): Promise<Buffer | undefined> {
    return this.#cache.read(sha256, limit);
  }

  /** Stores the bytes of a URL. @returns their digest */
  async add(url: string, bytes: Buffer, headers: Readonly<Record<string, string>>): Promise<string> {
    const sha256 = await this.#cache.add(bytes);
    this.#index.set(url, { sha256, etag: headers['etag'], modified: headers['last-modified'] } satisfies FetchedFile);
    if (++this.#unstored % SAVE_INTERVAL === 0) await this.#index.save();
    return sha256;
  }

  async close(): Promise<void> {
    await this.#index.save();
    await this.#cache.close();
  }
}
