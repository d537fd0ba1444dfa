import { readFile } from 'node:fs/promises';

/** @typedef {{ dev?: boolean, optional?: boolean, hasInstallScript?: boolean }} Locked */

/**
 * Describes the packages that a build needs at run time, in one sentence.
 *
 * @param {URL} lockfile
 */
export async function packageCount(lockfile) {
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages } = JSON.parse(await readFile(lockfile, 'utf8'));
  const runtime = Object.entries(packages).filter(([folder, { dev }]) => folder !== '' && dev !== true);
  const required = runtime.filter(([, { optional }]) => optional !== true);
  const scripts = runtime.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  return `A build has ${required.length} packages at run time, and those of sharp's ${runtime.length - required.length} binaries that fit the platform; ${scripts.length === 0 ? 'none' : scripts.length} of them runs code when it is installed.`;
}
