import type { Resources } from '../../../compiler/store/resources.ts';
import { type Differences, differencesOf } from '../../changes/differences.ts';
import { openLastCommit } from '../../changes/io/base.ts';
import { readBase } from '../../changes/io/read-state.ts';
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
      const base = await openLastCommit(this.#themesDir);
      if (base === undefined) return undefined;
      if (base.commit !== this.#commit) [this.#commit, this.#before] = [base.commit, undefined];
      // After a read error, the next page tries again.
      this.#before ??= await readBase(base, { ...this.#resources, baseUrl: undefined }).catch(() => undefined);
      await base.close();
      return this.#before && differencesOf(this.#before, after);
    });
  }
}
