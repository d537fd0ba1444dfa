import { execFile } from 'node:child_process';
import { listening } from './listening.ts';
import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '..');

/** A package of `package-lock.json`, as far as a registry describes it. */
interface Locked {
  version: string;
  dev?: boolean;
  [field: string]: unknown;
}

/**
 * A registry on loopback with the packed package and the packages that it needs, as they are installed here. Packages for other systems
 * are empty.
 *
 * @param tarball - the file that `npm pack` wrote
 */
export async function startRegistry(tarball: string): Promise<{ url: string; close(): Promise<void> }> {
  const packages = lockedPackages();
  const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Locked;
  const { url: registry, stop } = await listening((request, response) => {
    const url = `http://${request.headers.host}`;
    const name = decodeURIComponent((request.url ?? '/').slice(1));
    if (name === 'themecast') sendPackage(response, url, name, [own]);
    else if (packages.has(name)) sendPackage(response, url, name, [...(packages.get(name)?.values() ?? [])]);
    else void sendTarball(response, name, packages, tarball);
  });
  return { url: `${registry}/`, close: stop };
}

/** Every version of the packages that are no development dependency, by name, with the folder where each is installed. */
function lockedPackages(): Map<string, Map<string, Locked & { folder: string }>> {
  const lockfile = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, Locked> };
  const found = new Map<string, Map<string, Locked & { folder: string }>>();
  for (const [folder, entry] of Object.entries(packages)) {
    if (folder === '' || entry.dev === true) continue;
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const versions = found.get(name) ?? new Map<string, Locked & { folder: string }>();
    versions.set(entry.version, { ...entry, folder: path.join(root, folder) });
    found.set(name, versions);
  }
  return found;
}

function sendPackage(response: ServerResponse, url: string, name: string, entries: Locked[]): void {
  const versions = entries.map(({ folder: _folder, integrity: _integrity, devDependencies: _dev, ...entry }) => [
    entry.version,
    { ...entry, name, dist: { tarball: `${url}/${name}/-/${name.replace(/^.*\//, '')}-${entry.version}.tgz` } },
  ]);
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify({
      name,
      'dist-tags': { latest: entries[0]?.version },
      versions: Object.fromEntries(versions) as unknown,
      // Yarn takes no version whose age it does not know.
      time: Object.fromEntries(entries.map(({ version }) => [version, '2020-01-01T00:00:00.000Z'])),
    }),
  );
}

/** @param asked - `NAME/-/LAST-PART-OF-NAME-VERSION.tgz`, as npm's own registry has it: Yarn takes other paths for part of the version */
async function sendTarball(
  response: ServerResponse,
  asked: string,
  packages: ReturnType<typeof lockedPackages>,
  tarball: string,
): Promise<void> {
  const [, name = '', , version = ''] = /^((?:.+\/)?([^/]+))\/-\/\2-([^/]+)\.tgz$/.exec(asked) ?? [];
  if (name === 'themecast') {
    response.end(readFileSync(tarball));
    return;
  }
  const folder = packages.get(name)?.get(version)?.folder;
  if (folder === undefined) response.writeHead(404).end();
  else response.end(await (existsSync(folder) ? packed(folder) : emptyPackage(name, version)));
}

/** The files of an installed package, as `npm pack` packs them. */
async function packed(folder: string): Promise<Buffer> {
  const options = ['--exclude=./node_modules', '--transform=s,^[.],package,', '-I', 'gzip -1', '-C', folder, '.'];
  return (await run('tar', ['-cf', '-', ...options], { encoding: 'buffer', maxBuffer: 2 ** 28 })).stdout;
}

async function emptyPackage(name: string, version: string): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-empty-'));
  try {
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name, version }));
    return await packed(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
