/** A sample, spread evenly over all: users of one theme, or requests of one client, often follow each other. The same at every call. */
export function sampleOf<T>(all: readonly T[], size: number): T[] {
  if (all.length <= size) return [...all];
  return Array.from({ length: size }, (_, at) => all[Math.floor((at * all.length) / size)] as T);
}
