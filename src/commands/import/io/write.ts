import { mkdirSync } from 'node:fs';
import { sha256Of } from '../../../system/disk/files.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';
import { isImportedName } from './check-images.ts';
import { UsageError } from '../../../system/command-line/command.ts';

/** The change of a file. */
export type FileOutcome = 'written' | 'updated' | 'unchanged' | 'removed';

/** The new content of a file: a text, or the digest of fetched bytes. */
export type NewContent = { text: string } | { sha256: string };

const MAX_BYTES = 128 * 1024 * 1024;

function hashOf(content: NewContent): string {
  return 'sha256' in content ? content.sha256 : sha256Of(content.text);
}

/**
 * Writes new and changed files of themes, and removes images that these themes no longer have.
 * @param files - below the themes folder, `theme.yaml` after the images of its theme
 * @param bytesOf - reads fetched bytes by digest
 */
export async function writeFiles(
  themesDir: string,
  files: ReadonlyMap<string, NewContent>,
  bytesOf: (sha256: string) => Buffer | undefined,
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
    const bytes = 'text' in content ? content.text : bytesOf(content.sha256);
    if (bytes === undefined)
      throw new UsageError('A fetched image has vanished from the cache. Run the command again.');
    // Not flushed: a flush takes ten times as long as the write (measured), and an import can be repeated.
    dir.store(name, bytes, 0o644);
  }
  for (const folder of new Set([...files.keys()].map(folderOf).filter((name) => name !== '')))
    for (const { name } of await dir.list(folder)) {
      const file = `${folder}/${name}`;
      if (files.has(file) || !isImportedName(name)) continue;
      await dir.remove(file);
      outcomes.set(file, 'removed');
    }
  return outcomes;
}

/** Returns the folder of a theme; empty for a file beside the themes. */
const folderOf = (name: string): string => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '');
