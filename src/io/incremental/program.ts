import { readFile } from 'node:fs/promises';
import { errorCode } from '../disk/files.ts';

/** Written by `npm run compile`, from src/ (tests) and from lib/ alike. */
const FILE = new URL('../../../lib/digest.txt', import.meta.url);

/** A digest of the whole program: what another version of it made is made again. */
export async function programDigest(): Promise<string> {
  return readFile(FILE, 'utf8').catch((error: unknown) => {
    throw new Error(`${FILE.pathname} cannot be read (${errorCode(error)}): compile or install themecast again.`);
  });
}
