import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { skipAll } from './skip.ts';

const MODULES = path.join(import.meta.dirname, 'node_modules');

/**
 * Why tests are skipped that need the packages of `test/package.json`. Undefined if `npm ci --prefix test` has installed these large
 * packages.
 */
export const NO_PLATFORMS = existsSync(path.join(MODULES, 'miniflare'))
  ? undefined
  : 'The packages of test/package.json are not installed (npm ci --prefix test): runtimes of platforms, an older compiler.';

/** Declares tests that need the runtimes of platforms. */
export function onPlatforms(name: string, tests: () => void): void {
  if (NO_PLATFORMS === undefined) tests();
  else skipAll(name, NO_PLATFORMS);
}

/** The Deno of `test/node_modules`, which has a package per operating system and architecture. */
export const DENO = ['-glibc', '']
  .map((libc) => path.join(MODULES, `deno/node_modules/@deno/${process.platform}-${process.arch}${libc}`, 'deno'))
  .find((file) => existsSync(file));

/** Returns the compiler that comes with Wrangler. Throws if {@link NO_PLATFORMS} is set. */
export function esbuild(): { transformSync: (text: string, options: object) => { code: string } } {
  return createRequire(path.join(MODULES, 'wrangler/package.json'))('esbuild') as ReturnType<typeof esbuild>;
}
