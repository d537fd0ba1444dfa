import { availableParallelism } from 'node:os';
import type { Decoded, Job, Reply } from './job.ts';
import { Decoder, type Failure, type Limits } from './process.ts';

/** Milliseconds that a process may take to start, which takes a tenth of a second: without a limit, a build could hang. */
const START = 60_000;

/** Milliseconds for which jobs wait for processes that are busy before another is started, which takes as long. */
const WAIT = 100;

/** Processes at a time. */
const MAX_PROCESSES = availableParallelism();

/**
 * Processes that decode images, because only a process can be stopped: sharp's own time limit is no bound (measured: 21 s of 1 s).
 * The first starts with the first job; others, up to one per core, while jobs wait. They end on {@link close}, and when this process ends.
 */
export class Decoders {
  readonly #startTime: number;
  readonly #all = new Set<Decoder>();
  readonly #idle: Decoder[] = [];
  /** The jobs that wait for one, and the clock that starts another for them. */
  readonly #waiting: ((decoder: Decoder | Promise<Decoder>) => void)[] = [];
  #clock: NodeJS.Timeout | undefined;
  #first: Promise<Decoder> | undefined;
  #isClosed = false;

  /** @param startTime - milliseconds that a process may take to start */
  constructor(startTime = START) {
    this.#startTime = startTime;
  }

  /**
   * Does one job; failures are returned. A process that was killed from outside, as the system does when memory runs out, says nothing
   * about the image: a new process gets it, once.
   */
  async run(job: Job, limits: Limits): Promise<Reply | Failure> {
    let replies = await this.#give([job], limits, await this.#next());
    if (replies === 'ended' && !this.#isClosed) replies = await this.#give([job], limits, await this.#start());
    return typeof replies === 'string' ? replies : (replies[0] as Reply);
  }

  /** Does several jobs in one message. If they fail together, each is done by itself: one of them may be at fault. */
  async runAll(jobs: readonly Job[], limits: Limits): Promise<readonly (Reply | Failure)[]> {
    const [first] = jobs;
    if (first !== undefined && jobs.length === 1) return [await this.run(first, limits)];
    const replies = await this.#give(jobs, limits, await this.#next());
    if (typeof replies !== 'string') return replies;
    const each: (Reply | Failure)[] = [];
    for (const job of jobs) {
      const own = await this.#give([job], limits, await this.#next());
      each.push(typeof own === 'string' ? own : (own[0] as Reply));
    }
    return each;
  }

  /** The same for a job with `pixels`. */
  async pixels(job: Job & Required<Pick<Job, 'pixels'>>, limits: Limits): Promise<Decoded | string> {
    return (await this.run(job, limits)) as Decoded | string;
  }

  async #give(jobs: readonly Job[], limits: Limits, decoder: Decoder): Promise<readonly Reply[] | Failure> {
    const reply = await decoder.run(jobs, limits);
    // What a large image leaves in memory must not be counted against the next one.
    const isReusable = decoder.isAlive && decoder.retained() < limits.memory / 2;
    if (!isReusable) this.#end(decoder);
    const waiting = this.#nextWaiting();
    if (waiting !== undefined) waiting(isReusable ? decoder : this.#start());
    else if (isReusable) this.#idle.push(decoder);
    return reply;
  }

  /** One that has nothing to do, soon enough, or a new one. */
  async #next(): Promise<Decoder> {
    const idle = this.#idleOne();
    if (idle !== undefined) return idle;
    if (this.#all.size === 0) return (this.#first = this.#start());
    await this.#first;
    return (
      this.#idleOne() ??
      new Promise((resolve) => {
        this.#waiting.push(resolve);
        // Again and again: processes that fail leave room for others.
        this.#clock ??= setInterval(() => {
          if (this.#all.size < MAX_PROCESSES) this.#nextWaiting()?.(this.#start());
        }, WAIT);
      })
    );
  }

  /** The job that has waited longest; once none waits, the clock stops. */
  #nextWaiting(): ((decoder: Decoder | Promise<Decoder>) => void) | undefined {
    const next = this.#waiting.shift();
    if (this.#waiting.length > 0) return next;
    clearInterval(this.#clock);
    this.#clock = undefined;
    return next;
  }

  #idleOne(): Decoder | undefined {
    let decoder = this.#idle.pop();
    while (decoder?.isAlive === false) {
      this.#end(decoder);
      decoder = this.#idle.pop();
    }
    return decoder;
  }

  close(): void {
    this.#isClosed = true;
    for (const decoder of this.#all) this.#end(decoder);
  }

  async #start(): Promise<Decoder> {
    if (this.#isClosed) throw new Error('The build was stopped.');
    const decoder = new Decoder();
    this.#all.add(decoder);
    try {
      await decoder.ready(this.#startTime);
    } catch (error) {
      this.#end(decoder);
      throw error;
    }
    return decoder;
  }

  #end(decoder: Decoder): void {
    decoder.kill();
    this.#all.delete(decoder);
  }
}
