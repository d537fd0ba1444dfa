import type { Report } from '../diagnostics/diagnostic.ts';
import { UserDiagnostics } from './diagnostics.ts';
import type { Chunk } from './chunks.ts';
import { allRows, type ChunkPlace, type UsersSource } from './source-rows.ts';
import type { ScanResult, ScanTask } from './tasks.ts';
import { ThemecastError } from '../diagnostics/themecast-error.ts';

/** Scans chunks, in one thread or in several. */
export interface ChunkScanner {
  /** Scans bytes; the outer promise resolves once a thread is free. */
  scan(task: ScanTask): Promise<{ scanned: Promise<ScanResult> }>;
}

/** Maximum number of scanned chunks that wait for an earlier, slower chunk. */
const MAX_WAITING = 16;

/** Maximum number of chunks: a record has 16 bits for the index of its chunk. */
const MAX_CHUNKS = 65_536;

export async function scanSources(
  sources: readonly UsersSource[],
  scanner: ChunkScanner,
  { chunk: chunkBytes, all: maxBytes }: { chunk: number; all: number },
  report: Report,
): Promise<{ chunks: Chunk[]; diagnostics: UserDiagnostics }> {
  const chunks: Chunk[] = [];
  const diagnostics = new UserDiagnostics();
  const scans: (ChunkPlace & { scanned: Promise<ScanResult> })[] = [];
  const takeFirst = async (): Promise<void> => {
    const scan = scans.shift();
    if (scan === undefined) return;
    const { file, firstLine, scanned } = scan;
    const { lines, counts, first, pairs, ...problems } = await scanned;
    const before = chunks.at(-1);
    const next = before === undefined ? 1 : before.firstLine + before.lines;
    diagnostics.add(chunks.length, problems);
    chunks.push({ file, firstLine: firstLine ?? next, lines, counts, first, pairs });
  };
  for await (const { place, ...rows } of allRows(sources, chunkBytes, report, maxBytes)) {
    const chunk = chunks.length + scans.length;
    if (chunk === MAX_CHUNKS)
      throw new ThemecastError('users-file', `There are too many users: more than ${MAX_CHUNKS} files of them.`);
    scans.push({ ...place, ...(await scanner.scan({ chunk, ...rows })) });
    if (scans.length > MAX_WAITING) await takeFirst();
  }
  while (scans.length > 0) await takeFirst();
  return { chunks, diagnostics };
}
