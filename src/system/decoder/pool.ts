import { availableParallelism } from 'node:os';
import type { Decoded, Job, DecoderReply } from './job.ts';
import { Decoder, type Failure, type Limits } from './process.ts';

/** Milliseconds that a process may take to start. It takes about 100; without a limit, a build could hang. */
const START_TIMEOUT_MS = 60_000;

/** Milliseconds that jobs wait for busy processes before another is started, which takes as long. */
const MAX_WAIT_MS = 100;

const MAX_PROCESSES = availableParallelism();

/**
 * Processes that decode images. Only a process can be stopped: measured, sharp's own limit of 1 s let an image run for 21 s. The first job starts
 * one; waiting jobs start more, up to one per core. All end on {@link close}, and with this process.
 */
export class Decoders {
  readonly #startTime: number;
  readonly #all = new Set<Decoder>();
  readonly #idle: Decoder[] = [];
  /** The waiting jobs, and the clock that starts further decoders for them. */
  readonly #waiting: ((decoder: Decoder | Promise<Decoder>) => void)[] = [];
  #clock: NodeJS.Timeout | undefined;
  #first: Promise<Decoder> | undefined;
  #isClosed = false;

  /** @param startTime - milliseconds that a process may take to start */
  constructor(startTime = START_TIMEOUT_MS) {
    this.#startTime = startTime;
  }

  /**
   * Runs one job; failures are returned. A process killed from outside, such as by the system when memory runs out, is no evidence against the
   * image: a new process tries once more.
   */
  async run(job: Job, limits: Limits): Promise<DecoderReply | Failure> {
    let replies = await this.#send([job], limits, await this.#acquire());
    if (replies === 'ended' && !this.#isClosed) replies = await this.#send([job], limits, await this.#start());
    return typeof replies === 'string' ? replies : (replies[0] as DecoderReply);
  }

  /** Runs several jobs in one message. If they fail together, each is run alone, since any of them may be at fault. */
  async runAll(jobs: readonly Job[], limits: Limits): Promise<readonly (DecoderReply | Failure)[]> {
    const [first] = jobs;
    if (first !== undefined && jobs.length === 1) return [await this.run(first, limits)];
    const replies = await this.#send(jobs, limits, await this.#acquire());
    if (typeof replies !== 'string') return replies;
    const results: (DecoderReply | Failure)[] = [];
    for (const job of jobs) {
      const result = await this.#send([job], limits, await this.#acquire());
      results.push(typeof result === 'string' ? result : (result[0] as DecoderReply));
    }
    return results;
  }

  async pixels(job: Job & Required<Pick<Job, 'pixels'>>, limits: Limits): Promise<Decoded | string> {
    return (await this.run(job, limits)) as Decoded | string;
  }

  async #send(jobs: readonly Job[], limits: Limits, decoder: Decoder): Promise<readonly DecoderReply[] | Failure> {
    const reply = await decoder.run(jobs, limits);
    // Memory that a large image leaves behind must not be charged to the next image.
    const isReusable = decoder.isAlive && decoder.retained() < limits.memory / 2;
    if (!isReusable) this.#end(decoder);
    const waiting = this.#nextWaiting();
    if (waiting !== undefined) waiting(isReusable ? decoder : this.#start());
    else if (isReusable) this.#idle.push(decoder);
    return reply;
  }

  /** Returns an idle decoder, waits for one, or starts one. */
  async #acquire(): Promise<Decoder> {
    const idle = this.#idleDecoder();
    if (idle !== undefined) return idle;
    if (this.#all.size === 0) return (this.#first = this.#start());
    await this.#first;
    return (
      this.#idleDecoder() ??
      new Promise((resolve) => {
        this.#waiting.push(resolve);
        // Repeats, since failed processes make room for new ones.
        this.#clock ??= setInterval(() => {
          if (this.#all.size < MAX_PROCESSES) this.#nextWaiting()?.(this.#start());
        }, MAX_WAIT_MS);
      })
    );
  }

  /** Returns the job that has waited longest, and stops the clock once no other job waits. */
  #nextWaiting(): ((decoder: Decoder | Promise<Decoder>) => void) | undefined {
    const next = this.#waiting.shift();
    if (this.#waiting.length > 0) return next;
    clearInterval(this.#clock);
    this.#clock = undefined;
    return next;
  }

  #idleDecoder(): Decoder | undefined {
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
