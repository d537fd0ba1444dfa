import type { Report } from '../../diagnostics/diagnostic.ts';

/** What a build that is repeated knows of the last one, so that only what changed is worked out again. */
export interface Memory {
  /** Differs once a file has changed; nothing of a file that is not watched. */
  stampOf(file: string): string | undefined;
  /**
   * What was made under a key the last time, with the findings that came with it, if it was made of the same parts.
   * @param parts - everything that it depends on; if one of them is `undefined`, it is made anew
   */
  recall<T>(key: string, parts: readonly unknown[], report: Report, make: (report: Report) => Promise<T>): Promise<T>;
  /** Lets it be made anew the next time: it may come out otherwise. */
  drop(key: string): void;
}

/** That of a build which happens once. */
export const NO_MEMORY: Memory = {
  stampOf: () => undefined,
  recall: (_key, _parts, report, make) => make(report),
  drop: () => undefined,
};

interface Made {
  parts: readonly unknown[];
  value: unknown;
  findings: readonly ((report: Report) => void)[];
}

/** Remembers one build: what the next does not ask for is forgotten. */
export class LastBuild implements Memory {
  #stamps: ReadonlyMap<string, string> = new Map();
  #before = new Map<string, Made>();
  #now = new Map<string, Made>();

  /** @param stamps - of every file that is watched, as it is now */
  begin(stamps: ReadonlyMap<string, string>): void {
    this.#stamps = stamps;
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** As if there had been no build. */
  forget(): void {
    this.#now = new Map();
  }

  stampOf(file: string): string | undefined {
    return this.#stamps.get(file);
  }

  drop(key: string): void {
    this.#now.delete(key);
  }

  async recall<T>(
    key: string,
    parts: readonly unknown[],
    report: Report,
    make: (report: Report) => Promise<T>,
  ): Promise<T> {
    const before = this.#before.get(key);
    const isKnown = before !== undefined && isSame(before.parts, parts);
    const made = isKnown ? before : await remember(parts, make);
    if (!parts.includes(undefined)) this.#now.set(key, made);
    for (const repeat of made.findings) repeat(report);
    return made.value as T;
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}

async function remember(parts: readonly unknown[], make: (report: Report) => Promise<unknown>): Promise<Made> {
  const findings: ((report: Report) => void)[] = [];
  const value = await make((code, location, args) => {
    findings.push((report) => report(code, location, args));
  });
  return { parts, value, findings };
}
