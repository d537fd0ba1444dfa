import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { errorCode, sha256Of } from '../disk/files.ts';
import { rendererVersions } from '../decoder/sharp.ts';
import { Memory } from './memory.ts';
import { ContainedFolder } from '../disk/contained-folder.ts';

export interface MemoryOptions {
  /** The folder for results that depend on contents. */
  cache: string;
  /** The folder for results that depend on inodes and times, if there is one. */
  state: string | undefined;
  themesDir: string;
  /** The path of the themes that identifies them in a portable cache. Default: their path on this machine. */
  portablePath: string | undefined;
  /** The share of the themes that this process compiles, such as `3-of-8`. */
  shard?: string | undefined;
}

export async function openMemory({
  cache,
  state,
  themesDir,
  portablePath: travels,
  shard,
}: MemoryOptions): Promise<Memory> {
  const realPath = realpathSync(themesDir);
  const idOf = (name: string): string => sha256Of(name).slice(0, 32);
  return new Memory({
    contents: { dir: new ContainedFolder(cache), folder: 'index', id: idOf(travels ?? realPath), shard },
    state: state === undefined ? undefined : { dir: new ContainedFolder(state), folder: '', id: idOf(realPath) },
    program: `${await programDigest()} ${await rendererVersions()} node ${process.version} ${process.arch}`,
  });
}

/** Written by `npm run compile`. The path is right from src/ (tests) and from lib/. */
const DIGEST_FILE = new URL('../../lib/digest.txt', import.meta.url);

/** Reads the digest of the program: results of another version are made again. */
async function programDigest(): Promise<string> {
  return readFile(DIGEST_FILE, 'utf8').catch((error: unknown) => {
    throw new Error(
      `${DIGEST_FILE.pathname} cannot be read (${errorCode(error)}): compile or install themecast again.`,
    );
  });
}
