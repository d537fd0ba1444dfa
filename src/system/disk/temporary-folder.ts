import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Makes a temporary folder for this user alone; that of a killed process stays until the system removes it. */
export function temporaryFolder(prefix: string): Promise<string> {
  return mkdtemp(path.join(tmpdir(), prefix));
}
