import { createInterface } from 'node:readline/promises';

/** Whether a command may ask: a person is at both ends, and nothing says otherwise. */
export function canAsk(yes: boolean): boolean {
  return !yes && !process.env['CI'] && process.stdin.isTTY && process.stdout.isTTY;
}

/**
 * Asks on the terminal until the answer is valid. An empty answer is the default.
 * @param problem - what is wrong with an answer, as a sentence; nothing if it is valid
 * @throws an AbortError if the terminal is closed, or Ctrl+C is pressed
 */
export async function ask(
  question: string,
  initial: string,
  problem: (answer: string) => string | undefined,
): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new AbortController();
  terminal.once('close', () => closed.abort());
  try {
    for (;;) {
      const typed = (await terminal.question(`${question} (${initial}): `, { signal: closed.signal })).trim();
      const answer = typed === '' ? initial : typed;
      const wrong = problem(answer);
      if (wrong === undefined) return answer;
      process.stdout.write(`${wrong}\n`);
    }
  } finally {
    terminal.close();
  }
}
