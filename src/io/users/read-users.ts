import { randomBytes } from 'node:crypto';
import type { Location, Position, Report } from '../../diagnostics/diagnostic.ts';
import { readHeader } from '../../mapping/csv.ts';
import { locate, locateRow, reportUsers, type ScannedChunk } from '../../mapping/findings.ts';
import type { KeyKind } from '../../mapping/key.ts';
import type { Assigned, Mapping } from '../../mapping/mapping.ts';
import { readPairs, type RowForm, type ScanOptions, type WrittenRow } from '../../mapping/row-scanner.ts';
import { Repetitions } from '../../mapping/settle.ts';
import type { StoredBuild } from '../../mapping/shards.ts';
import { decodeText } from '../../source/text.ts';
import { PARTS } from './records.ts';
import { rowChunks } from './row-chunks.ts';
import { storedShards } from './stored-shards.ts';
import { Spill } from './spill.ts';
import { Threads } from './threads.ts';
import {
  type ScanTask,
  type Scanned,
  type SettledPart,
  type SettleTask,
  type Stored,
  type ThemeIds,
  UsersWork,
} from './work.ts';

/** Where rows come from: a stream of bytes, or rows that were read otherwise. */
export type UsersSource = { file: string } & (
  | { bytes: () => AsyncIterable<Buffer>; form: 'rows' }
  | { bytes: () => AsyncIterable<Buffer>; form: 'keys'; theme: string }
  | { rows: readonly WrittenRow[] }
);

export interface ReadUsersOptions {
  /** Slugs of the themes that there are. */
  themes: readonly string[];
  /** By their index, and the kind of the key: ids of the themes that hosts must know of. */
  ids: ThemeIds;
  foldsCase: boolean;
  keepsPairs: boolean;
  /** How keyed shards are made, if they are. */
  shards: { bits: number; themeBytes: number; secret: Uint8Array; before: StoredBuild | undefined } | undefined;
}

/** Everything that the files of users say. */
export interface Users {
  assigned: Assigned;
  mapping: Mapping;
  /** Lets go of what was set aside; the mapping cannot be read after it. */
  close(): void;
}

/** Bytes that the main thread scans by itself: so many rows take less time than it takes to start threads. */
const ALONE = 4 * 1024 * 1024;

/** Reads and checks all files of users, as a stream: memory does not grow with them. */
export async function readUsers(
  sources: readonly UsersSource[],
  options: ReadUsersOptions,
  report: Report,
): Promise<Users> {
  const { themes, ids, foldsCase, keepsPairs, shards } = options;
  const secret = shards?.secret ?? randomBytes(32);
  const crew = new Crew({ themes, secret, foldsCase, keepsPairs });
  try {
    const chunks = await scanAll(sources, crew, themes, report);
    const parts = await crew.settle({
      bits: shards?.bits ?? 12,
      writing: shards && { shape: { bits: shards.bits, themeBytes: shards.themeBytes }, ids },
    });
    const duplicates = merged(parts.map((part) => part.duplicates));
    const collisions = merged(parts.map((part) => part.collisions));
    reportUsers(chunks, duplicates, themes, report);
    return {
      assigned: {
        counts: { user: sum(chunks, 'user'), group: sum(chunks, 'group') },
        first: { user: firstOf(chunks, 'user'), group: firstOf(chunks, 'group') },
        collisions: collisions.first.map(([row, first]) => [locateRow(chunks, row), locateRow(chunks, first)]),
        moreCollisions: collisions.more,
      },
      mapping: {
        counts: {
          user: sum(chunks, 'user', (theme) => ids.user[theme] !== undefined),
          group: sum(chunks, 'group', (theme) => ids.group[theme] !== undefined),
        },
        pairs: (kind, from = 0) => pairsOf(kind, from, chunks, crew, options),
        shards:
          shards &&
          storedShards(
            parts.flatMap((part) => part.shards),
            shards,
            (stored) => crew.read(stored),
          ),
      },
      close: () => crew.close(),
    };
  } catch (error) {
    crew.close();
    throw error;
  } finally {
    await crew.endThreads();
  }
}

type Chunk = ScannedChunk & { pairs: Stored | undefined };

