import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Greeting, isReply, type Job, type Numbered, type Reply } from './job.ts';
import { ThemecastError } from '../diagnostics/themecast-error.ts';

/**
 * What one image may cost: milliseconds of processor time, so that a busy machine rejects the same images as an idle one, and bytes
 * of memory, including those of the process that decodes it.
 */
export interface Limits {
  time: number;
  memory: number;
}

/** Why there is no reply to a job; `ended` may not be the fault of the image: another program killed the process. */
export type Failure = 'too slow' | 'too much memory' | 'crashed' | 'ended';

/** Milliseconds between two checks of what a process has used. */
const LOOK = 50;

/** Small images between two checks of what a process retains: a check takes as long as a tenth of such an image. */
const RUNS_PER_LOOK = 32;

/** How much longer an image may take by the clock than by the processor; the only limit where the system is not Linux. */
const PATIENCE = 6;

/** Signals that come from outside; the others are how programs crash (signal(7)). */
const NOT_ITS_OWN = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']);

/** From src/ (tests) and from lib/ alike: Node 20 runs what was compiled. */
const CHILD = new URL('../../lib/decoder/child.js', import.meta.url);

/** One process that decodes images, one at a time. */
export class Decoder {
  readonly #child = fork(CHILD, {
    // Nothing of the environment. Fewer arenas: measured, they halve the memory at the same speed.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: [],
    serialization: 'advanced',
    // What the libraries print is about no particular image.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  /** The number of the last job. */
  #job = 0;
  /** Receives the reply to it; `undefined` once the process has ended. */
  #waiting: ((message: unknown) => void) | undefined;
  /** The signal that ended it, once it has ended. */
  #signal: NodeJS.Signals | null = null;
  isAlive = true;
  /** Images since the last one that took time. */
  #runs = 0;

  constructor() {
    const end = (_: unknown, signal: NodeJS.Signals | null): void => {
      this.isAlive = false;
      this.#signal = signal;
      this.#waiting?.(undefined);
    };
    this.#child.on('message', (message) => {
      const { number, content } = (message ?? {}) as Partial<Numbered<unknown>>;
      if (number === this.#job) this.#waiting?.(content);
    });
    this.#child.on('exit', end);
    this.#child.on('error', (error) => {
      // It died while it was sent something, and `exit` is still to come; or it was never there.
      if (this.#child.pid === undefined) end(error, null);
      else this.kill();
    });
  }

  /** Throws unless the process says in time that it can decode. */
  async ready(time: number): Promise<void> {
    let isLate = false;
    const clock = setTimeout(() => {
      isLate = true;
      this.kill();
    }, time);
    const greeting = (await this.#next()) as Greeting | undefined;
    clearTimeout(clock);
    if (greeting === 'ready') return;
    const failure = greeting && inOneLine(greeting.failure);
    const why = isLate ? `it was not ready within ${time / 1000} seconds` : (failure ?? 'it ended at once');
    throw new ThemecastError('decoder', `The process that decodes images cannot be started: ${why}.`);
  }

  /** Does jobs one after another, or kills the process when they go over a limit. */
  async run(jobs: readonly Job[], { time, memory }: Limits): Promise<readonly Reply[] | Failure> {
    let failure: Failure | undefined;
    const kill = (why: Failure): void => {
      failure ??= why;
      this.kill();
    };
    const clock = setTimeout(() => kill('too slow'), time * PATIENCE);
    let before: Limits | undefined;
    const look = (): void => {
      const now = this.usage();
      before ??= now; // most images are done before the first look
      if (now.memory > memory) kill('too much memory');
      else if (now.time - before.time > time) kill('too slow');
    };
    this.#runs += jobs.length;
    const watch = setInterval(look, LOOK);
    try {
      if (this.isAlive) this.#child.send({ number: ++this.#job, content: jobs } satisfies Numbered<readonly Job[]>);
      const message = await this.#next();
      if (areReplies(message, jobs)) return message;
      if (message !== undefined) kill('crashed');
      return failure ?? (this.#signal !== null && NOT_ITS_OWN.has(this.#signal) ? 'ended' : 'crashed');
    } finally {
      clearTimeout(clock);
      clearInterval(watch);
      if (before !== undefined) this.#runs = 0;
    }
  }

  /** Memory that the process retains, in bytes; looked up after images that took time, and every so often after others. */
  retained(): number {
    if (this.#runs > 0 && this.#runs < RUNS_PER_LOOK) return 0;
    this.#runs = 1;
    return this.usage().memory;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** What the process has used; nothing where the system does not say, as only Linux does (proc_pid_stat(5), proc_pid_status(5)). */
  usage(): Limits {
    const stat = this.#proc('stat');
    // After the name of the program in brackets; user and system time are the 14th and 15th field, in ticks of 10 ms.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(this.#proc('status'))?.[1] ?? 0;
    return { time: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10, memory: Number(kilobytes) * 1024 };
  }

  /** Not with promises: measured, they take 0.3 ms of processor time a look, and this 0.03. */
  #proc(file: string): string {
    try {
      return readFileSync(`/proc/${this.#child.pid}/${file}`, 'utf8');
    } catch {
      return ''; // it has ended
    }
  }

  #next(): Promise<unknown> {
    return new Promise((resolve) => {
      if (this.isAlive) this.#waiting = resolve;
      else resolve(undefined);
    });
  }
}

/** Whether a message has a reply to each job: a decoder that an image has got the better of may send anything. */
function areReplies(message: unknown, jobs: readonly Job[]): message is readonly Reply[] {
  return Array.isArray(message) && message.length === jobs.length && jobs.every((job, at) => isReply(message[at], job));
}

/** Why sharp cannot be loaded, without the ways out that it lists: they are about its installation in any project. */
function inOneLine(message: string): string {
  const [reason = ''] = message.split(/\s*Possible solutions:/);
  return reason.trim().replaceAll(/\s*\n\s*/g, ': ');
}
