import { randomBytes } from 'node:crypto';
import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { Assignments } from './assignments.ts';
import type { KeyKind } from './key.ts';
import type { AssignmentSummary, Mapping } from './mapping.ts';
import { MAX_DIAGNOSTICS, type Repetition, RowProblems } from './row-problems.ts';
import { locationOf, readRows, type Sizes } from './rows.ts';
import { keyedShards, ShardRecords, type ShardShape } from './shards.ts';
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

/**
 * Reads and checks all users files as a stream. Memory: 28 bytes per key while it reads, and afterwards the keys if they are retained, and the
 * shards.
 */
export async function readUsers(
  sources: readonly UsersSource[],
  options: ReadUsersOptions,
  report: Report,
  sizes?: Partial<Sizes>,
): Promise<Users> {
  const { themes, ids, foldsCase, retainsPairs, groupsAreHostnames, shards } = options;
  const secret = shards?.secret ?? randomBytes(32);
  const assignments = new Assignments(secret, shards?.bits, sizes?.rows);
  const countsByTheme = ofEach(() => themes.map(() => 0));
  const first = ofEach((): Location | undefined => undefined);
  const keys = ofEach(() => new KeyList());
  const mistakes = new RowProblems();
  await readRows(sources, { themes, report, mistakes, groupsAreHostnames, sizes }, (row) => {
    const { kind, key, theme } = row;
    if (theme !== undefined) {
      countsByTheme[kind][theme]!++;
      first[kind] ??= locationOf(row);
      if (retainsPairs) keys[kind].add(key, theme);
    }
    assignments.add(row);
    const folded = foldsCase ? key.toLowerCase() : key;
    if (folded !== key) assignments.add({ ...row, key: folded }, true);
  });
  const records = shards && new ShardRecords(shards);
  const { duplicates, collisions } = repetitionsIn(assignments, (row) => {
    records?.add(assignments.digest(row), ids[assignments.kind(row)][assignments.theme(row) ?? -1]);
  });
  const files = sources.map(({ file }) => file);
  mistakes.report(files, duplicates, themes, report);
  return {
    assigned: {
      counts: ofEach((kind) => sumOf(countsByTheme[kind])),
      first,
      // A key in capitals that is listed twice would collide with itself.
      collisions: duplicates.first.length > 0 ? [] : collisions.first,
      moreCollisions: duplicates.first.length > 0 ? 0 : collisions.more,
    },
    countsByTheme,
    mapping: {
      counts: ofEach((kind) => sumOf(countsByTheme[kind].filter((_, theme) => ids[kind][theme] !== undefined))),
      pairs: (kind) => {
        if (!retainsPairs) throw new Error('Bug: the keys were not retained.');
        return keys[kind].pairs(themes.map((slug, theme) => (ids[kind][theme] === undefined ? undefined : slug)));
      },
      shards: shards && records && keyedShards(records.take(), shards, secret),
    },
  };
}

/**
 * Finds keys that are listed twice, and keys that differ only by case.
 * @param onKey - called with the first row of each key, in the order of digests
 */
function repetitionsIn(
  assignments: Assignments,
  onKey: (row: number) => void,
): Record<'duplicates' | 'collisions', { first: readonly Repetition[]; more: number }> {
  const [duplicates, collisions] = [new Repetitions(), new Repetitions()];
  for (const rows of assignments.byKey())
    if (typeof rows === 'number') {
      if (!assignments.isFolded(rows)) onKey(rows);
    } else {
      const written = rows.filter((row) => !assignments.isFolded(row));
      // A key in capitals that is listed twice is not a collision.
      if (written.length > 1) duplicates.add(written);
      else collisions.add(rows);
      if (written[0] !== undefined) onKey(written[0]);
    }
  return { duplicates: duplicates.located(assignments), collisions: collisions.located(assignments) };
}

/** The first rows that repeat another row, and the number of all others: one key may be repeated millions of times. */
class Repetitions {
  #pairs: [row: number, first: number][] = [];
  #more = 0;

  /** @param rows - of one key, in order */
  add([first, ...repeats]: readonly number[]): void {
    if (first === undefined) return;
    for (const row of repeats.slice(0, MAX_DIAGNOSTICS)) this.#pairs.push([row, first]);
    this.#more += Math.max(0, repeats.length - MAX_DIAGNOSTICS);
    if (this.#pairs.length > 20 * MAX_DIAGNOSTICS) this.#truncate();
  }

  located(assignments: Assignments): { first: readonly Repetition[]; more: number } {
    this.#truncate();
    const first = this.#pairs.map((pair): Repetition => [assignments.location(pair[0]), assignments.location(pair[1])]);
    return { first, more: this.#more };
  }

  #truncate(): void {
    this.#pairs.sort(([a], [b]) => a - b);
    this.#more += this.#pairs.splice(MAX_DIAGNOSTICS).length;
  }
}

/** Number of keys per text of a {@link KeyList}. */
const KEYS_PER_TEXT = 10_000;

/** Keys with the indexes of their themes, as text: as objects, ten million of them would take a gigabyte. */
class KeyList {
  readonly #texts: string[] = [];
  #lines: string[] = [];

  add(key: string, theme: number): void {
    this.#lines.push(`${key},${theme}`);
    if (this.#lines.length < KEYS_PER_TEXT) return;
    this.#texts.push(this.#lines.join('\n'));
    this.#lines = [];
  }

  /** Yields the keys of the themes that have a slug, in the order of the files. */
  *pairs(slugs: readonly (string | undefined)[]): Generator<readonly [key: string, theme: string]> {
    for (const lines of [...this.#texts, this.#lines])
      for (const line of typeof lines === 'string' ? lines.split('\n') : lines) {
        const comma = line.indexOf(',');
        const slug = slugs[Number(line.slice(comma + 1))];
        if (slug !== undefined) yield [line.slice(0, comma), slug];
      }
  }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, keys) => sum + keys, 0);
}

/** Returns a value for users, and a value for groups. */
function ofEach<T>(of: (kind: KeyKind) => T): Record<KeyKind, T> {
  return { user: of('user'), group: of('group') };
}
