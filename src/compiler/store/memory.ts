import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { sha256Of } from '../../system/disk/files.ts';
import type { StateFolder } from '../../system/disk/state-folder.ts';
import type { RecordedDiagnostic } from '../model.ts';

interface Result {
  inputs: string;
  value: unknown;
  diagnostics?: readonly RecordedDiagnostic[] | undefined;
}

/** The results of the last build by name, each returned while its inputs stay the same: of this process, and with a state folder of the one before. */
export class Memory {
  readonly program: string;
  readonly #state: StateFolder | undefined;
  readonly #key: string;
  #results: Map<string, Result> | undefined;
  readonly #used = new Set<string>();
  #hasChanged = false;

  /**
   * @param program - its version: results of another one are not used
   * @param state - keeps the results for the next process. Default: they are forgotten
   * @param folders - whose builds they are
   */
  constructor(program = '', state?: StateFolder, folders = '') {
    this.program = program;
    this.#state = state;
    this.#key = `results ${folders}`;
  }

  /** Returns the value stored under a name if its inputs are the same, and reports its diagnostics again. */
  recall(name: string, inputs: readonly unknown[], report: Report = () => undefined): unknown {
    const result = this.#stored.get(name);
    if (result === undefined || result.inputs !== this.#digest(inputs)) return undefined;
    this.#used.add(name);
    for (const [code, location, args] of result.diagnostics ?? []) report(code, location, args);
    return result.value;
  }

  /** Stores a value. Does nothing if an input is `undefined`, or a file could not be read: the next run may succeed. */
  remember(
    name: string,
    inputs: readonly unknown[],
    value: unknown,
    diagnostics?: readonly RecordedDiagnostic[],
  ): void {
    const digest = this.#digest(inputs);
    if (digest === undefined || diagnostics?.some(([code]) => code === 'file/unreadable')) return;
    this.#stored.set(name, { inputs: digest, value, diagnostics });
    this.#used.add(name);
    this.#hasChanged = true;
  }

  /**
   * Returns the value stored under a name and reports its diagnostics again, or makes it if its inputs have changed.
   * @param inputs - everything that it depends on besides the program, as JSON; if one of them is `undefined`, it is always made again
   */
  async memoize<T>(
    name: string,
    inputs: readonly unknown[],
    report: Report,
    make: (report: Report) => T | Promise<T>,
  ): Promise<T> {
    const stored = this.recall(name, inputs, report) as { made: T } | undefined;
    if (stored !== undefined) return stored.made;
    const diagnostics: RecordedDiagnostic[] = [];
    const value = await make(recorder(diagnostics, report));
    this.remember(name, inputs, { made: value }, diagnostics);
    return value;
  }

  /** Keeps the results that this run used. If that fails, the next run makes them again. */
  save(): void {
    if (this.#hasChanged)
      this.#state?.keep(
        this.#key,
        [...this.#stored].filter(([name]) => this.#used.has(name)),
      );
  }

  get #stored(): Map<string, Result> {
    return (this.#results ??= new Map((this.#state?.recall(this.#key) ?? []) as [string, Result][]));
  }

  #digest(inputs: readonly unknown[]): string | undefined {
    return inputs.includes(undefined) ? undefined : sha256Of(JSON.stringify([this.program, inputs]));
  }
}

/** Returns a report function that also records the diagnostics. */
export function recorder(recorded: RecordedDiagnostic[], report: Report = () => undefined): Report {
  return (code, location, args) => {
    recorded.push([code, location, args as never]);
    report(code, location, args);
  };
}
