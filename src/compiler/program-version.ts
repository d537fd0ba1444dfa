import { readFile } from 'node:fs/promises';
import { rendererVersions } from '../system/decoder/sharp.ts';
import { errorCode } from '../system/disk/files.ts';

/** Written by `npm run compile`. The path is right from src/ (tests) and from lib/. */
const DIGEST_FILE = new URL('../../lib/digest.txt', import.meta.url);

/** Returns the version of everything that results are made with: results of another version are made again. */
export async function programVersion(): Promise<string> {
  const digest = await readFile(DIGEST_FILE, 'utf8').catch((error: unknown) => {
    throw new Error(
      `${DIGEST_FILE.pathname} cannot be read (${errorCode(error)}): compile or install themecast again.`,
    );
  });
  return `${digest} ${await rendererVersions()} node ${process.version} ${process.arch}`;
}
