import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { displayPath, errorCode, isInside } from '../files.ts';

/** A file that Git tracks. */
export interface TrackedFile {
  /** Absolute. */
  path: string;
  /** The id of its blob. */
  object: string;
}

/** The checkout that a folder lies in: the nearest folder at or above it with a `.git`; nothing if there is none. */
export function checkoutOf(folder: string): string | undefined {
  const resolved = path.resolve(folder);
  if (existsSync(path.join(resolved, '.git'))) return resolved;
  const parent = path.dirname(resolved);
  return parent === resolved ? undefined : checkoutOf(parent);
}

/**
 * The files that Git tracks at or below some places; none where there is no checkout or no Git.
 *
 * The repository may be hostile, its configuration too, so nothing that it names is run: `ls-files` runs `core.fsmonitor` alone, and
 * would fetch what a partial clone lacks (git-config(1), git(1) `GIT_ALLOW_PROTOCOL`).
 */
export async function trackedFiles(checkout: string | undefined, places: readonly string[]): Promise<TrackedFile[]> {
  const inside = places.filter((place) => checkout !== undefined && isInside(path.resolve(place), checkout));
  if (checkout === undefined || inside.length === 0) return [];
  const config = ['core.fsmonitor=false', 'core.untrackedCache=false', 'safe.directory=*'].flatMap((one) => [
    '-c',
    one,
  ]);
  const names = inside.map((place) => path.relative(checkout, path.resolve(place)));
  const listed = await new Promise<string>((resolve) => {
    execFile(
      'git',
      [...config, '--literal-pathspecs', 'ls-files', '--stage', '-z', '--', ...names],
      {
        cwd: checkout,
        timeout: 10_000,
        maxBuffer: 256 * 1024 * 1024,
        env: { ...process.env, GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' },
      },
      (error, stdout) => resolve(error === null ? stdout : ''),
    );
  });
  return listed.split('\0').flatMap((row) => {
    const { object, name } = /^\d+ (?<object>[0-9a-f]+) \d\t(?<name>.+)$/s.exec(row)?.groups ?? {};
    return object === undefined || name === undefined ? [] : [{ path: path.join(checkout, name), object }];
  });
}

/** Whether a tracked link still has the target that was committed, or is no link at all. */
export function isCommittedLink({ path: file, object }: TrackedFile): boolean {
  try {
    const target = readlinkSync(file, 'buffer');
    const hash = createHash(object.length === 64 ? 'sha256' : 'sha1');
    return hash.update(`blob ${target.length}\0`).update(target).digest('hex') === object;
  } catch (error) {
    return errorCode(error) === 'EINVAL';
  }
}

/**
 * Reports each place that is tracked or has tracked files in it.
 * @param edge - the private output, which contains user keys
 * @param cwd - what diagnostics name files relative to
 */
export function reportTracked(
  tracked: readonly TrackedFile[],
  places: readonly string[],
  { edge, cwd }: { edge: string; cwd: string },
  report: Report,
): void {
  for (const place of places) {
    if (!tracked.some((file) => isInside(file.path, place))) continue;
    const shown = displayPath(place, cwd);
    report('output/tracked', { file: shown }, { path: shown, hasUsers: place === edge });
  }
}
