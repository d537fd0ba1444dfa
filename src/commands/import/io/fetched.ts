import { sha256Of } from '../../../system/disk/files.ts';
import { Cache } from '../../../compiler/store/cache.ts';

/** A file of the source, with the validators of its last response. */
interface FetchedFile {
  sha256: string;
  etag?: string | undefined;
  modified?: string | undefined;
}

/** Stores fetched files in the user's cache: an interrupted import continues, and a later one fetches only changed files. */
export class FetchedFiles {
  readonly #cache: Cache;

  private constructor(cache: Cache) {
    this.#cache = cache;
  }

  /** @param folder - the cache folder; without it, everything is fetched each time */
  static async open(folder: string | undefined): Promise<FetchedFiles> {
    return new FetchedFiles(await Cache.open(folder));
  }

  /** Returns the last file of a URL; undefined if its bytes are no longer in the cache. */
  async find(url: string, limit: number): Promise<FetchedFile | undefined> {
    const json = this.#cache.recall(keyOf(url));
    const file = json === undefined ? undefined : (JSON.parse(json) as FetchedFile);
    return file !== undefined && (await this.read(file.sha256, limit)) !== undefined ? file : undefined;
  }

  /** Returns the bytes with a digest; undefined if they are missing or damaged. */
  async read(sha256: string, limit: number): Promise<Buffer | undefined> {
    return this.#cache.read(sha256, limit);
  }

  /** Stores the bytes of a URL. @returns their digest */
  async add(url: string, bytes: Buffer, headers: Readonly<Record<string, string>>): Promise<string> {
    const sha256 = await this.#cache.add(bytes);
    const file: FetchedFile = { sha256, etag: headers['etag'], modified: headers['last-modified'] };
    await this.#cache.remember(keyOf(url), file);
    return sha256;
  }

  async close(): Promise<void> {
    await this.#cache.close();
  }
}

const keyOf = (url: string): string => sha256Of(`fetched ${url}`);
