import type { OutputFile, PrivateFile } from '../../document/output-file.ts';
import { type History, retire } from './history.ts';
import { ownFiles } from './file-list.ts';
import { liveRelease, type Tree } from './places.ts';
import { begunFiles } from './plan.ts';
import { releaseFiles, releaseOf } from './releases.ts';
import { measured, type Wanted } from './staging.ts';

/** Releases that are retained, the live one among them. Of the private tree, which holds personal data, that one alone. */
const RETAINED_RELEASES = 5;

/** What is to be done to publish one tree. */
export interface Change {
  tree: Tree;
  files: readonly Wanted[];
  /** Where the files go, below the folder of the tree. */
  root: string;
  /** Media of earlier publications that stay. */
  retained: readonly string[];
  /** Files that go, below the folder of the tree. */
  remove: readonly string[];
}

/** What changes in the public tree, and the history once it has. */
export async function publicChange(
  tree: Tree,
  outputFiles: readonly OutputFile[],
  earlier: History,
  hasReleases: boolean,
): Promise<{ change: Change; history: History }> {
  const files = outputFiles.map(measured);
  const named = new Set(files.map((file) => file.path));
  const live = (await liveRelease(tree.dir.path)) ?? '';
  const gone = (await ownFiles(tree, live)).filter((file) => !named.has(file));
  const { retired, expired } = retire(
    earlier.retired,
    gone.filter((file) => file.startsWith('media/')),
    named,
    new Date(),
  );
  // One of a killed publication may have been dropped twice.
  const retained = [...new Set(retired.flatMap((one) => one.files))];
  if (!hasReleases) {
    const remove = [...gone.filter((file) => !file.startsWith('media/')), ...expired];
    return { change: { tree, files, root: '', retained, remove }, history: { releases: [], retired } };
  }
  const root = releaseOf(tree, files);
  const all = [...earlier.releases.filter((release) => release !== root), root];
  const outdated = all.slice(0, -RETAINED_RELEASES);
  const remove = (await Promise.all(outdated.map((release) => releaseFiles(tree, release)))).flat();
  const history: History = { releases: all.slice(-RETAINED_RELEASES), retired };
  return { change: { tree, files, root, retained, remove }, history };
}

/** What changes in the private tree. */
export async function privateChange(
  tree: Tree,
  privateFiles: readonly (OutputFile | PrivateFile)[],
  hasReleases: boolean,
): Promise<Change> {
  const files = privateFiles.map(measured);
  if (!hasReleases) {
    const named = new Set(files.map((file) => file.path));
    const remove = (await ownFiles(tree, '')).filter((file) => !named.has(file));
    return { tree, files, root: '', retained: [], remove };
  }
  const root = releaseOf(tree, files);
  const old = await liveRelease(tree.dir.path);
  const earlier = [...(old === undefined ? [] : await releaseFiles(tree, old)), ...(await begunFiles(tree.dir))];
  const remove = [...new Set(earlier)].filter((file) => !file.startsWith(`${root}/`));
  return { tree, files, root, retained: [], remove };
}
