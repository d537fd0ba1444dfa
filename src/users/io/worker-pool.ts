import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Call, ThreadData } from './worker.ts';
import type { Extent } from '../spill-store.ts';
import type { ScanResult, ScanTask, PartitionResult, DedupeTask } from '../tasks.ts';
import { ThemecastError } from '../../diagnostics/themecast-error.ts';

/** Maximum number of threads: more would wait for the disk. */
const MAX_THREADS = 8;

/** Threads that share the work on users files; each has one task at a time. */
export class WorkerPool {
  readonly #all: readonly Worker[];
  readonly #idle: Worker[];
  readonly #waiting: ((worker: Worker) => void)[] = [];
  /** Rejects when a thread dies, so that no caller waits for it forever. */
  readonly #died: Promise<never>;

  constructor(workerData: ThreadData) {
    // Compiled beside this file or, for tests from src/, in lib/: Node.js 20 does not run TypeScript.
    const file = new URL('../../../lib/users/io/worker.js', import.meta.url);
    this.#all = Array.from(
      { length: Math.min(MAX_THREADS, availableParallelism()) },
      () => new Worker(file, { workerData, resourceLimits: { maxYoungGenerationSizeMb: 8 } }),
    );
    this.#idle = [...this.#all];
    this.#died = Promise.race(
      this.#all.map(async (worker) => {
        const [error] = (await once(worker, 'error')) as [ThemecastError];
        throw error.name === 'ThemecastError' ? new ThemecastError(error.code, error.message) : error;
      }),
    );
    // Waiting callers report the error.
    this.#died.catch(() => undefined);
  }

  /** Scans a chunk. The outer promise waits for a free thread, so that chunks are not read faster than they are scanned. */
  async scan(task: ScanTask): Promise<{ scanned: Promise<ScanResult> }> {
    const worker = await this.#free();
    const scanned = this.#call<ScanResult>(worker, { scan: task }, [task.bytes.buffer as ArrayBuffer]);
    // The scan may fail before a caller awaits it, while further chunks are read.
    scanned.catch(() => undefined);
    return { scanned };
  }

  /** Returns the places of the spilled records of each thread, by partition. */
  async finish(): Promise<(readonly (readonly Extent[])[])[]> {
    return Promise.all(
      this.#all.map(async (worker) => this.#call<readonly (readonly Extent[])[]>(worker, { finish: true })),
    );
  }

  async dedupe(task: DedupeTask): Promise<PartitionResult> {
    return this.#call<PartitionResult>(await this.#free(), { dedupe: task });
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }

  async #free(): Promise<Worker> {
    const waited = (): Promise<Worker> => new Promise((resolve) => void this.#waiting.push(resolve));
    return this.#idle.pop() ?? Promise.race([waited(), this.#died]);
  }

  async #call<R>(worker: Worker, call: Call, transfer: ArrayBuffer[] = []): Promise<R> {
    worker.postMessage(call, transfer);
    const [result] = (await Promise.race([once(worker, 'message'), this.#died])) as [R];
    const next = this.#waiting.shift();
    if (next !== undefined) next(worker);
    else if (!this.#idle.includes(worker)) this.#idle.push(worker);
    return result;
  }
}
