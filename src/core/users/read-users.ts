import { randomBytes } from 'node:crypto';
import { type Location, place, type Report } from '../diagnostics/diagnostic.ts';
import { Assignments } from './assignments.ts';
import type { KeyKind } from './key.ts';
import type { AssignmentSummary, Mapping } from './mapping.ts';
import { locationOf, readRows, type Sizes } from './rows.ts';
import { keyedShards, ShardRecords, type ShardShape } from './shards.ts';
import type { UsersSource } from './source-rows.ts';
import { UnknownThemes } from './unknown-themes.ts';

export interface ReadUsersOptions {
  themes: readonly string[];
  /** The ids of themes by their index and the kind of key; undefined if hosts do not need the theme. */
  ids: Readonly<Record<KeyKind, readonly (number | undefined)[]>>;
  /** The title of a host that compares keys case-insensitively, if there is one. */
  folding?: string | undefined;
  retainsPairs: boolean;
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
  const { themes, ids, folding, retainsPairs, shards } = options;
  const secret = shards?.secret ?? randomBytes(32);
  const assignments = new Assignments(secret, shards?.bits, sizes?.rows);
  const countsByTheme = ofEach(() => themes.map(() => 0));
  const first = ofEach((): Location | undefined => undefined);
  const keys = ofEach(() => new KeyList());
  const unknown = new UnknownThemes();
  const mistakes = { add: report, addUnknownTheme: unknown.add };
  await readRows(sources, { themes, report, mistakes, sizes }, (row) => {
    const { kind, key, theme } = row;
    if (theme !== undefined) {
      countsByTheme[kind][theme]!++;
      first[kind] ??= locationOf(row);
      if (retainsPairs) keys[kind].add(key, theme);
    }
    assignments.add(row);
    const folded = folding === undefined ? key : key.toLowerCase();
    if (folded !== key) assignments.add({ ...row, key: folded }, true);
  });
  const records = shards && new ShardRecords(shards);
  const repeated: [row: number, first: number][] = [];
  const collisions: typeof repeated = [];
  for (const rows of assignments.byKey()) {
    const [row, ...repeats] = rows.filter((each) => !assignments.isFolded(each));
    for (const repeat of repeats) repeated.push([repeat, row ?? repeat]);
    if (repeats.length === 0 && rows[1] !== undefined) collisions.push([rows[1], rows[0]]);
    if (row !== undefined)
      records?.add(assignments.digest(row), ids[assignments.kind(row)][assignments.theme(row) ?? -1]);
  }
  // One key may be repeated millions of times. Repeated keys in capitals are equal in lower case, too.
  const pairs = repeated.length > 0 ? repeated : collisions;
  for (const [row, original] of pairs.toSorted(([a], [b]) => a - b).slice(0, MAX_REPORTED)) {
    const [location, first] = [assignments.location(row), place(assignments.location(original))];
    if (pairs === repeated) report('mapping/duplicate-user', location, { first });
    else report('edge/case-collision', location, { host: folding ?? '', first });
  }
  unknown.report(themes, report);
  return {
    assigned: {
      counts: ofEach((kind) => sumOf(countsByTheme[kind])),
      first,
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

/** Maximum number of repeated keys that are reported. */
const MAX_REPORTED = 100_000;

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
