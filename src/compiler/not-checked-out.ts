import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { checkoutOf } from '../system/disk/checkout.ts';
import { git } from '../system/git/git.ts';

/**
 * Returns the theme folders that a sparse checkout leaves out. Without a report, their themes would disappear silently. Git runs only if the
 * repository has sparse-checkout patterns.
 */
export async function notCheckedOut(themesDir: string): Promise<string[]> {
  const themes = path.resolve(themesDir);
  const checkout = checkoutOf(path.dirname(themes));
  if (checkout === undefined) return [];
  const dotGit = path.join(checkout, '.git');
  const gitDir = statSync(dotGit).isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1] : undefined;
  const folder = gitDir === undefined ? dotGit : path.resolve(checkout, gitDir);
  if (!existsSync(path.join(folder, 'info/sparse-checkout'))) return [];
  const relative = path.relative(checkout, themes);
  const rows = (await git(checkout, 'ls-files', '-t', '-z', '--', relative)) ?? '';
  const prefix = `S ${relative.split(path.sep).join('/')}/`;
  return rows.split('\0').flatMap((row) => {
    const slug = row.startsWith(prefix) ? /^([^/]+)\/theme\.yaml$/.exec(row.slice(prefix.length))?.[1] : undefined;
    return slug === undefined || existsSync(path.join(themes, slug, 'theme.yaml')) ? [] : [slug];
  });
}
