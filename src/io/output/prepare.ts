import path from 'node:path';
import type { Change } from './changes.ts';
import { ownFiles } from './file-list.ts';
import { stagingOf, type Tree } from './places.ts';
import { writePlan } from './plan.ts';
import { checkFree, listTree, missingFiles, stage, type StopSignal } from './staging.ts';
import type { FileHashes } from '../incremental/file-hashes.ts';

/** What a staged change comes to. */
export interface Prepared {
  /** Files in the output that themecast did not make. */
  foreign: string[];
  /** SHA-256 of the plan by which the staged files are moved in; nothing if everything is in its place. */
  plan: string | undefined;
  /** Where the staged files will be, with their hashes. */
  written: { file: string; sha256: string }[];
}

/**
 * Stages a change of one output directory, with a plan of the moves; nothing that is published changes.
 * @param retired - media that earlier publications dropped, and that are still there
 */
export async function prepareChange(
  { tree, files, retained, remove }: Change,
  id: string,
  retired: readonly string[],
  hashes: FileHashes,
  signal: StopSignal | undefined,
): Promise<Prepared> {
  const { dir, isPrivate } = tree;
  const listing = await listTree(dir);
  const earlier = isPrivate ? [] : [...retired, ...retained];
  const own = new Set([...(await ownFiles(tree)), ...earlier]);
  checkFree(dir.path, listing, own, files);

  const foreign = [...listing].flatMap(([file, kind]) =>
    kind === 'folder' || own.has(file) ? [] : [path.join(dir.path, file)],
  );
  const needed = await missingFiles(tree, files, hashes);
  const inside = remove.filter((file) => listing.get(file) === 'file');
  if (needed.length + inside.length === 0) return { foreign, plan: undefined, written: [] };

  const staging = stagingOf(id);
  await dir.makeFolder('', { isPrivate });
  await dir.makeFolder(staging, { isPrivate: true });
  await stage(tree, `${staging}/files`, needed, hashes, signal);
  const phases = [0, 1, 2, 3].map((phase) =>
    needed.flatMap((file) => (phaseOf(tree, file.path) === phase ? [file.path] : [])),
  );
  const plan = await writePlan(dir, staging, { phases, remove: inside });
  const written = needed.map((file) => ({ file: dir.at(file.path), sha256: file.sha256 }));
  return { foreign, plan, written };
}

/** The order in which files are moved in: media, configs, the list and the rest, and last the list of files. */
function phaseOf({ list }: Tree, file: string): number {
  if (file === list.file) return 3;
  return file.startsWith('media/') ? 0 : file.startsWith('api/v2/theme/config/') ? 1 : 2;
}
