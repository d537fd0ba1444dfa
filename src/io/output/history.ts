import { realpath } from 'node:fs/promises';
import { type ContainedFolder, ContainmentError } from './contained-folder.ts';
import { isStagingId } from './places.ts';
import { isSealed, sealOf } from '../state-key.ts';

/** How long media are retained that no document names any more, for documents that are still cached: 30 days, in milliseconds. */
const RETENTION = 30 * 24 * 60 * 60 * 1000;
/** Maximum number of publications whose media are retained: frequent builds must not fill the disk. */
const RETAINED_PUBLICATIONS = 50;

/** What has to be known of earlier publications, and cannot be learned from the output: times above all, which would change it. */
export interface History {
  /** The publication that has been decided on, and may not be in its place yet. */
  pending?: Pending;
  /** Media that were dropped, oldest first. */
  retired: readonly Retired[];
}

export interface Pending {
  id: string;
  /** SHA-256 of the plans of the public and of the private tree, where there is something to do. */
  plans: readonly (string | null | undefined)[];
}

interface Retired {
  /** ISO 8601. */
  last_named: string;
  /** Relative to the tree. */
  files: readonly string[];
}

export const EMPTY_HISTORY: History = { retired: [] };

/** Maximum size of the file, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The file of a history. It lies beside the output and may come with a checkout, so what moves or removes files (`pending`)
 * counts only with a seal: an HMAC under a key of this user on this machine, for this folder. What merely delays the
 * removal of old media needs none, and may travel with the output through the cache of a CI.
 */
export class HistoryFile {
  readonly #dir: ContainedFolder;
  readonly #name: string;
  readonly #key: string | undefined;

  /**
   * @param dir - the folder around the output
   * @param key - see `stateKey`; without one, no seal is believed
   */
  constructor(dir: ContainedFolder, name: string, key: string | undefined) {
    this.#dir = dir;
    this.#name = name;
    this.#key = key;
  }

  /** The trusted part of the history, and whether some of it was ignored. */
  async read(): Promise<{ history: History; ignored: boolean }> {
    let text;
    try {
      text = (await this.#dir.read(this.#name, MAX_BYTES))?.toString('utf8');
    } catch (error) {
      if (error instanceof ContainmentError) return { history: EMPTY_HISTORY, ignored: true };
      throw error;
    }
    if (text === undefined) return { history: EMPTY_HISTORY, ignored: false };
    const stored = parsedHistory(text);
    if (stored === undefined) return { history: EMPTY_HISTORY, ignored: true };
    const { pending, retired, seal } = stored;
    if (pending === undefined) return { history: { retired }, ignored: false };
    if (!isSealed(this.#key, await this.#sealed(stored), seal)) return { history: { retired }, ignored: true };
    return { history: { pending, retired }, ignored: false };
  }

  /** Private: it names what is published no longer. There is no file for nothing. */
  async write(history: History): Promise<void> {
    const { pending, retired } = history;
    const isEmpty = pending === undefined && retired.length === 0;
    if (isEmpty) return this.#dir.remove(this.#name);
    const seal = this.#key === undefined ? undefined : sealOf(this.#key, await this.#sealed(history));
    const text = JSON.stringify({ version: 1, pending, releases: [], retired, seal });
    return this.#dir.replace(this.#name, `${text}\n`, 0o600);
  }

  /** What is sealed, with the place: the history of another folder does not count. */
  async #sealed({ pending }: Pick<History, 'pending'>): Promise<unknown[]> {
    return ['themecast history', await realpath(this.#dir.path), this.#name, pending ?? null, []];
  }
}

/** A history that has the form of one and names nothing but what lies in its place. */
function parsedHistory(text: string): (History & { seal?: unknown }) | undefined {
  try {
    const history = JSON.parse(text) as History;
    const { pending, retired } = history;
    const isValid =
      (pending === undefined ||
        (isStagingId(pending.id) && pending.plans.every((plan) => plan === null || typeof plan === 'string'))) &&
      retired.every(({ files, last_named: time }) => typeof time === 'string' && files.every(isMediaFile));
    return isValid ? history : undefined;
  } catch {
    return undefined; // not JSON, or of another form
  }
}

/** When the first media expire, in milliseconds since 1970. */
export function expiry({ retired: [oldest] }: History): number | undefined {
  return oldest && Date.parse(oldest.last_named) + RETENTION;
}

/**
 * What is retired once media are dropped, and what has been for long enough.
 * @param named - the files of the new publication
 */
export function retire(
  retired: readonly Retired[],
  dropped: readonly string[],
  named: ReadonlySet<string>,
  now: Date,
): { retired: Retired[]; expired: string[] } {
  const all = [...retired, { last_named: now.toISOString(), files: dropped }]
    .map(({ last_named, files }) => ({ last_named, files: files.filter((file) => !named.has(file)) }))
    .filter(({ files }) => files.length > 0);
  const oldest = now.getTime() - RETENTION;
  const current = all.slice(-RETAINED_PUBLICATIONS).filter(({ last_named }) => Date.parse(last_named) >= oldest);
  const files = new Set(current.flatMap((one) => one.files));
  return { retired: current, expired: all.flatMap((one) => one.files).filter((file) => !files.has(file)) };
}

/** The name of a published image or thumbnail: it holds 16 digits of its SHA-256. */
const MEDIA_FILE = /^media\/[^/]+\/[\w-]+\.[0-9a-f]{16}[-.][^/]+$/;

function isMediaFile(file: string): boolean {
  return MEDIA_FILE.test(file);
}
