import type { Resources } from '../../../compiler/store/resources.ts';
import { type Differences, differencesOf } from '../../changes/differences.ts';
import { lastCommitOf, openBase } from '../../changes/io/base.ts';
import { readState } from '../../changes/io/read-state.ts';
import type { SiteState } from '../../changes/site-state.ts';
import { Queue } from '../../../system/disk/concurrency.ts';

/** Reads the themes of the last commit from Git's objects, and compares the current themes with them. */
export class LastCommit {
  readonly #themesDir: string;
  readonly #resources: Resources;
  readonly #queue = new Queue();
  #commit: string | undefined;
  #before: SiteState | undefined;

  constructor(themesDir: string, resources: Resources) {
    this.#themesDir = themesDir;
    this.#resources = resources;
  }

  /** Compares a state with the last commit; undefined if there is none. */
  compare(after: SiteState): Promise<Differences | undefined> {
    return this.#queue.run(async () => {
      const last = await lastCommitOf(this.#themesDir);
      if (last !== this.#commit) [this.#commit, this.#before] = [last, undefined];
      if (last === undefined) return undefined;
      // After a read error, the next page tries again.
      this.#before ??= await this.#read().catch(() => undefined);
      return this.#before && differencesOf(this.#before, after);
    });
  }

  async #read(): Promise<SiteState> {
    const base = await openBase('HEAD', this.#themesDir);
    try {
      return await readState(base.themesDir, { ...this.#resources, baseUrl: undefined });
    } finally {
      await base.close();
    }
  }
}
