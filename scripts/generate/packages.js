import { readFile } from 'node:fs/promises';

/** @typedef {{ dev?: boolean, optional?: boolean, hasInstallScript?: boolean, dependencies?: Record<string, string> }} Locked */

/**
 * One sentence on the packages that a build has at run time.
 *
 * @param {URL} lockfile
 */
export async function packageCount(lockfile) {
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages } = JSON.parse(await readFile(lockfile, 'utf8'));
  const runtime = Object.entries(packages).filter(([folder, { dev }]) => folder !== '' && dev !== true);
  const always = runtime.filter(([, { optional }]) => optional !== true);
  const direct = Object.keys(packages['']?.dependencies ?? {});
  const withoutServer = reachable(
    packages,
    direct.filter((name) => name !== 'http-server'),
  );
  const scripts = runtime.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  return `A build has ${always.length} packages at run time, ${always.length - withoutServer.size} of them for \`http-server\`, and those of sharp's ${runtime.length - always.length} binaries that fit the platform; ${scripts.length === 0 ? 'none' : scripts.length} of them runs code when it is installed.`;
}

/**
 * The packages that these need, themselves among them: by name, since there is one version of nearly every one.
 *
 * @param {Record<string, Locked>} packages
 * @param {readonly string[]} names
 */
function reachable(packages, names) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const queue = [...names]; queue.length > 0;) {
    const name = queue.pop() ?? '';
    if (found.has(name)) continue;
    found.add(name);
    queue.push(...Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}));
  }
  return found;
}
