import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** The working directories of calls: sites without diagnostics, with errors, and with a warning. */
export type Place = 'valid' | 'faulty' | 'warned';

/** A call of the command line whose output has a golden file. */
interface Call {
  in?: Place;
  args: readonly string[];
}

const LISTS = parse(readFileSync(path.join(import.meta.dirname, 'calls.yaml'), 'utf8')) as Readonly<
  Record<Place, Readonly<Record<string, string | string[]>>>
>;

export const CALLS: Readonly<Record<string, Call>> = Object.fromEntries(
  Object.entries(LISTS).flatMap(([place, calls]) =>
    Object.entries(calls).map(([name, args]) => [
      name,
      { in: place as Place, args: typeof args === 'string' ? args.split(' ').filter(Boolean) : args },
    ]),
  ),
);
