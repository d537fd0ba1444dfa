import { randomBytes } from 'node:crypto';
import type { Location, Report } from '../../diagnostics/diagnostic.ts';
import { Findings, locate, locateRow, type ScannedChunk } from '../../users/diagnostics.ts';
import type { KeyKind } from '../../users/key.ts';
import type { Assigned, Mapping } from '../../users/mapping.ts';
import { readPairs } from '../../users/pairs.ts';
import type { ScanOptions, WrittenRow } from '../../users/row-scanner.ts';
import { Repetitions } from '../../users/dedupe.ts';
import type { StoredBuild } from '../../users/shards.ts';
import type { Renamed } from '../../theme/renamed.ts';
import { PARTS } from './partitions.ts';
import { type ChunkPlace, type Rows, rowsOf, type UsersSource } from './rows-of.ts';
import { CHUNK } from './row-chunks.ts';
import { UsersFileError } from './sources.ts';
import { storedShards } from './stored-shards.ts';
import { Spill } from './spill.ts';
import { Threads } from './worker-pool.ts';
import {
  type ScanTask,
  type Scanned,
  type SettledPart,
  type SettleTask,
  type Stored,
  type ThemeIds,
  UsersWork,
} from './tasks.ts';

export interface ReadUsersOptions {
  /** Slugs of the themes that there are. */
  themes: readonly string[];
  /** By their index, and the kind of the key: ids of the themes that hosts must know of. */
  ids: ThemeIds;
  foldsCase: boolean;
  keepsPairs: boolean;
  /** What some themes were called before. */
  renamed?: Renamed | undefined;
  /** How keyed shards are made, if they are. */
  shards: { bits: number; themeBytes: number; secret: Uint8Array; before: StoredBuild | undefined } | undefined;
}

/** Everything that the files of users say. */
export interface Users {
  assigned: Assigned;
  /** Keys of each kind that are given each theme, in the order of the slugs. */
  countsByTheme: Readonly<Record<KeyKind, readonly number[]>>;
  mapping: Mapping;
  /** Lets go of what was set aside; the mapping cannot be read after it. */
  close(): void;
}

/** How the work is cut up, in bytes. */
export interface Sizes {
  chunk: number;
  /** What the main thread scans by itself. */
  alone: number;
}

/** So many rows take one thread less time than it takes to start others. */
const SIZES: Sizes = { chunk: CHUNK, alone: 4 * 1024 * 1024 };

/** Reads and checks all files of users, as a stream: memory does not grow with them. */
export async function readUsers(
  sources: readonly UsersSource[],
  options: ReadUsersOptions,
  report: Report,
  sizes: Sizes = SIZES,
): Promise<Users> {
  const { themes, ids, foldsCase, keepsPairs, shards, renamed } = options;
  const secret = shards?.secret ?? randomBytes(32);
  const crew = new Crew({ themes, secret, foldsCase, keepsPairs }, sizes.alone);
  try {
    const { chunks, findings } = await scanAll(sources, crew, themes, sizes.chunk, report);
    const parts = await crew.settle({
      bits: shards?.bits ?? 12,
      writing: shards && { shape: { bits: shards.bits, themeBytes: shards.themeBytes }, ids },
    });
    const duplicates = merged(parts.map((part) => part.duplicates));
    // A key in capitals that is given twice would collide with itself.
    const collisions = merged(duplicates.first.length > 0 ? [] : parts.map((part) => part.collisions));
    findings.report(chunks, duplicates, themes, report, renamed);
    await crew.endThreads();
    return {
      assigned: {
        counts: { user: sum(chunks, 'user'), group: sum(chunks, 'group') },
        first: { user: firstOf(chunks, 'user'), group: firstOf(chunks, 'group') },
        collisions: collisions.first.map(([row, first]) => [locateRow(chunks, row), locateRow(chunks, first)]),
        moreCollisions: collisions.more,
      },
      countsByTheme: { user: byTheme(chunks, 'user', themes), group: byTheme(chunks, 'group', themes) },
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
    // In this order: threads that still run must not write to what is closed.
    await crew.endThreads();
    crew.close();
    throw error;
  }
}

type Chunk = ScannedChunk & { pairs: Stored | undefined };

/** Chunks that may wait for one before them, which takes longer. */
const MOST_SCANS = 16;

/** Chunks that a record can tell apart. */
const MOST_CHUNKS = 65_536;

async function scanAll(
  sources: readonly UsersSource[],
  crew: Crew,
  themes: readonly string[],
  chunkBytes: number,
  report: Report,
): Promise<{ chunks: Chunk[]; findings: Findings }> {
  const chunks: Chunk[] = [];
  const findings = new Findings();
  const scans: (ChunkPlace & { scanned: Promise<Scanned> })[] = [];
  const takeFirst = async (): Promise<void> => {
    const scan = scans.shift();
    if (scan === undefined) return;
    const { file, firstLine, scanned } = scan;
    const { lines, counts, first, pairs, ...found } = await scanned;
    const before = chunks.at(-1);
    const next = before === undefined ? 1 : before.firstLine + before.lines;
    findings.add(chunks.length, file, found);
    chunks.push({ file, firstLine: firstLine ?? next, lines, counts, first, pairs });
  };
  const add = async ({ place, ...rows }: Rows): Promise<void> => {
    const chunk = chunks.length + scans.length;
    if (chunk === MOST_CHUNKS)
      throw new UsersFileError(`There are too many users: more than ${MOST_CHUNKS} files of them, or 64 GiB.`);
    const scan =
      'rows' in rows ? { scanned: Promise.resolve(crew.take(chunk, rows.rows)) } : await crew.scan({ chunk, ...rows });
    scans.push({ ...place, ...scan });
    if (scans.length > MOST_SCANS) await takeFirst();
  };
  for (const source of sources) for await (const rows of rowsOf(source, themes, chunkBytes, report)) await add(rows);
  while (scans.length > 0) await takeFirst();
  return { chunks, findings };
}

/** The main thread, and others once there is enough to do. */
class Crew {
  readonly #options: ScanOptions;
  readonly #alone: UsersWork;
  readonly #aloneBytes: number;
  #scanned = 0;
  #spill: Spill | undefined;
  #threads: Threads | undefined;

  constructor(options: ScanOptions, aloneBytes: number) {
    this.#options = options;
    this.#aloneBytes = aloneBytes;
    this.#alone = new UsersWork(options, undefined);
  }

  take(chunk: number, rows: readonly WrittenRow[]): Scanned {
    return this.#alone.take(chunk, rows);
  }

  async scan(task: ScanTask): Promise<{ scanned: Promise<Scanned> }> {
    this.#scanned += task.bytes.length;
    if (this.#scanned <= this.#aloneBytes) return { scanned: Promise.resolve(this.#alone.scan(task)) };
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

function byTheme(chunks: readonly Chunk[], kind: KeyKind, themes: readonly string[]): number[] {
  const all = themes.map(() => 0);
  for (const { counts } of chunks)
    for (const [theme, keys] of counts[kind].entries()) all[theme] = (all[theme] ?? 0) + keys;
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
