import { type ContainedFolder, ContainmentError, isPathBelow } from '../disk/contained-folder.ts';
import { isMedia, RETENTION } from '../../document/deployment.ts';
import { MAX_LIST_BYTES } from './places.ts';

/** Maximum number of publications whose media are retained: frequent builds must not fill the disk. */
const RETAINED_PUBLICATIONS = 50;

/** What has to be known of earlier publications, and cannot be learned from the output: times above all, which would change it. */
export interface History {
  /** What a publication that has not ended was about to do: in the public tree, and in the private one. */
  begun?: readonly Begun[] | undefined;
  /** Media that were dropped, oldest first. */
  retired: readonly Retired[];
}

/** Files below the folder of a tree: these and those that its list names are themecast's, and no others. */
export interface Begun {
  appear: readonly string[];
  go: readonly string[];
}

export interface Retired {
  /** ISO 8601. */
  last_named: string;
  /** Relative to the tree. */
  files: readonly string[];
}

export const NOTHING_BEGUN: Begun = { appear: [], go: [] };

/**
 * The file of a history. It lies beside the output and may come with a checkout or from the cache of a CI. It proves nothing, and need
 * not: all that it can bring about is that files inside the output are replaced or removed, or stay for longer.
 */
export class HistoryFile {
  readonly #dir: ContainedFolder;
  readonly #name: string;

  /** @param dir - the folder around the output */
  constructor(dir: ContainedFolder, name: string) {
    this.#dir = dir;
    this.#name = name;
  }

  /** An empty history if there is no file, or none that can be read. */
  async read(): Promise<History> {
    try {
      return parsedHistory((await this.#dir.read(this.#name, MAX_LIST_BYTES))?.toString('utf8') ?? '');
    } catch (error) {
      if (error instanceof ContainmentError) return { retired: [] };
      throw error;
    }
  }

  /** Private: it names what is published no longer. There is no file for nothing. */
  async write({ begun, retired }: History): Promise<void> {
    if (begun === undefined && retired.length === 0) return this.#dir.remove(this.#name);
    return this.#dir.replace(this.#name, `${JSON.stringify({ version: 2, begun, retired })}\n`, 0o600);
  }
}

/** What of a history has its form and names nothing but what lies in its place. */
function parsedHistory(text: string): History {
  try {
    const { begun, retired } = JSON.parse(text) as History;
    const isBegun = begun?.every(({ appear, go }) => [...appear, ...go].every(isPathBelow)) === true;
    const areMedia = retired.every(
      ({ files, last_named: time }) => !Number.isNaN(Date.parse(time)) && files.every(isMedia),
    );
    return { ...(isBegun && { begun }), retired: areMedia ? retired : [] };
  } catch {
    return { retired: [] }; // not JSON, or of another form
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
