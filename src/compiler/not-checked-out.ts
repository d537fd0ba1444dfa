import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { checkoutOf } from '../disk/checkout.ts';
import { git } from '../git/git.ts';

/** A theme folder, or all of them (`''`), that Git tracks but the checkout lacks. */
export interface NotCheckedOut {
  folder: string;
  why: 'sparse' | 'submodule';
}

/** Finds theme folders excluded by a sparse checkout, and submodules that were not fetched. Without a report, their themes would disappear silently. */
export async function notCheckedOut(themesDir: string): Promise<NotCheckedOut[]> {
  const themes = path.resolve(themesDir);
  const checkout = checkoutOf(path.dirname(themes));
  if (checkout === undefined) return [];
  const submodules = submodulesOf(checkout)
    .map((submodule) => path.relative(themes, path.join(checkout, submodule)))
    .filter(
      (folder) => !folder.startsWith('..') && !folder.includes(path.sep) && isEmptyFolder(path.join(themes, folder)),
    );
  return [
    ...submodules.map((folder): NotCheckedOut => ({ folder, why: 'submodule' })),
    ...(await sparseFolders(checkout, themes)).map((folder): NotCheckedOut => ({ folder, why: 'sparse' })),
  ];
}

/** Returns the folders of submodules, relative to the checkout. */
function submodulesOf(checkout: string): string[] {
  const file = path.join(checkout, '.gitmodules');
  if (!existsSync(file)) return [];
  return [...readFileSync(file, 'utf8').matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, folder = '']) => folder);
}

function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return true;
  }
}

/** Returns the theme folders with `skip-worktree` in the index. Git runs only if the repository has sparse-checkout patterns. */
async function sparseFolders(checkout: string, themes: string): Promise<string[]> {
  const dotGit = path.join(checkout, '.git');
  const gitDir = statSync(dotGit).isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1] : undefined;
  const folder = gitDir === undefined ? dotGit : path.resolve(checkout, gitDir);
  if (!existsSync(path.join(folder, 'info/sparse-checkout'))) return [];
  const relative = path.relative(checkout, themes);
  const rows = (await git(checkout, 'ls-files', '-t', '-z', '--', relative === '' ? '.' : relative)) ?? '';
  const prefix = `S ${relative === '' ? '' : `${relative.split(path.sep).join('/')}/`}`;
  return rows.split('\0').flatMap((row) => {
    const slug = row.startsWith(prefix) ? /^([^/]+)\/theme\.yaml$/.exec(row.slice(prefix.length))?.[1] : undefined;
    return slug === undefined || existsSync(path.join(themes, slug, 'theme.yaml')) ? [] : [slug];
  });
}
