import { createInterface } from 'node:readline';
import { UsageError } from './command.ts';

/** Whether a command may ask: a person is at both ends, and nothing says otherwise. */
export function canAsk(yes: boolean): boolean {
  return !yes && !process.env['CI'] && process.stdin.isTTY && process.stdout.isTTY;
}

/** One question on the terminal. */
export interface Question {
  text: string;
  /** What an empty answer means. */
  initial: string;
  /** What is wrong with an answer, as a sentence; nothing if it is valid. */
  problem: (answer: string) => string | undefined;
}

/** Asks questions until {@link close}; each until its answer is valid. */
export class Terminal {
  readonly #interface = createInterface({ input: process.stdin, output: process.stdout });
  /** What is typed ahead waits for its question. */
  readonly #lines = this.#interface[Symbol.asyncIterator]();

  /** @throws {UsageError} if the terminal is closed, or Ctrl+C is pressed */
  async ask({ text, initial, problem }: Question): Promise<string> {
    for (;;) {
      this.#interface.setPrompt(`${text} (${initial}): `);
      this.#interface.prompt();
      const { value, done } = await this.#lines.next();
      if (done === true) throw new UsageError('The questions were not answered, so nothing was written.');
      const answer = value.trim() === '' ? initial : value.trim();
      const wrong = problem(answer);
      if (wrong === undefined) return answer;
      process.stdout.write(`${wrong}\n`);
    }
  }

  close(): void {
    this.#interface.close();
  }
}
