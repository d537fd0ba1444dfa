/** Removes `undefined` and `false`: `compact([first, isLong && second])`. */
export function compact<T>(values: readonly (T | false | undefined)[]): T[] {
  return values.filter((value): value is T => value !== undefined && value !== false);
}
