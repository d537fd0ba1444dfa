import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Greeting, isReply, type Job, type Numbered, type DecoderReply } from './job.ts';
import { ThemecastError } from '../../core/diagnostics/themecast-error.ts';

/**
 * Limits of one image: milliseconds of processor time, and bytes of memory of the whole decoder. Processor time makes a busy machine reject the
 * same images as an idle one.
 */
export interface Limits {
  time: number;
  memory: number;
}

/** Why a job has no reply. `ended`: another program killed the process, so the image may not be at fault. */
export type Failure = 'too slow' | 'too much memory' | 'crashed' | 'ended';

/** Milliseconds between two checks of the usage of a process. */
const USAGE_CHECK_MS = 50;

/** Small images between two checks of the memory that a process retains: a check takes a tenth of the time of such an image. */
const RUNS_PER_CHECK = 32;

/** Clock time that an image may take per processor time; the only limit on systems other than Linux. */
const MAX_CLOCK_RATIO = 6;

/** Signals sent from outside; all others are crashes (signal(7)). */
const EXTERNAL_SIGNALS = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']);

/** The bundled file, also for tests that run from src/: Node 20 does not run TypeScript. */
const CHILD = new URL('../../../lib/bundle/child.js', import.meta.url);

export class Decoder {
  readonly #child = fork(CHILD, {
    // The process gets no variables of the environment. Measured: fewer arenas halve the memory at the same speed.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: [],
    serialization: 'advanced',
    // Library output cannot be attributed to one image.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  #job = 0;
  /** Receives the reply to that job, or `undefined` once the process has ended. */
  #waiting: ((message: unknown) => void) | undefined;
  /** The signal that ended the process, if one did. */
  #signal: NodeJS.Signals | null = null;
  isAlive = true;
  /** Jobs since the last one that was long enough for a usage check. */
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
      // Either the process ended during a message, and `exit` follows, or it could not be started.
      if (this.#child.pid === undefined) end(error, null);
      else this.kill();
    });
  }

  /** Throws unless the process reports within `timeout` milliseconds that it is ready. */
  async ready(timeout: number): Promise<void> {
    let isLate = false;
    const clock = setTimeout(() => {
      isLate = true;
      this.kill();
    }, timeout);
    const greeting = (await this.#next()) as Greeting | undefined;
    clearTimeout(clock);
    if (greeting === 'ready') return;
    const failure = greeting && inOneLine(greeting.failure);
    const why = isLate ? `it was not ready within ${timeout / 1000} seconds` : (failure ?? 'it ended at once');
    throw new ThemecastError('decoder', `The process that decodes images cannot be started: ${why}.`);
  }

  /** Runs jobs one after another; kills the process if they exceed a limit. */
  async run(jobs: readonly Job[], { time, memory }: Limits): Promise<readonly DecoderReply[] | Failure> {
    let failure: Failure | undefined;
    const kill = (why: Failure): void => {
      failure ??= why;
      this.kill();
    };
    const clock = setTimeout(() => kill('too slow'), time * MAX_CLOCK_RATIO);
    let first: Limits | undefined;
    const check = (): void => {
      const now = this.usage();
      first ??= now; // most jobs end before the first check
      if (now.memory > memory) kill('too much memory');
      else if (now.time - first.time > time) kill('too slow');
    };
    this.#runs += jobs.length;
    const watch = setInterval(check, USAGE_CHECK_MS);
    try {
      if (this.isAlive) this.#child.send({ number: ++this.#job, content: jobs } satisfies Numbered<readonly Job[]>);
      const message = await this.#next();
      if (areReplies(message, jobs)) return message;
      if (message !== undefined) kill('crashed');
      return failure ?? (this.#signal !== null && EXTERNAL_SIGNALS.has(this.#signal) ? 'ended' : 'crashed');
    } finally {
      clearTimeout(clock);
      clearInterval(watch);
      if (first !== undefined) this.#runs = 0;
    }
  }

  /** Returns the bytes of memory that the process retains, or 0 after most small images, which are not checked. */
  retained(): number {
    if (this.#runs > 0 && this.#runs < RUNS_PER_CHECK) return 0;
    this.#runs = 1;
    return this.usage().memory;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Returns the usage of the process; 0 on systems other than Linux (proc_pid_stat(5), proc_pid_status(5)). */
  usage(): Limits {
    const stat = this.#proc('stat');
    // The name of the program in brackets comes first; user and system time are the 14th and 15th field, in ticks of 10 ms.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(this.#proc('status'))?.[1] ?? 0;
    return { time: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10, memory: Number(kilobytes) * 1024 };
  }

  /** Reads synchronously: measured, promises take 0.3 ms of processor time per check, and this 0.03. */
  #proc(file: string): string {
    try {
      return readFileSync(`/proc/${this.#child.pid}/${file}`, 'utf8');
    } catch {
      return ''; // the process has ended
    }
  }

  #next(): Promise<unknown> {
    return new Promise((resolve) => {
      if (this.isAlive) this.#waiting = resolve;
      else resolve(undefined);
    });
  }
}

/** Whether a message contains a reply to each job: a decoder compromised by an image may send anything. */
function areReplies(message: unknown, jobs: readonly Job[]): message is readonly DecoderReply[] {
  return Array.isArray(message) && message.length === jobs.length && jobs.every((job, at) => isReply(message[at], job));
}

/** Returns why sharp cannot be loaded, without the remedies that it lists: they apply to any project that installs sharp. */
function inOneLine(message: string): string {
  const [reason = ''] = message.split(/\s*Possible solutions:/);
  return reason.trim().replaceAll(/\s*\n\s*/g, ': ');
}
