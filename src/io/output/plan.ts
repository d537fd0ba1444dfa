import { type ContainedFolder, isPathBelow } from './contained-folder.ts';
import { sha256Of } from '../files.ts';
import { MAX_LIST_BYTES, RELEASE } from './places.ts';

/** What has to be done in a tree once a publication has been decided on. Done again, it changes nothing. */
export interface Plan {
  /** Where the files go, below the folder of the tree: itself, or a release. */
  root: string;
  /** The staged files: those of a phase are in their places before one of the next is moved. */
  phases: readonly (readonly string[])[];
  /** Files that go once all trees are in their places, below the folder of the tree. */
  remove: readonly string[];
}

/** Writes a plan into the folder that is staged. @returns its SHA-256, by which it is known again */
export async function writePlan(dir: ContainedFolder, staging: string, plan: Plan): Promise<string> {
  const text = JSON.stringify(plan);
  await dir.replace(`${staging}/plan.json`, text, 0o600);
  return sha256Of(text);
}

/** Reads a plan back; nothing if there is none with this hash, so that a planted one is never carried out. */
export async function readPlan(
  dir: ContainedFolder,
  staging: string,
  sha256: string | null | undefined,
): Promise<Plan | undefined> {
  if (sha256 === undefined || sha256 === null) return undefined;
  const bytes = await dir.read(`${staging}/plan.json`, MAX_LIST_BYTES);
  if (bytes === undefined || sha256Of(bytes) !== sha256) return undefined;
  const plan = JSON.parse(bytes.toString('utf8')) as Plan;
  const files = [...plan.phases.flat(), ...plan.remove];
  return (plan.root === '' || RELEASE.test(plan.root)) && files.every(isPathBelow) ? plan : undefined;
}
