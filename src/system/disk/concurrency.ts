/**
 * Runs a task for every item, at most `limit` at a time. After a failure, no further task starts, and the error is thrown once the running tasks
 * are done.
 * @returns the results in the order of the items
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let failure: { error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    while (failure === undefined && next < items.length) {
      const index = next++;
      try {
        results[index] = await task(items[index] as T);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failure !== undefined) throw failure.error;
  return results;
}

/** Runs tasks one after another, even after one fails. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => undefined);
    return run;
  }

  async idle(): Promise<void> {
    await this.#last;
  }
}
