import { randomBytes } from 'node:crypto';
import type { Report } from '../diagnostics/diagnostic.ts';
import { type Chunk, countKeys, countsByTheme, firstKey, locateRow, pairsOf } from './chunks.ts';
import { dedupe } from './dedupe.ts';
import { UserDiagnostics } from './diagnostics.ts';
import type { KeyKind } from './key.ts';
import type { AssignmentSummary, Mapping } from './mapping.ts';
import { RecordPartitions } from './partitions.ts';
import { RowScanner } from './row-scanner.ts';
import { scanSources, type Sizes } from './scan-sources.ts';
import { keyedShards, SHARD_BITS, type ShardShape } from './shards.ts';
import type { UsersSource } from './source-rows.ts';

export interface ReadUsersOptions {
  themes: readonly string[];
  /** The ids of themes by their index and the kind of key; undefined if hosts do not need the theme. */
  ids: Readonly<Record<KeyKind, readonly (number | undefined)[]>>;
  foldsCase: boolean;
  retainsPairs: boolean;
  groupsAreHostnames?: boolean | undefined;
  /** The layout of keyed shards and their secret, if the site uses them. */
  shards: (ShardShape & { secret: Uint8Array }) | undefined;
}

export interface Users {
  assigned: AssignmentSummary;
  /** The number of keys of each kind per theme, in the order of the slugs. */
  countsByTheme: Readonly<Record<KeyKind, readonly number[]>>;
  mapping: Mapping;
}

/** Reads and checks all users files as a stream. Memory: 24 bytes per key, and the keys themselves if they are retained. */
export async function readUsers(
  sources: readonly UsersSource[],
  options: ReadUsersOptions,
  report: Report,
  sizes?: Partial<Sizes>,
): Promise<Users> {
  const { themes, ids, foldsCase, retainsPairs, groupsAreHostnames, shards } = options;
  const secret = shards?.secret ?? randomBytes(32);
  const records = new RecordPartitions();
  const scanner = new RowScanner({ themes, secret, foldsCase, retainsPairs, groupsAreHostnames }, records.add);
  const chunks: Chunk[] = [];
  const diagnostics = new UserDiagnostics();
  for await (const chunk of scanSources(sources, scanner, report, sizes)) {
    const { file, firstLine, lines, counts, first, pairs, ...problems } = chunk;
    diagnostics.add(chunks.length, problems);
    chunks.push({ file, firstLine, lines, counts, first, pairs });
  }
  const writing = shards && {
    shape: shards,
    idOf: ({ kind, theme }: { kind: KeyKind; theme: number }) => ids[kind][theme],
  };
  const { duplicates, collisions, shards: shardBytes } = dedupe(records, shards?.bits ?? SHARD_BITS, writing);
  duplicates.add([], records.dropped);
  diagnostics.report(chunks, duplicates, themes, report);
  // A key in capitals that is listed twice would collide with itself.
  const hasDuplicates = duplicates.first.length > 0;
  const byTheme = ofEach((kind) => countsByTheme(chunks, kind, themes));
  const isNeeded =
    (kind: KeyKind) =>
    (theme: number): boolean =>
      ids[kind][theme] !== undefined;
  return {
    assigned: {
      counts: ofEach((kind) => countKeys(byTheme[kind])),
      first: ofEach((kind) => firstKey(chunks, kind)),
      collisions: hasDuplicates
        ? []
        : collisions.first.map(([row, first]) => [locateRow(chunks, row), locateRow(chunks, first)]),
      moreCollisions: hasDuplicates ? 0 : collisions.more,
    },
    countsByTheme: byTheme,
    mapping: {
      counts: ofEach((kind) => countKeys(byTheme[kind], isNeeded(kind))),
      pairs: (kind) => {
        if (!retainsPairs) throw new Error('Bug: the keys were not retained.');
        return pairsOf(kind, chunks, themes, isNeeded(kind));
      },
      shards: shards && keyedShards(shardBytes, shards, secret),
    },
  };
}

/** Returns a value for users, and a value for groups. */
function ofEach<T>(of: (kind: KeyKind) => T): Record<KeyKind, T> {
  return { user: of('user'), group: of('group') };
}
