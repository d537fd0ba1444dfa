import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { checkoutOf } from '../git/tracked.ts';
import { git } from '../git/git.ts';

/** A theme folder, or all of them (`''`), that Git has and the checkout has not. */
export interface NotCheckedOut {
  folder: string;
  why: 'sparse' | 'submodule';
}

/** Finds theme folders that a sparse checkout leaves out, and submodules that were not fetched: they would end without a word. */
export async function notCheckedOut(themesDir: string): Promise<NotCheckedOut[]> {
  const themes = path.resolve(themesDir);
  const checkout = checkoutOf(path.dirname(themes));
  if (checkout === undefined) return [];
  const submodules = submodulesOf(checkout)
    .map((place) => path.relative(themes, path.join(checkout, place)))
    .filter(
      (folder) => !folder.startsWith('..') && !folder.includes(path.sep) && isEmptyFolder(path.join(themes, folder)),
    );
  return [
    ...submodules.map((folder): NotCheckedOut => ({ folder, why: 'submodule' })),
    ...(await sparseFolders(checkout, themes)).map((folder): NotCheckedOut => ({ folder, why: 'sparse' })),
  ];
}

/** The folders of submodules, relative to the checkout. */
function submodulesOf(checkout: string): string[] {
  const file = path.join(checkout, '.gitmodules');
  if (!existsSync(file)) return [];
  return [...readFileSync(file, 'utf8').matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, place = '']) => place);
}

function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return true;
  }
}

/** The theme folders with `skip-worktree` in the index. Git is asked only where the repository has patterns of a sparse checkout. */
async function sparseFolders(checkout: string, themes: string): Promise<string[]> {
  const dotGit = path.join(checkout, '.git');
  const linked = statSync(dotGit).isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1] : undefined;
  const folder = linked === undefined ? dotGit : path.resolve(checkout, linked);
  if (!existsSync(path.join(folder, 'info/sparse-checkout'))) return [];
  const place = path.relative(checkout, themes);
  const rows = (await git(checkout, 'ls-files', '-t', '-z', '--', place === '' ? '.' : place)) ?? '';
  const prefix = `S ${place === '' ? '' : `${place.split(path.sep).join('/')}/`}`;
  return rows.split('\0').flatMap((row) => {
    const slug = row.startsWith(prefix) ? /^([^/]+)\/theme\.yaml$/.exec(row.slice(prefix.length))?.[1] : undefined;
    return slug === undefined || existsSync(path.join(themes, slug, 'theme.yaml')) ? [] : [slug];
  });
}
