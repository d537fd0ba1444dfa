import { withScripts } from '../repository.ts';
import { writableFolder } from '../../io/disk/tracked.ts';
import { TEXT_LIMIT } from '../../io/themes/discover.ts';

/**
 * Gives a package.json that has no scripts of its own those of a repository of themes.
 * @returns whether it gets them
 */
export async function addScripts(folder: string, isDryRun: boolean): Promise<boolean> {
  const dir = writableFolder(folder);
  const text = (await dir.read('package.json', TEXT_LIMIT))?.toString();
  const added = text === undefined ? undefined : withScripts(text);
  if (added !== undefined && !isDryRun) await dir.replace('package.json', added, 0o644);
  return added !== undefined;
}
