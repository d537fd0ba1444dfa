import { randomBytes } from 'node:crypto';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { countKeys, countsByTheme, firstKey, locateRow, pairsOf } from '../chunks.ts';
import { Repetitions } from '../dedupe.ts';
import type { KeyKind } from '../key.ts';
import type { Assignments, Mapping } from '../mapping.ts';
import { CHUNK } from '../row-chunks.ts';
import { scanSources } from '../scan-sources.ts';
import { MAX_USERS_BYTES, type UsersSource } from '../source-rows.ts';
import type { StoredBytes } from '../spill-store.ts';
import { type ShardsOptions, storedShards } from '../stored-shards.ts';
import type { PartitionResult, ThemeIds } from '../tasks.ts';
import { UserWorkers } from './user-workers.ts';

export interface ReadUsersOptions {
  themes: readonly string[];
  /** The ids of themes by their index and the kind of key; undefined if hosts do not need the theme. */
  ids: ThemeIds;
  foldsCase: boolean;
  retainsPairs: boolean;
  groupsAreHostnames?: boolean | undefined;
  /** The layout of keyed shards, if the site uses them. */
  shards: ShardsOptions | undefined;
}

export interface Users {
  assigned: Assignments;
  /** The number of keys of each kind per theme, in the order of the slugs. */
  countsByTheme: Readonly<Record<KeyKind, readonly number[]>>;
  mapping: Mapping;
  /** Releases the temporary file; the mapping cannot be read afterwards. */
  close(): void;
}

/** Limits of the work, in bytes. */
export interface Sizes {
  chunk: number;
  /** Maximum that the main thread scans alone. */
  alone: number;
  /** Maximum size of all files together. */
  all: number;
}

/** With less than `alone`, one thread is faster than starting others. */
const SIZES: Sizes = { chunk: CHUNK, alone: 4 * 1024 * 1024, all: MAX_USERS_BYTES };

/** Reads and checks all users files as a stream, so memory use does not depend on their size. */
export async function readUsers(
  sources: readonly UsersSource[],
  options: ReadUsersOptions,
  report: Report,
  sizes: Partial<Sizes> = {},
): Promise<Users> {
  const { alone, ...limits } = { ...SIZES, ...sizes };
  const { themes, ids, foldsCase, retainsPairs, groupsAreHostnames, shards } = options;
  const secret = shards?.secret ?? randomBytes(32);
  const workers = new UserWorkers({ themes, secret, foldsCase, retainsPairs, groupsAreHostnames }, alone);
  const isNeeded =
    (kind: KeyKind) =>
    (theme: number): boolean =>
      ids[kind][theme] !== undefined;
  const read = (stored: StoredBytes): Buffer => workers.read(stored);
  try {
    const { chunks, diagnostics } = await scanSources(sources, workers, limits, report);
    const parts = await workers.dedupe({
      bits: shards?.bits ?? 12,
      writing: shards && { shape: { bits: shards.bits, themeBytes: shards.themeBytes }, ids },
    });
    const duplicates = merged(parts.map((part) => part.duplicates));
    // A key in capitals that is listed twice would collide with itself.
    const collisions = merged(duplicates.first.length > 0 ? [] : parts.map((part) => part.collisions));
    diagnostics.report(chunks, duplicates, themes, report);
    await workers.endThreads();
    const byTheme = ofEach((kind) => countsByTheme(chunks, kind, themes));
    return {
      assigned: {
        counts: ofEach((kind) => countKeys(byTheme[kind])),
        first: ofEach((kind) => firstKey(chunks, kind)),
        collisions: collisions.first.map(([row, first]) => [locateRow(chunks, row), locateRow(chunks, first)]),
        moreCollisions: collisions.more,
      },
      countsByTheme: byTheme,
      mapping: {
        counts: ofEach((kind) => countKeys(byTheme[kind], isNeeded(kind))),
        pairs: (kind) => {
          if (!retainsPairs) throw new Error('Bug: the keys were not retained.');
          return pairsOf(kind, chunks, themes, isNeeded(kind), read);
        },
        shards:
          shards &&
          storedShards(
            parts.flatMap((part) => part.shards),
            shards,
            read,
          ),
      },
      close: () => workers.close(),
    };
  } catch (error) {
    // In this order, so that no running thread writes to a closed file.
    await workers.endThreads();
    workers.close();
    throw error;
  }
}

/** Returns a value for users, and a value for groups. */
function ofEach<T>(of: (kind: KeyKind) => T): Record<KeyKind, T> {
  return { user: of('user'), group: of('group') };
}

function merged(all: readonly PartitionResult['duplicates'][]): Repetitions {
  const repetitions = new Repetitions();
  for (const { first, more } of all) repetitions.add(first, more);
  return repetitions;
}
