import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const root = path.join(import.meta.dirname, '..');
let copy: string | undefined;

afterAll(() => {
  if (copy !== undefined) rmSync(copy, { recursive: true });
  copy = undefined;
});

/** Returns the bin of a copy of the package that every user can read, because this checkout may be in a private folder. */
export function openBin(): string {
  if (copy === undefined) {
    copy = mkdtempSync(path.join(tmpdir(), 'themecast-package-'));
    chmodSync(copy, 0o755);
    for (const name of ['package.json', 'lib', ...runtimePackages()])
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    chmodSync(path.join(copy, 'lib/bundle/cli.js'), 0o755);
    mkdirSync(path.join(copy, 'bin'));
    symlinkSync('../lib/bundle/cli.js', path.join(copy, 'bin', 'themecast'));
  }
  return path.join(copy, 'bin', 'themecast');
}

/** Returns the folders of the installed packages that a build needs, such as `node_modules/yaml`. */
function runtimePackages(): string[] {
  const lockfile = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, { dev?: boolean }> };
  return Object.keys(packages).filter(
    (name) => name !== '' && packages[name]?.dev !== true && existsSync(path.join(root, name)),
  );
}
