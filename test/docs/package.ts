import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './pages.ts';

/** Packs the project and unpacks it into a temporary folder, with links to its dependencies. The caller removes the folder. */
export function unpackedPackage(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'themecast-package-'));
  for (const file of packedFiles()) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(ROOT, file), path.join(folder, file));
  }
  chmodSync(path.join(folder, 'lib/bundle/cli.js'), 0o755);
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Installs an unpacked package in a project, as npm would. */
export function installPackage(unpacked: string, project: string): void {
  mkdirSync(path.join(project, 'node_modules/.bin'), { recursive: true });
  symlinkSync(unpacked, path.join(project, 'node_modules/themecast'));
  symlinkSync('../themecast/lib/bundle/cli.js', path.join(project, 'node_modules/.bin/themecast'));
}

let packed: string[] | undefined;

/** Returns the files in the package, which `npm pack` lists once. */
export function packedFiles(): string[] {
  if (packed === undefined) {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const npmOutput = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [{ files }] = JSON.parse(npmOutput) as [{ files: { path: string }[] }];
    packed = files.map((file) => file.path);
  }
  return packed;
}
