import type { Diagnostics } from '../../../core/diagnostics/diagnostic.ts';
import { edgeRules } from '../../../hosts/contract/contract.ts';
import { pageStyleHash } from '../../../compiler/runtime.ts';
import { type UsersOptions, userSources } from '../../../compiler/link/read-assignments.ts';
import { findUsers } from '../../../core/users/find-users.ts';
import { readRows } from '../../../core/users/rows.ts';
import type { ThemesOptions } from '../../../compiler/compile/compile.ts';
import type { LinkedThemes } from '../../../compiler/model.ts';
import { readThemes } from '../../../compiler/read-themes.ts';
import type { KeyKind } from '../../../core/users/key.ts';
import type { SearchedKey } from '../../../core/users/mapping.ts';
import { declaredHostnames } from '../../../hosts/contract/hostnames.ts';
import { keysAt, whoIs, type WhoIs } from '../../../hosts/explain/explain.ts';

/** The linked themes of a site, and its users files. */
export interface Site {
  linked: LinkedThemes;
  sources: ReturnType<typeof userSources>;
  report: Diagnostics['report'];
}

/** The users, groups and hostnames with a theme. */
export interface UsersOfTheme {
  counts: Record<KeyKind, number>;
  sample: readonly SearchedKey[];
  /** Hostnames in the identity rules. */
  hostnames: readonly string[];
  isDefault: boolean;
}

const MAX_SAMPLE = 10;

export async function openSite(options: UsersOptions & ThemesOptions, report: Diagnostics['report']): Promise<Site> {
  const linked = await readThemes(options, report);
  return { linked, sources: userSources(options, linked.walk, linked.themes, report), report };
}

/** Determines the theme of a user or group, and the reason. */
export async function explain(
  { linked: { walk, themes, settings }, sources, report }: Site,
  named: readonly SearchedKey[],
  hostname?: string,
): Promise<WhoIs> {
  const rules = edgeRules(settings.site, themes, pageStyleHash());
  const keys = keysAt(named, rules, hostname);
  const site = {
    rules,
    defaultTheme: themes.find(({ is_default: isDefault }) => isDefault)?.slug,
    hosts: settings.site.edge,
    ruleAt: (rule: number) => (settings.hasRules ? settings.rules[rule] : undefined),
  };
  return whoIs(keys, await findUsers(sources, walk.slugs, keys, report), site, hostname);
}

/** Returns the number of users and groups with a theme, and a few of them. */
export async function whoGets({ linked, sources, report }: Site, theme: string): Promise<UsersOfTheme> {
  const { themes, settings } = linked;
  const { slugs } = linked.walk;
  const counts = { user: 0, group: 0 };
  const sample: SearchedKey[] = [];
  await readRows(sources, { themes: slugs, report }, ({ kind, key, theme: index }) => {
    if (slugs[index ?? -1] !== theme) return;
    counts[kind]++;
    if (sample.length < MAX_SAMPLE) sample.push({ kind, key });
  });
  const isDefault = themes.some(({ slug, is_default }) => slug === theme && is_default);
  const hostnames = declaredHostnames(settings.site.identity, new Map()).flatMap((declared) =>
    declared.theme === theme ? [declared.name] : [],
  );
  return { counts, sample, hostnames, isDefault };
}
