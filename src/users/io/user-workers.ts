import { PARTITIONS } from '../partitions.ts';
import type { ScanOptions } from '../scan.ts';
import type { ChunkScanner } from '../scan-sources.ts';
import type { StoredBytes } from '../spill-store.ts';
import { type ScanResult, type ScanTask, type PartitionResult, type DedupeTask, UsersWork } from '../tasks.ts';
import { Spill } from './spill.ts';
import { WorkerPool } from './worker-pool.ts';

/** Scans in the main thread, and in a pool of threads once there is enough work. */
export class UserWorkers implements ChunkScanner {
  readonly #options: ScanOptions;
  readonly #main: UsersWork;
  readonly #mainBytes: number;
  #scanned = 0;
  #spill: Spill | undefined;
  #pool: WorkerPool | undefined;

  constructor(options: ScanOptions, mainBytes: number) {
    this.#options = options;
    this.#mainBytes = mainBytes;
    this.#main = new UsersWork(options);
  }

  async scan(task: ScanTask): Promise<{ scanned: Promise<ScanResult> }> {
    this.#scanned += task.bytes.length;
    if (this.#scanned <= this.#mainBytes) return { scanned: Promise.resolve(this.#main.scan(task)) };
    this.#spill ??= Spill.create();
    this.#pool ??= new WorkerPool({
      options: this.#options,
      spill: { fd: this.#spill.fd, length: this.#spill.length },
    });
    return this.#pool.scan(task);
  }

  /** Deduplicates the records of all partitions, after everything is scanned. */
  async dedupe(how: Pick<DedupeTask, 'bits' | 'writing'>): Promise<PartitionResult[]> {
    const pool = this.#pool;
    const spilled = (await pool?.finish()) ?? [];
    const parts = Array.from({ length: PARTITIONS }, (_, part): DedupeTask => ({
      ...how,
      extents: spilled.flatMap((thread) => thread[part] ?? []),
      held: this.#main.held(part),
    }));
    if (pool === undefined) return parts.map((part) => this.#main.dedupe(part));
    return Promise.all(parts.map((part) => pool.dedupe(part)));
  }

  read(stored: StoredBytes): Buffer {
    if (Buffer.isBuffer(stored)) return stored;
    if (this.#spill === undefined) throw new Error('Bug: nothing was spilled.');
    return this.#spill.read(stored);
  }

  async endThreads(): Promise<void> {
    await this.#pool?.close();
  }

  close(): void {
    this.#spill?.close();
    this.#spill = undefined;
  }
}
