import { readFile, rm } from 'node:fs/promises';
import { errorCode } from './files.ts';
import { isPathBelow, isStagingId, RELEASE } from './places.ts';
import { PublishError } from './publish-error.ts';
import { replaceFile } from './staging.ts';

/** Media that no document names any more stay for so long, for documents that are still in a cache. */
const KEPT_DAYS = 30;
/** And of so many publications at most: the disk is not to fill up where many are made. */
const KEPT_PUBLICATIONS = 50;

/** What has to be known of earlier publications, and cannot be told from the output: times above all, which would change it. */
export interface History {
  version: 1;
  /** The publication that has been decided on, and may not be in its place yet. */
  pending?: string;
  /** Oldest first; the last one is live. */
  releases: readonly string[];
  /** Media that were dropped, oldest first. */
  retired: readonly Retired[];
}

interface Retired {
  /** ISO 8601. */
  last_named: string;
  /** Relative to the tree. */
  files: readonly string[];
}

/** Reads the history. Somebody else may have put it there, with paths that lead out of the output: then it is not believed. */
export async function readHistory(file: string): Promise<History> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return { version: 1, releases: [], retired: [] };
  const history = parsedHistory(text);
  if (history !== undefined) return history;
  throw new PublishError(`${file} is damaged. Remove it; media that no document names any more then stay.`);
}

function parsedHistory(text: string): History | undefined {
  try {
    const history = JSON.parse(text) as History;
    const { pending, releases, retired } = history;
    const isOurs =
      (pending === undefined || isStagingId(pending)) &&
      releases.every((release) => RELEASE.test(release)) &&
      retired.every(({ files }) => files.every(isPathBelow));
    return isOurs ? history : undefined;
  } catch {
    return undefined; // not JSON, or of another form
  }
}

/** Private: it names what is published no more. There is no file for nothing. */
export async function writeHistory(file: string, history: History): Promise<void> {
  const isEmpty = history.pending === undefined && history.releases.length + history.retired.length === 0;
  if (isEmpty) await rm(file, { force: true });
  else await replaceFile(file, `${JSON.stringify(history)}\n`, 0o600);
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
  const oldest = now.getTime() - KEPT_DAYS * 24 * 60 * 60 * 1000;
  const kept = all.slice(-KEPT_PUBLICATIONS).filter(({ last_named }) => Date.parse(last_named) >= oldest);
  const files = new Set(kept.flatMap((one) => one.files));
  return { retired: kept, expired: all.flatMap((one) => one.files).filter((file) => !files.has(file)) };
}
