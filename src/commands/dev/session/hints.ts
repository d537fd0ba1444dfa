import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../../system/disk/files.ts';

/**
 * What the operating system says about changed folders, by one watcher per folder. Only hints: it misses changes in folders below, and says nothing
 * about folders that a container or WSL has mounted.
 */
export class Hints {
  readonly #root: string;
  readonly #onFailure: (reason: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = new Set<string>();
  #wake: () => void = () => undefined;
  /** Whether the system watches all folders; it has a limit for them. */
  isComplete = true;

  /** @param onFailure - called once, if the limit is reached */
  constructor(root: string, onFailure: (reason: string) => void) {
    this.#root = root;
    this.#onFailure = onFailure;
  }

  /** Watches these folders and the one that contains them, and no others. */
  follow(names: readonly string[]): void {
    const wanted = new Set(['', ...names]);
    for (const [name, watcher] of this.#watchers)
      if (!wanted.has(name)) {
        watcher.close();
        this.#watchers.delete(name);
      }
    for (const name of this.isComplete ? wanted : []) if (!this.#watchers.has(name)) this.#watch(name);
  }

  /** Waits for a hint, or for some milliseconds. @returns the names of changed folders, the empty one for the top; none after the time */
  async wait(milliseconds: number, signal: AbortSignal): Promise<ReadonlySet<string>> {
    if (this.#changed.size === 0)
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        this.#wake = wake;
        signal.addEventListener('abort', wake);
      });
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watch(name: string): void {
    try {
      const watcher = watch(path.join(this.#root, name), { persistent: false }, () => {
        this.#changed.add(name);
        this.#wake();
      });
      watcher.on('error', (error) => this.#fail(error));
      this.#watchers.set(name, watcher);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const code = errorCode(error) ?? '';
    if (!this.isComplete || (code !== 'ENOSPC' && code !== 'EMFILE')) return; // a folder that has just been removed
    this.isComplete = false;
    this.close();
    this.#onFailure(`the system watches no more folders (${code})`);
  }
}
