import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { sha256Of } from '../files.ts';
import type { ContainedFolder } from '../output/contained-folder.ts';
import { writableFolder } from '../output/tracked.ts';

/** The folder, beside the themes, in which an import remembers what it has done. */
export const IMPORT_FOLDER = '.themecast-import';

/** A file of the source, as it was fetched last. */
export interface FetchedFile {
  url: string;
  sha256: string;
  etag?: string | undefined;
  modified?: string | undefined;
}

interface WrittenFile {
  file: string;
  sha256: string;
  /** Of a `theme.yaml`: the id of its theme. */
  id?: number | undefined;
}

const JOURNAL = 'journal.ndjson';
const WRITTEN = 'written.ndjson';
const COMPLETE = 'complete';
/** Git ignores all but the hashes of what was written, and that the last import came to its end: a clone needs both. */
const GITIGNORE = `*\n!/.gitignore\n!/${WRITTEN}\n!/${COMPLETE}\n`;
const MAX_JOURNAL = 64 * 1024 * 1024;

/**
 * What was fetched, and what was written, so that an import that was stopped goes on, and a later one fetches and writes only what
 * has changed. It is data from outside: objects are named by their hash, and used only if they have it.
 */
export class ImportStore {
  readonly #dir: ContainedFolder;
  readonly #fetched = new Map<string, FetchedFile>();
  /** Hashes of the contents that imports have written, by file. */
  readonly #written = new Map<string, Set<string>>();
  /** Folder names of themes by id. */
  readonly slugs = new Map<number, string>();

  /** Whether the last import came to its end. What it wrote and is not there any more was deleted since. */
  readonly wasComplete: boolean;

  private constructor(dir: ContainedFolder) {
    this.#dir = dir;
    this.wasComplete = dir.hasFile(COMPLETE);
  }

  /** @param root - the folder that has the themes folder in it */
  static async open(root: string): Promise<ImportStore> {
    const dir = writableFolder(path.join(root, IMPORT_FOLDER));
    await mkdir(root, { recursive: true });
    for (const folder of ['', 'objects', 'refused']) await dir.makeFolder(folder, { isPrivate: true });
    const ignored = (await dir.read('.gitignore', MAX_JOURNAL))?.toString();
    if (ignored === undefined || ignored === '*\n') await dir.replace('.gitignore', GITIGNORE, 0o644);
    const store = new ImportStore(dir);
    for (const entry of await store.#lines<FetchedFile>(JOURNAL)) store.#fetched.set(entry.url, entry);
    for (const written of await store.#lines<WrittenFile>(WRITTEN)) store.#noteWritten(written);
    return store;
  }

  /** What is known of a URL; nothing if its bytes are not there any more. */
  async known(url: string, limit: number): Promise<FetchedFile | undefined> {
    const entry = this.#fetched.get(url);
    return entry !== undefined && (await this.object(entry.sha256, limit)) !== undefined ? entry : undefined;
  }

  /** The bytes with a hash; nothing if there are none, or others. */
  async object(sha256: string, limit: number): Promise<Buffer | undefined> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const bytes = await this.#dir.read(`objects/${sha256}`, limit).catch(() => undefined);
    return bytes !== undefined && sha256Of(bytes) === sha256 ? bytes : undefined;
  }

  /** Remembers the bytes of a URL. @returns their hash */
  addFetched(url: string, bytes: Buffer, headers: Readonly<Record<string, string>>): string {
    const sha256 = sha256Of(bytes);
    this.#dir.store(`objects/${sha256}`, bytes, 0o600);
    const entry = { url, sha256, etag: headers['etag'], modified: headers['last-modified'] };
    if (JSON.stringify(entry) !== JSON.stringify(this.#fetched.get(url)))
      this.#dir.append(JOURNAL, `${JSON.stringify(entry)}\n`, 0o600);
    this.#fetched.set(url, entry);
    return sha256;
  }

  /** Whether an import has written a file with these bytes, so that it may write it again. */
  hasWritten(file: string, sha256: string): boolean {
    return this.#written.get(file)?.has(sha256) === true;
  }

  /** Whether no import is known that has written anything: the first one, or the folder was lost. */
  get isEmpty(): boolean {
    return this.#written.size === 0;
  }

  /** The hash of what an import has written into a file last. */
  lastWritten(file: string): string | undefined {
    return [...(this.#written.get(file) ?? [])].at(-1);
  }

  /** Stores bytes by their hash, so that a later import can compare with them. */
  addObject(bytes: Buffer): void {
    this.#dir.store(`objects/${sha256Of(bytes)}`, bytes, 0o600);
  }

  /** Whether an import has ever written a file. */
  knowsFile(file: string): boolean {
    return this.#written.has(file);
  }

  /** Remembers that a file is about to be written: before it is, so that a stopped import knows its own. */
  willWrite(written: WrittenFile): void {
    if (this.hasWritten(written.file, written.sha256)) return;
    this.#noteWritten(written);
    this.#dir.append(WRITTEN, `${JSON.stringify(written)}\n`, 0o644);
  }

  /** Before the first file is written, and after the last one. */
  async begin(): Promise<void> {
    await this.#dir.remove(COMPLETE);
  }

  async finish(): Promise<void> {
    await this.#dir.replace(COMPLETE, '', 0o644);
  }

  /** Puts a file that is refused where it can be looked at. @returns its path below the root */
  async quarantine(slug: string, name: string, bytes: Uint8Array): Promise<string> {
    await this.#dir.makeFolder(`refused/${slug}`, { isPrivate: true });
    await this.#dir.replace(`refused/${slug}/${name}`, bytes, 0o600);
    return `${IMPORT_FOLDER}/refused/${slug}/${name}`;
  }

  #noteWritten({ file, sha256, id }: WrittenFile): void {
    if (id !== undefined) this.slugs.set(id, file.slice(0, file.indexOf('/')));
    const hashes = this.#written.get(file) ?? new Set();
    this.#written.set(file, hashes.add(sha256));
  }

  /** The lines of a journal. The last may be half-written, and is then left out. */
  async #lines<T extends object>(name: string): Promise<T[]> {
    const text = (await this.#dir.read(name, MAX_JOURNAL))?.toString() ?? '';
    // A line that was cut off must not swallow the next one.
    if (text !== '' && !text.endsWith('\n')) this.#dir.append(name, '\n', 0o600);
    return text.split('\n').flatMap((line) => parsed<T>(line));
  }
}

function parsed<T extends object>(line: string): T[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? [value as T] : [];
  } catch {
    return [];
  }
}