/** Reads all sources to chunks of rows. */
export async function scanAll(
  sources: readonly UsersSource[],
  crew: Pick<Crew, 'take' | 'scan'>,
  themes: readonly string[],
  report: Report,
): Promise<Chunk[]> {
  const scans: { file: string; firstLine: number | undefined; scanned: Promise<Scanned> }[] = [];
  for (const source of sources) {
    const { file } = source;
    if ('rows' in source) {
      scans.push({ file, firstLine: 1, scanned: Promise.resolve(crew.take(scans.length, source.rows)) });
      continue;
    }
    const theme = source.form === 'keys' ? themes.indexOf(source.theme) : -1;
    let form: RowForm | undefined = theme === -1 ? undefined : { form: 'keys', kind: 'user', theme };
    let isFirst = true;
    for await (const chunk of rowChunks(source.bytes())) {
      let bytes = chunk;
      let firstLine = isFirst ? 1 : undefined;
      const mark = isFirst ? chunk.length - withoutMark(chunk).length : 0;
      isFirst = false;
      if (form === undefined) {
        const start = readStart(file, bytes, mark, report);
        if (start === undefined) break;
        form = start.form;
        bytes = bytes.subarray(start.bytes);
        firstLine = start.lines + 1;
      } else bytes = bytes.subarray(mark);
      const task = { chunk: scans.length, form, bytes };
      scans.push({ file, firstLine, ...(await crew.scan(task)) });
    }
    if (isFirst && theme === -1) report('mapping/header', { file }, { separator: undefined });
  }
  const chunks: Chunk[] = [];
  for (const { file, firstLine, scanned } of scans) {
    const before = chunks.at(-1);
    const next = before === undefined ? 1 : before.firstLine + before.lines;
    chunks.push({ file, firstLine: firstLine ?? next, ...(await scanned) });
  }
  return chunks;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function withoutMark(bytes: Buffer): Buffer {
  return bytes.indexOf(BYTE_ORDER_MARK) === 0 ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/**
 * How the rows of a file are written, and where they start; nothing if they cannot be read.
 * @param mark - bytes of the byte order mark that it begins with
 */
function readStart(
  file: string,
  chunk: Buffer,
  mark: number,
  report: Report,
): { form: RowForm; bytes: number; lines: number } | undefined {
  let bytes = mark;
  let lines = 0;
  for (; chunk[bytes] === 10 || chunk[bytes] === 13; bytes++) if (chunk[bytes] === 10) lines++;
  const end = chunk.indexOf(10, bytes);
  const stop = end === -1 ? chunk.length : end;
  const written = chunk.subarray(bytes, chunk[stop - 1] === 13 ? stop - 1 : stop);
  const line = decodeText({ file, bytes: written }, (code, { start, end: last }, args) => {
    const at = ({ column = 1 } = {}): Position => ({ line: lines + 1, column });
    report(code, { file, start: at(start), end: at(last) }, args);
  });
  if (line === undefined) return undefined;
  if (line.startsWith('{')) return { form: { form: 'ndjson' }, bytes, lines };
  if (line === '') {
    report('mapping/header', { file }, { separator: undefined });
    return undefined;
  }
  const whole: Location = {
    file,
    start: { line: lines + 1, column: 1 },
    end: { line: lines + 1, column: line.length + 1 },
  };
  const header = readHeader(line);
  if (header === undefined) report('mapping/quotes', whole, {});
  else if ('separator' in header) {
    report('mapping/header', whole, { separator: header.separator });
    // Other columns would be misread; a missing header leaves the rows as they are.
    return header.isRow ? { form: { form: 'csv', kind: 'user' }, bytes, lines } : undefined;
  }
  const kind = header === undefined ? 'user' : header.kind;
  return { form: { form: 'csv', kind }, bytes: Math.min(stop + 1, chunk.length), lines: lines + 1 };
}

/** The main thread, and others once there is enough to do. */
class Crew {
  readonly #options: ScanOptions;
  readonly #alone: UsersWork;
  #scanned = 0;
  #spill: Spill | undefined;
  #threads: Threads | undefined;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#alone = new UsersWork(options, undefined);
  }

  take(chunk: number, rows: readonly WrittenRow[]): Scanned {
    return this.#alone.take(chunk, rows);
  }

  async scan(task: ScanTask): Promise<{ scanned: Promise<Scanned> }> {
    this.#scanned += task.bytes.length;
    if (this.#scanned <= ALONE) return { scanned: Promise.resolve(this.#alone.scan(task)) };
    this.#spill ??= Spill.create();
    this.#threads ??= new Threads({
      options: this.#options,
      spill: { fd: this.#spill.fd, length: this.#spill.length },
    });
    return this.#threads.scan(task);
  }

  async settle(how: Pick<SettleTask, 'bits' | 'writing'>): Promise<SettledPart[]> {
    const threads = this.#threads;
    const aside = (await threads?.finish()) ?? [];
    const parts = Array.from({ length: PARTS }, (_, part): SettleTask => ({
      ...how,
      extents: aside.flatMap((thread) => thread[part] ?? []),
      held: this.#alone.held(part),
    }));
    if (threads === undefined) return parts.map((part) => this.#alone.settle(part));
    return Promise.all(parts.map((part) => threads.settle(part)));
  }

  read(stored: Stored): Buffer {
    if (Buffer.isBuffer(stored)) return stored;
    if (this.#spill === undefined) throw new Error('Bug: bytes were set aside nowhere.');
    return this.#spill.read(stored);
  }

  async endThreads(): Promise<void> {
    await this.#threads?.close();
  }

  close(): void {
    this.#spill?.close();
    this.#spill = undefined;
  }
}

function merged(all: readonly SettledPart['duplicates'][]): Repetitions {
  const repetitions = new Repetitions();
  for (const { first, more } of all) repetitions.add(first, more);
  return repetitions;
}

function sum(chunks: readonly Chunk[], kind: KeyKind, counts: (theme: number) => boolean = () => true): number {
  let all = 0;
  for (const chunk of chunks) for (const [theme, keys] of chunk.counts[kind].entries()) if (counts(theme)) all += keys;
  return all;
}

function firstOf(chunks: readonly Chunk[], kind: KeyKind): Location | undefined {
  const chunk = chunks.find(({ first }) => first[kind] !== undefined);
  const first = chunk?.first[kind];
  return chunk && first && locate(chunk, first);
}

function* pairsOf(
  kind: KeyKind,
  from: number,
  chunks: readonly Chunk[],
  crew: Crew,
  { ids, themes, keepsPairs }: ReadUsersOptions,
): Generator<readonly [key: string, theme: string]> {
  if (!keepsPairs) throw new Error('Bug: the keys were not kept.');
  const isNeeded = (theme: number): boolean => ids[kind][theme] !== undefined;
  let left = from;
  for (const chunk of chunks) {
    const count = sum([chunk], kind, isNeeded);
    if (left >= count || chunk.pairs === undefined) {
      left -= Math.min(left, count);
      continue;
    }
    for (const { kind: of, key, theme } of readPairs(crew.read(chunk.pairs))) {
      const slug = themes[theme];
      if (of !== kind || slug === undefined || !isNeeded(theme)) continue;
      if (left === 0) yield [key, slug];
      else left--;
    }
  }
}
