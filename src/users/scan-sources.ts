import type { Report } from '../diagnostics/diagnostic.ts';
import { ThemecastError } from '../diagnostics/themecast-error.ts';
import { CHUNK } from './row-chunks.ts';
import type { RowScanner } from './row-scanner.ts';
import type { Scan } from './scan.ts';
import { allRows, MAX_USERS_BYTES, type UsersSource } from './source-rows.ts';

/** Maximum number of chunks: a record has 16 bits for the index of its chunk. */
const MAX_CHUNKS = 65_536;

/** Limits of the work, in bytes. */
export interface Sizes {
  /** Minimum size of every chunk except the last of a file. */
  chunk: number;
  /** Maximum size of all files together. */
  all: number;
}

/** The result of a chunk, with the file and the number of its first line. */
export interface ScannedChunk extends Scan {
  file: string;
  firstLine: number;
}

/** Scans all files as a stream, chunk by chunk. The scanner gets the index of each chunk. */
export async function* scanSources(
  sources: readonly UsersSource[],
  scanner: RowScanner,
  report: Report,
  { chunk = CHUNK, all = MAX_USERS_BYTES }: Partial<Sizes> = {},
): AsyncGenerator<ScannedChunk> {
  let [index, nextLine] = [0, 1];
  for await (const { place, bytes, form } of allRows(sources, chunk, report, all)) {
    if (index === MAX_CHUNKS)
      throw new ThemecastError('users-file', `There are too many users: more than ${MAX_CHUNKS} files of them.`);
    scanner.begin(index++);
    scanner.rows(bytes, form);
    const scan = scanner.end();
    const firstLine = place.firstLine ?? nextLine;
    nextLine = firstLine + scan.lines;
    yield { ...scan, file: place.file, firstLine };
  }
}
