import type { OutputFile, PrivateFile } from '../../document/output-file.ts';
import { type History, retire } from './history.ts';
import { ownFiles } from './file-list.ts';
import type { Tree } from './places.ts';
import { measured, type Wanted } from './staging.ts';

/** What is to be done to publish one tree. */
export interface Change {
  tree: Tree;
  files: readonly Wanted[];
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
): Promise<{ change: Change; history: History }> {
  const files = outputFiles.map(measured);
  const named = new Set(files.map((file) => file.path));
  const gone = (await ownFiles(tree)).filter((file) => !named.has(file));
  const { retired, expired } = retire(
    earlier.retired,
    gone.filter((file) => file.startsWith('media/')),
    named,
    new Date(),
  );
  // One of a killed publication may have been dropped twice.
  const retained = [...new Set(retired.flatMap((one) => one.files))];
  const remove = [...gone.filter((file) => !file.startsWith('media/')), ...expired];
  return { change: { tree, files, retained, remove }, history: { retired } };
}

/** What changes in the private tree. */
export async function privateChange(tree: Tree, privateFiles: readonly (OutputFile | PrivateFile)[]): Promise<Change> {
  const files = privateFiles.map(measured);
  const named = new Set(files.map((file) => file.path));
  const remove = (await ownFiles(tree)).filter((file) => !named.has(file));
  return { tree, files, retained: [], remove };
}
