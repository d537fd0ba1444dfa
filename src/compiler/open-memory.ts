import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { errorCode, sha256Of } from '../disk/files.ts';
import { rendererVersions } from '../decoder/sharp.ts';
import { Memory } from './memory.ts';
import { ContainedFolder } from '../disk/contained-folder.ts';

export interface MemoryOptions {
  /** The folder of what rests on contents. */
  cache: string;
  /** The folder of what rests on inodes and times, if there is one. */
  state: string | undefined;
  themesDir: string;
  /** The place of the themes in a cache that travels; without it, that on this machine. */
  travels: string | undefined;
  /** The share of the themes that this process compiles, such as `3-of-8`. */
  shard?: string | undefined;
}

/** Opens the memory of some themes. */
export async function openMemory({ cache, state, themesDir, travels, shard }: MemoryOptions): Promise<Memory> {
  const real = realpathSync(themesDir);
  const idOf = (name: string): string => sha256Of(name).slice(0, 32);
  return new Memory({
    contents: { dir: new ContainedFolder(cache), folder: 'index', id: idOf(travels ?? real), shard },
    state: state === undefined ? undefined : { dir: new ContainedFolder(state), folder: '', id: idOf(real) },
    program: `${await programDigest()} ${await rendererVersions()} node ${process.version} ${process.arch}`,
  });
}

/** Written by `npm run compile`, from src/ (tests) and from lib/ alike. */
const DIGEST_FILE = new URL('../../lib/digest.txt', import.meta.url);

/** A digest of the whole program: what another version of it made is made again. */
async function programDigest(): Promise<string> {
  return readFile(DIGEST_FILE, 'utf8').catch((error: unknown) => {
    throw new Error(
      `${DIGEST_FILE.pathname} cannot be read (${errorCode(error)}): compile or install themecast again.`,
    );
  });
}
