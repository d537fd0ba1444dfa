import { firstOf } from '../diagnostics/quote.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';

/** A file of the themes that differs from the last commit. */
export interface FileChange {
  /** Relative to the checkout. */
  name: string;
  kind: 'new' | 'changed' | 'removed';
}

/** The changes of the themes since the last commit, the commit that they would become, and where it would be pushed. */
export interface Proposal {
  checkout: string;
  /** The commit that is checked out. */
  parent: string;
  /** The branch that is checked out. */
  from: string;
  files: readonly FileChange[];
  /** The present index entries of the files. */
  before: readonly { name: string; mode: string; id: string }[];
  branch: string;
  /** Whether that branch has a proposal already, which this one adds to. */
  isFollowUp: boolean;
  /** The branch that was checked out before that one. */
  back: string | undefined;
  /** The last commit that the branch is known to have on the remote, if it is there. */
  pushed: string | undefined;
  message: string;
  author: string;
  remote: string;
  url: string;
  /** Without user name and password. */
  shownUrl: string;
  /** The filters of these files, each with its program. */
  filters: readonly { name: string; command: string; files: readonly string[] }[];
  /** Another one if a file changes. */
  digest: string;
}

/** The folders of the themes that some files are in. */
export function themesIn(files: readonly FileChange[]): string[] {
  const themes = files.filter(({ name }) => name.endsWith(`/${THEME_FILE}`));
  const folders = (themes.length > 0 ? themes : files).map(({ name }) => name.split('/').at(-2) ?? '');
  return [...new Set(folders)].filter((folder) => folder !== 'themes');
}

/** The message of a commit of some files. */
export function messageFor(files: readonly FileChange[]): string {
  const added = themesIn(files.filter(({ name, kind }) => kind === 'new' && name.endsWith(`/${THEME_FILE}`)));
  const changed = themesIn(files).filter((slug) => !added.includes(slug));
  const parts = [
    ...(added.length > 0 ? [`add ${firstOf(added, 3)}`] : []),
    ...(changed.length > 0 ? [`change ${firstOf(changed, 3)}`] : []),
  ];
  return `Themes: ${parts.join(', ') || 'change settings and users'}`;
}
