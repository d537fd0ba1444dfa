import { jsonText } from '../../diagnostics/quote.ts';
import { type Moves, pairsOf } from '../differences.ts';
import { defaultOf, type SiteState } from '../site-state.ts';
import type { Base } from './base.ts';
import { readKeys } from './read-state.ts';

/** Returns the numbers of users and groups whose assigned theme changes; undefined if the base has no users files. */
export async function movesOf(
  base: Base,
  before: SiteState,
  themesDir: string,
  after: SiteState,
): Promise<Moves | undefined> {
  if (before.userFiles.length === 0) return undefined;
  const themes = new Map(pairsOf(before, after).map(([oldTheme, theme]) => [oldTheme?.slug, theme?.slug]));
  if (
    [...themes].every(([oldSlug, slug]) => oldSlug === slug) &&
    jsonText(before.userFiles) === jsonText(after.userFiles)
  ) {
    const users = Object.values(before.counts).reduce((sum, { user, group }) => sum + user + group, 0);
    return { users, moved: 0, added: 0, flows: [] };
  }
  const texts = await base.folder((name) => /^[^/]*$|^users\/|\/theme\.yaml$/.test(name));
  const [old, now] = [await readKeys(texts, before), await readKeys(themesDir, after)];
  const fallback = defaultOf(after)?.slug ?? '';
  const flows = new Map<string, Moves['flows'][number]>();
  for (const [key, from] of old) {
    const to = now.get(key) ?? fallback;
    if (themes.get(from) === to) continue;
    const name = `${from}/${to}`;
    const { users, groups } = flows.get(name) ?? { users: 0, groups: 0 };
    const isUser = key.startsWith('user ');
    flows.set(name, { from, to, users: users + Number(isUser), groups: groups + Number(!isUser) });
  }
  const added = [...now.keys()].filter((key) => !old.has(key)).length;
  const size = ({ users, groups }: Moves['flows'][number]): number => users + groups;
  const sorted = [...flows.values()].toSorted((a, b) => size(b) - size(a));
  return { users: old.size, moved: sorted.reduce((sum, flow) => sum + size(flow), 0), added, flows: sorted };
}
