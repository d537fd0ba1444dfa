import { firstOf } from '../../core/diagnostics/quote.ts';
import { THEME_FILE } from '../../core/theme/themes-folder.ts';

/** A changed file of the themes since the last commit. */
export interface FileChange {
  /** Relative to the root of the repository. */
  name: string;
  kind: 'new' | 'changed' | 'removed';
  /** Whether its content or its removal is known to the index of Git. */
  isInIndex: boolean;
}

/** The uncommitted changes of the themes, and the commit, branch and remote to propose them with. */
export interface Proposal {
  /** The top folder of the working tree. */
  root: string;
  /** The themes folder, relative to the root. */
  themes: string;
  /** The current commit. */
  parent: string;
  /** The current branch. */
  from: string;
  files: readonly FileChange[];
  branch: string;
  /** Whether the current branch is one of a proposal, which gets the commit. */
  isFollowUp: boolean;
  /** Whether that branch has a commit already: none if a proposal was killed before it. */
  hasCommit: boolean;
  /** The previous branch, before the branch of an existing proposal. */
  back: string | undefined;
  /** The last known commit of the branch on the remote, if any. */
  pushed: string | undefined;
  message: string;
  author: string;
  remote: string;
  /** Without user name and password. */
  shownUrl: string;
  /** Changes if any file changes, so that only a reviewed proposal is committed. */
  digest: string;
}

/** The changed files by what they belong to. */
export interface ProposalParts {
  /** The changed files of each theme, by slug. */
  themes: ReadonlyMap<string, readonly FileChange[]>;
  /** Settings of the site, users, redirects and the preview. */
  site: readonly FileChange[];
  /** Files that no build reads: they are never proposed. */
  leftOut: readonly FileChange[];
}

/** Files at the top of the themes folder, and those with users. */
const SITE_FILE =
  /^(?:site\.yaml|users\.csv|redirects\.csv|preview\.html|[\w-]+\.schema\.json|readme(?:\.\w+)?|users\/[^/]+\.csv)$/i;

/**
 * Divides changed files into the parts that can be proposed.
 * @param isRead - whether a build reads a file of a theme
 */
export function partsOf(
  { files, themes: prefix }: Pick<Proposal, 'files' | 'themes'>,
  isRead: (slug: string, file: string) => boolean,
): ProposalParts {
  const themes = new Map<string, FileChange[]>();
  const [site, leftOut]: FileChange[][] = [[], []];
  for (const file of files) {
    const name = file.name.slice(prefix.length + 1);
    const [slug = '', ...inside] = name.split('/');
    if (SITE_FILE.test(name)) site?.push(file);
    else if (inside.length > 0 && (file.kind === 'removed' || isRead(slug, inside.join('/'))))
      themes.set(slug, [...(themes.get(slug) ?? []), file]);
    else leftOut?.push(file);
  }
  return { themes, site: site ?? [], leftOut: leftOut ?? [] };
}

/** Returns some themes with the changed themes that they are based on, which a build needs too. */
export function withBases(
  chosen: readonly string[],
  changed: ReadonlySet<string>,
  baseOf: (slug: string) => string | undefined,
): Set<string> {
  const all = new Set<string>();
  for (const slug of chosen)
    for (let at: string | undefined = slug; at !== undefined && !all.has(at); at = baseOf(at))
      if (changed.has(at)) all.add(at);
  return all;
}

/** Returns the theme folders of some files. */
export function themesIn(files: readonly FileChange[]): string[] {
  const themes = files.filter(({ name }) => name.endsWith(`/${THEME_FILE}`));
  const folders = (themes.length > 0 ? themes : files).map(({ name }) => name.split('/').at(-2) ?? '');
  return [...new Set(folders)].filter((folder) => folder !== 'themes');
}

/** Composes the commit message. */
export function messageFor(files: readonly FileChange[]): string {
  const added = themesIn(files.filter(({ name, kind }) => kind === 'new' && name.endsWith(`/${THEME_FILE}`)));
  const changed = themesIn(files).filter((slug) => !added.includes(slug));
  const parts = [
    ...(added.length > 0 ? [`add ${firstOf(added, 3)}`] : []),
    ...(changed.length > 0 ? [`change ${firstOf(changed, 3)}`] : []),
  ];
  return `Themes: ${parts.join(', ') || 'change settings and users'}`;
}
