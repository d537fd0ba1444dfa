import path from 'node:path';
import { checkThemes } from '../../build/pipeline.ts';
import { refuseUnread } from '../../build/read-themes.ts';
import type { Run } from '../../build/resources.ts';
import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { IncrementalCache } from '../../io/incremental/incremental-cache.ts';
import { discover } from '../../io/themes/discover.ts';
import { userSources } from '../../io/users/read-assignments.ts';
import { withoutAccepted } from '../../theme/without-accepted.ts';
import { assignedKeys } from '../../users/find-users.ts';
import type { SiteState } from '../site-state.ts';
import type { Base } from './base.ts';

export type Reading = Omit<Run, 'diagnostics'> & { baseUrl: string | undefined };

/** The state of a base, retained by what Git has of it. */
export async function readBase(base: Base, themesDir: string, reading: Reading): Promise<SiteState> {
  const parts = [base.tree, path.basename(path.resolve(themesDir)), reading.baseUrl ?? ''];
  return reading.incremental.memoize(
    IncrementalCache.local('diff'),
    parts,
    () => undefined,
    // Its files are not those of the checkout.
    async () => readState(await base.folder(() => true), { ...reading, incremental: new IncrementalCache() }),
    // The next time, Git LFS may have fetched the images.
    ({ diagnostics }) => diagnostics.every(({ code }) => code !== 'image/lfs-pointer'),
  );
}

/**
 * Resolves and checks a site with the stages of a build. Files are named the same on both sides: relative to the folder around the themes.
 * @throws {UsageError} if a file cannot be read
 */
export async function readState(themesDir: string, { baseUrl, ...run }: Reading): Promise<SiteState> {
  const diagnostics = new Diagnostics();
  const cwd = path.dirname(path.resolve(themesDir));
  const read = await checkThemes({ themesDir, baseUrl, cwd }, { ...run, diagnostics });
  refuseUnread(diagnostics);
  const userFiles = read.content.users.map(({ file, path: place }) => {
    const found = run.incremental.files.contentOf(place, Number.MAX_SAFE_INTEGER);
    if ('problem' in found && found.problem === 'unreadable') throw found.error;
    return [file, 'problem' in found ? '' : found.sha256] as const;
  });
  return {
    ...stateOf(read),
    userFiles,
    diagnostics: withoutAccepted(diagnostics.sorted, read.sources).remaining,
  };
}

/** The state of a site that has been read, without the contents of its users files and its diagnostics. */
export function stateOf({
  content,
  site,
  sources,
  themes,
  images,
  given: { countsByTheme: counts },
}: Awaited<ReturnType<typeof checkThemes>>): SiteState {
  const authored = sources.map(({ slug, fields }) => [slug, { parent: fields.extends, fields: Object.keys(fields) }]);
  const given = [...content.files.keys()].map((slug, at) => [
    slug,
    { user: counts.user[at] ?? 0, group: counts.group[at] ?? 0 },
  ]);
  return {
    site,
    themes,
    authored: Object.fromEntries(authored),
    images: Object.fromEntries([...images].map(([key, { sha256, bytes }]) => [key, { sha256, bytes }])),
    counts: Object.fromEntries(given),
    userFiles: [],
    diagnostics: [],
  };
}

/** The theme of every user and group in the files of a site, by kind and key: never stored, never printed. */
export async function readKeys(themesDir: string, { themes }: Pick<SiteState, 'themes'>): Promise<Map<string, string>> {
  const diagnostics = new Diagnostics();
  const { report } = diagnostics;
  const content = await discover(themesDir, path.dirname(path.resolve(themesDir)), new IncrementalCache(), report);
  const slugs = [...content.files.keys()];
  const themeByKey = new Map<string, string>();
  for await (const keys of assignedKeys(userSources({}, content, themes, report), slugs, report))
    for (const { kind, key, theme } of keys) {
      const name = `${kind} ${key}`;
      // Of one that is listed twice, the first.
      if (!themeByKey.has(name)) themeByKey.set(name, slugs[theme] ?? '');
    }
  refuseUnread(diagnostics);
  return themeByKey;
}
