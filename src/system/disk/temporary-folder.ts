import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAbandoned, takeLock } from './lock.ts';

const LOCK = '.lock';

/** Makes a private temporary folder, and removes folders of killed processes: they may contain the keys of users. */
export async function temporaryFolder(prefix: string): Promise<string> {
  const inside = tmpdir();
  for (const name of await readdir(inside)) {
    const folder = path.join(inside, name);
    if (name.startsWith(prefix) && (await isOurs(folder)) && (await isAbandoned(path.join(folder, LOCK))))
      await rm(folder, { recursive: true, force: true });
  }
  const folder = await mkdtemp(path.join(inside, prefix));
  await takeLock(path.join(folder, LOCK), folder);
  return folder;
}

/** Whether a folder belongs to this user: another user may have planted it. */
async function isOurs(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}
