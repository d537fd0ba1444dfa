import { type ContainedFolder, isPathBelow } from './contained-folder.ts';
import { sha256Of } from '../files.ts';
import { MAX_LIST_BYTES, stagedIn, stagingOf } from './places.ts';

/** What has to be done in a tree once a publication has been decided on. Done again, it changes nothing. */
export interface Plan {
  /** The staged files: those of a phase are in their places before one of the next is moved. */
  phases: readonly (readonly string[])[];
  /** Files that go once all trees are in their places, below the folder of the tree. */
  remove: readonly string[];
}

/** Writes a plan into the folder that is staged. @returns its SHA-256, by which it is known again */
export async function writePlan(dir: ContainedFolder, staging: string, plan: Plan): Promise<string> {
  const text = JSON.stringify(plan);
  await dir.replace(planIn(staging), text, 0o600);
  return sha256Of(text);
}

/** Reads a plan back; nothing if there is none with this hash, so that a planted one is never carried out. */
export async function readPlan(
  dir: ContainedFolder,
  staging: string,
  sha256: string | null | undefined,
): Promise<Plan | undefined> {
  if (sha256 === undefined || sha256 === null) return undefined;
  const bytes = await dir.read(planIn(staging), MAX_LIST_BYTES);
  return bytes !== undefined && sha256Of(bytes) === sha256 ? parsedPlan(bytes.toString('utf8')) : undefined;
}

/**
 * The files that publications which cannot be completed have moved in, or have not removed yet, below the folder of a tree. Like a list,
 * a plan needs no seal to say which files there are themecast's.
 */
export async function begunFiles(dir: ContainedFolder): Promise<string[]> {
  const files = new Set<string>();
  for (const id of await stagedIn(dir)) {
    const bytes = await dir.read(planIn(stagingOf(id)), MAX_LIST_BYTES).catch(() => undefined); // a link, if it was planted
    const { phases, remove } = (bytes && parsedPlan(bytes.toString('utf8'))) ?? NOTHING;
    for (const file of phases.flat()) files.add(file);
    for (const file of remove) files.add(file);
  }
  return [...files].filter((file) => dir.hasFile(file));
}

const NOTHING: Plan = { phases: [], remove: [] };
const planIn = (staging: string): string => `${staging}/plan.json`;

/** A plan, if it has the form of one and names nothing but what lies in its place. */
function parsedPlan(text: string): Plan | undefined {
  try {
    const plan = JSON.parse(text) as Plan;
    const files = [...plan.phases.flat(), ...plan.remove];
    return files.every(isPathBelow) ? plan : undefined;
  } catch {
    return undefined; // not JSON, or of another form
  }
}
