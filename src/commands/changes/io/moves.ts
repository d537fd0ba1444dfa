import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { userSources } from '../../../compiler/link/read-assignments.ts';
import { refuseUnread } from '../../../compiler/read-themes.ts';
import { walkThemes } from '../../../compiler/walk/walk.ts';
import { compareText, Diagnostics } from '../../../core/diagnostics/diagnostic.ts';
import { Assignments } from '../../../core/users/assignments.ts';
import { readRows } from '../../../core/users/rows.ts';
import { type Moves, pairsOf } from '../differences.ts';
import { defaultOf, type SiteState } from '../site-state.ts';
import type { Base } from './base.ts';

/** Returns the numbers of users and groups whose assigned theme changes; undefined if the base has no users files. */
export async function movesOf(
  base: Base,
  before: SiteState,
  themesDir: string,
  after: SiteState,
): Promise<Moves | undefined> {
  if (!before.hasUsers) return undefined;
  const themes = new Map(pairsOf(before, after).map(([oldTheme, theme]) => [oldTheme?.slug, theme?.slug]));
  const assignments = new Assignments(randomBytes(32));
  const oldSlugs = await addAssignments(assignments, base.themesDir, before);
  const firstNew = assignments.length;
  const slugs = await addAssignments(assignments, themesDir, after);
  const fallback = defaultOf(after)?.slug ?? '';
  const flows = new Map<string, Moves['flows'][number]>();
  let [users, added] = [0, 0];
  for (const same of assignments.byKey()) {
    const rows = typeof same === 'number' ? [same] : same;
    // The first assignment of a key wins.
    const old = rows.find((row) => row < firstNew);
    const now = rows.find((row) => row >= firstNew);
    if (old === undefined) added++;
    else {
      users++;
      const from = oldSlugs[assignments.theme(old) ?? -1] ?? '';
      const to = now === undefined ? fallback : (slugs[assignments.theme(now) ?? -1] ?? '');
      if (themes.get(from) === to) continue;
      const name = `${from}/${to}`;
      const flow = flows.get(name) ?? { from, to, users: 0, groups: 0 };
      const kind = assignments.kind(old) === 'user' ? 'users' : 'groups';
      flows.set(name, { ...flow, [kind]: flow[kind] + 1 });
    }
  }
  const size = (flow: Moves['flows'][number]): number => flow.users + flow.groups;
  const sorted = [...flows.values()].toSorted(
    (a, b) => size(b) - size(a) || compareText(a.from, b.from) || compareText(a.to, b.to),
  );
  return { users, moved: sorted.reduce((sum, flow) => sum + size(flow), 0), added, flows: sorted };
}

/**
 * Adds the theme of every user and group to assignments. The keys are never stored or printed.
 * @returns the slugs of the themes, by index
 */
async function addAssignments(
  assignments: Assignments,
  themesDir: string,
  { themes }: Pick<SiteState, 'themes'>,
): Promise<readonly string[]> {
  const diagnostics = new Diagnostics();
  const { report } = diagnostics;
  const walk = await walkThemes(themesDir, path.dirname(path.resolve(themesDir)), report);
  await readRows(userSources({}, walk, themes, report), { themes: walk.slugs, report }, (row) => {
    if (row.theme !== undefined) assignments.add(row);
  });
  refuseUnread(diagnostics);
  return walk.slugs;
}
