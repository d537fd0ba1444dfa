import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Diagnostics } from '../../core/diagnostics/diagnostic.ts';
import type { Decoders } from '../../system/decoder/pool.ts';
import { FileTable } from '../../system/disk/file-table.ts';
import { rendererVersions } from '../../system/decoder/sharp.ts';
import { errorCode, isFolder, isInside } from '../../system/disk/files.ts';
import { Cache } from './cache.ts';
import { Memory } from './memory.ts';
import { checkoutAround, checkoutOf, writableFolder } from '../../system/disk/checkout.ts';
import { trackedFiles } from '../../system/git/git.ts';
import { StateFolder } from '../../system/disk/state-folder.ts';
import { cacheHome, stateHome } from '../../system/disk/stores.ts';
import { ThemecastError } from '../../core/diagnostics/themecast-error.ts';

/** The tools that the stages share while a build or the development server runs. */
export interface Resources {
  cache: Cache;
  decoders: Decoders;
  memory: Memory;
  /** The digests of the files of the themes. */
  table: FileTable;
  /** Keeps what is true on this machine alone, such as inodes; absent without a home folder. */
  state?: StateFolder | undefined;
}

/** The resources without the processes that decode images. */
export type Caches = Omit<Resources, 'decoders'>;

/** The resources of one build, with its diagnostics. */
export interface Run extends Resources {
  diagnostics: Diagnostics;
}

export interface CacheOptions {
  themesDir: string;
  cacheDir?: string | undefined;
  /** The output whose last build is remembered. Default: none. */
  output?: readonly [outDir: string, edgeOutDir: string];
}

/** Opens the cache for a themes folder. Without a themes folder or a cache folder, it is temporary. */
export async function openCaches({ themesDir, cacheDir, output }: CacheOptions): Promise<Caches> {
  if (cacheDir === undefined || !(await isFolder(themesDir)))
    return { cache: await Cache.open(undefined), memory: new Memory(), table: new FileTable(themesDir) };
  if (isAmongThemes(cacheDir, themesDir))
    throw new ThemecastError(
      'cache',
      `The cache folder ${cacheDir} is inside the themes folder, where it would be read as themes. Name another with \`--cache DIR\`.`,
    );
  const checkout = checkoutAround(themesDir);
  if (cacheDir !== cacheHome(checkout)) await refuseTracked(cacheDir);
  const cache = await Cache.open(cacheDir);
  const home = stateHome(checkout);
  const state = home === undefined ? undefined : new StateFolder(home);
  const folders = output && [themesDir, ...output].map((folder) => path.resolve(folder)).join('\0');
  return {
    cache,
    memory: new Memory(await programVersion(), folders === undefined ? undefined : state, folders),
    table: new FileTable(themesDir, state),
    state,
  };
}

async function refuseTracked(folder: string): Promise<void> {
  const resolved = writableFolder(folder).path;
  const [tracked] = await trackedFiles(checkoutOf(path.dirname(resolved)), [resolved]).catch(() => []);
  if (tracked !== undefined)
    throw new ThemecastError(
      'cache',
      `Git tracks files in the cache folder ${folder}, so anyone who can push could decide what is published. Remove them with \`git rm -r --cached ${folder}\`, or name another with \`--cache DIR\`.`,
    );
}

/** Runs stages with their own resources. Without a themes folder, the cache is temporary. */
export function withResources<T>(options: CacheOptions, stages: (run: Run) => Promise<T>): Promise<T> {
  return withCaches(options, (caches) => withDecoders(caches, new Diagnostics(), stages));
}

/** Adds decoders to the caches of a run. */
export async function withDecoders<T>(
  caches: Caches,
  diagnostics: Diagnostics,
  stages: (run: Run) => Promise<T>,
): Promise<T> {
  const shared = await import('../../system/decoder/shared.ts');
  return shared.withDecoders((decoders) => stages({ ...caches, decoders, diagnostics }));
}

/** Runs a function with the caches for a themes folder, and stores what it has added. */
export async function withCaches<T>(options: CacheOptions, use: (caches: Caches) => Promise<T>): Promise<T> {
  const caches = await openCaches(options);
  try {
    const result = await use(caches);
    caches.memory.save();
    caches.table.save();
    return result;
  } finally {
    await caches.cache.close();
  }
}

/** Whether a folder would be read as themes; names that start with a dot are ignored there. */
function isAmongThemes(folder: string, themesDir: string): boolean {
  const [themes, resolved] = [path.resolve(themesDir), path.resolve(folder)];
  const steps = path.relative(themes, resolved).split(path.sep);
  return isInside(resolved, themes) && !steps.some((step) => step.startsWith('.'));
}

/** Written by `npm run compile`. The path is right from src/ (tests) and from lib/. */
const DIGEST_FILE = new URL('../../../lib/digest.txt', import.meta.url);

/** Returns the version of everything that results are made with: results of another version are made again. */
async function programVersion(): Promise<string> {
  const digest = await readFile(DIGEST_FILE, 'utf8').catch((error: unknown) => {
    throw new Error(
      `${DIGEST_FILE.pathname} cannot be read (${errorCode(error)}): compile or install themecast again.`,
    );
  });
  return `${digest} ${await rendererVersions()} node ${process.version} ${process.arch}`;
}
