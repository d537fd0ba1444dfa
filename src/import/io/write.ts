import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { sha256Of } from '../../disk/files.ts';
import type { ContainedFolder } from '../../disk/contained-folder.ts';
import { writableFolder } from '../../git/tracked.ts';
import { isImportedName } from './check-images.ts';
import type { Tree } from '../../git/git.ts';
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
 * Writes the files of themes that are new or have changed, and removes from the folders of those themes the images that they name no more,
 * and the themes that are gone. Only what is committed is removed.
 * @param files - below the folder of the themes, `theme.yaml` after the images of its theme
 * @param gone - folders of themes that are removed
 * @param tree - what is committed
 * @param bytesOf - reads what was fetched
 */
export async function writeFiles(
  themesDir: string,
  files: ReadonlyMap<string, NewContent>,
  gone: readonly string[],
  tree: Tree,
  bytesOf: (sha256: string) => Promise<Buffer | undefined>,
): Promise<Map<string, FileOutcome>> {
  const dir = writableFolder(themesDir);
  mkdirSync(dir.path, { recursive: true });
  const outcomes = new Map<string, FileOutcome>();
  for (const [name, content] of files) {
    if (name.includes('/')) await dir.makeFolder(folderOf(name), { isPrivate: false });
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
  const [written, ended] = [new Set([...files.keys()].map(folderOf)), new Set(gone)];
  for (const name of tree.keys()) {
    const isOld = written.has(folderOf(name)) && !files.has(name) && isImportedName(path.posix.basename(name));
    if (!isOld && !ended.has(folderOf(name))) continue;
    await dir.remove(name);
    if (isOld) outcomes.set(name, 'removed');
  }
  // A folder in which something else lies remains.
  for (const slug of gone) await dir.removeFolder(slug).catch(() => undefined);
  await removePartial(dir, files);
  return outcomes;
}

/** The folder of a theme; empty for a file beside the themes. */
const folderOf = (name: string): string => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '');

/** A file that {@link ContainedFolder.store} has not renamed yet. */
const PARTIAL = /^(.+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Removes what an import that was killed has left. */
async function removePartial(dir: ContainedFolder, files: ReadonlyMap<string, NewContent>): Promise<void> {
  for (const folder of new Set([...files.keys()].map(folderOf)))
    for (const { name } of await dir.list(folder)) {
      const [, whole] = PARTIAL.exec(name) ?? [];
      if (whole !== undefined && files.has(path.posix.join(folder, whole)))
        await dir.remove(path.posix.join(folder, name));
    }
}
