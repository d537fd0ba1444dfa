import type { Report } from '../diagnostics/diagnostic.ts';

/** Results of the last build, so that a repeated build makes again only what changed. */
export interface IncrementalCache {
  /** Differs once a file has changed; absent for a file that is not watched. */
  fingerprintOf(file: string): string | undefined;
  /**
   * The last result under a key, with the diagnostics that came with it, if it was made of the same parts.
   * @param parts - everything that it depends on; if one of them is `undefined`, it is always made again
   */
  memoize<T>(key: string, parts: readonly unknown[], report: Report, make: (report: Report) => Promise<T>): Promise<T>;
  /** Makes the result again the next time: it may be different then. */
  drop(key: string): void;
}

/** That of a build that happens once. */
export const NO_CACHE: IncrementalCache = {
  fingerprintOf: () => undefined,
  memoize: (_key, _parts, report, make) => make(report),
  drop: () => undefined,
};

interface Result {
  parts: readonly unknown[];
  value: unknown;
  diagnostics: readonly ((report: Report) => void)[];
}

/** Retains the results of one build: those that the next one does not use are dropped. */
export class BuildCache implements IncrementalCache {
  #fingerprints: ReadonlyMap<string, string> = new Map();
  #last = new Map<string, Result>();
  #current = new Map<string, Result>();

  /** @param fingerprints - of every watched file, as it is now */
  begin(fingerprints: ReadonlyMap<string, string>): void {
    this.#fingerprints = fingerprints;
    this.#last = this.#current;
    this.#current = new Map();
  }

  /** Drops all results. */
  clear(): void {
    this.#current = new Map();
  }

  fingerprintOf(file: string): string | undefined {
    return this.#fingerprints.get(file);
  }

  drop(key: string): void {
    this.#current.delete(key);
  }

  async memoize<T>(
    key: string,
    parts: readonly unknown[],
    report: Report,
    make: (report: Report) => Promise<T>,
  ): Promise<T> {
    const last = this.#last.get(key);
    const isCurrent = last !== undefined && isSame(last.parts, parts);
    const result = isCurrent ? last : await recorded(parts, make);
    if (!parts.includes(undefined)) this.#current.set(key, result);
    for (const repeat of result.diagnostics) repeat(report);
    return result.value as T;
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}

async function recorded(parts: readonly unknown[], make: (report: Report) => Promise<unknown>): Promise<Result> {
  const diagnostics: ((report: Report) => void)[] = [];
  const value = await make((code, location, args) => {
    diagnostics.push((report) => report(code, location, args));
  });
  return { parts, value, diagnostics };
}
