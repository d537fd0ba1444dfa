import { mkdirSync } from 'node:fs';
import { THEME_FILE } from '../../theme/themes-folder.ts';
import { sha256Of } from '../../io/disk/files.ts';
import type { ContainedFolder } from '../../io/disk/contained-folder.ts';
import { writableFolder } from '../../io/disk/tracked.ts';
import { isImportedName } from './check-images.ts';
import { wholeName } from './committed.ts';
import { UsageError } from '../../command-line/command.ts';

/** What became of a file. */
export type FileOutcome = 'written' | 'updated' | 'unchanged' | 'removed';

/** The content of a file: a text, or the bytes that were fetched and have a hash. */
export type NewContent = { text: string } | { sha256: string };

/** Greatest size of a file that is compared, in bytes. */
const MAX_BYTES = 128 * 1024 * 1024;

/** The SHA-256 of a file as it will be. */
export function hashOf(content: NewContent): string {
  return 'sha256' in content ? content.sha256 : sha256Of(content.text);
}

/**
 * Writes the files of themes that are new or have changed, and removes the images that their themes name no more.
 * @param files - below the folder of the themes, `theme.yaml` after the images of its theme
 * @param gone - folders of themes that are removed
 * @param bytesOf - reads what was fetched
 */
export async function writeFiles(
  themesDir: string,
  files: ReadonlyMap<string, NewContent>,
  gone: readonly string[],
  bytesOf: (sha256: string) => Promise<Buffer | undefined>,
): Promise<Map<string, FileOutcome>> {
  const dir = writableFolder(themesDir);
  mkdirSync(dir.path, { recursive: true });
  const outcomes = new Map<string, FileOutcome>();
  for (const [name, content] of files) {
    const [folder = ''] = name.split('/', 1);
    if (folder !== name) await dir.makeFolder(folder, { isPrivate: false });
    const before = await dir.read(name, MAX_BYTES);
    const isUnchanged = before !== undefined && sha256Of(before) === hashOf(content);
    outcomes.set(name, isUnchanged ? 'unchanged' : before === undefined ? 'written' : 'updated');
    if (isUnchanged) continue;
    const bytes = 'text' in content ? content.text : await bytesOf(content.sha256);
    if (bytes === undefined)
      throw new UsageError('What was fetched has vanished from the cache. Run the command again.');
    // Not flushed: measured, a flush takes ten times as long as the file, and an import can be run again.
    dir.store(name, bytes, 0o644);
  }
  const folders = [...files.keys()].flatMap((name) => (name.endsWith(`/${THEME_FILE}`) ? [name.split('/', 1)[0]] : []));
  for (const folder of ['', ...folders]) await removeOld(dir, folder ?? '', files, outcomes);
  for (const slug of gone) await dir.removeTree(slug);
  return outcomes;
}

/** Removes images of an earlier import that this one does not name, and what a killed one left. */
async function removeOld(
  dir: ContainedFolder,
  folder: string,
  files: ReadonlyMap<string, NewContent>,
  outcomes: Map<string, FileOutcome>,
): Promise<void> {
  for (const { name, kind } of await dir.list(folder)) {
    const file = folder === '' ? name : `${folder}/${name}`;
    const isPartial = wholeName(file) !== file && files.has(wholeName(file));
    const isOld = folder !== '' && !files.has(file) && isImportedName(name);
    if (kind !== 'file' || !(isPartial || isOld)) continue;
    await dir.remove(file);
    if (isOld) outcomes.set(file, 'removed');
  }
}
