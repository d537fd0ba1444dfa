import type { AssignmentOptions } from '../../io/users/read-assignments.ts';
import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { edgeRules } from '../../hosts/contract.ts';
import { IncrementalCache } from '../../io/incremental/incremental-cache.ts';
import { pageStyleHash } from '../../io/runtime.ts';
import { userSources } from '../../io/users/read-assignments.ts';
import { assignedKeys, findUsers } from '../../users/find-users.ts';
import { type Authored, readAuthored, type ThemesOptions } from '../../build/pipeline.ts';
import type { KeyKind } from '../../users/key.ts';
import type { Wanted } from '../../users/mapping.ts';
import { declaredHostnames } from '../../hosts/hostnames.ts';
import { decideWho, keysAt } from '../../hosts/explain.ts';
import type { WhoIs } from '../../hosts/format-explanation.ts';

/** A site as `who` looks into it. */
export interface Site {
  authored: Authored;
  slugs: readonly string[];
  sources: ReturnType<typeof userSources>;
  report: Diagnostics['report'];
}

/** The users and groups that a theme is assigned to. */
export interface UsersOfTheme {
  counts: Record<KeyKind, number>;
  sample: readonly Wanted[];
  /** The hostnames that rules of identity map to it. */
  hostnames: readonly string[];
  isDefault: boolean;
}

/** Users shown of those who get a theme. */
const SAMPLES = 10;

export async function openSite(
  options: AssignmentOptions & ThemesOptions,
  report: Diagnostics['report'],
): Promise<Site> {
  const authored = await readAuthored(options, new IncrementalCache(), report);
  const sources = userSources(options, authored.content, authored.themes, report);
  return { authored, sources, slugs: [...authored.content.files.keys()], report };
}

/** Which theme a user or group gets, and why. */
export async function whoIs(
  { authored, sources, slugs, report }: Site,
  named: readonly Wanted[],
  hostname?: string,
): Promise<WhoIs> {
  const rules = edgeRules(authored.site, authored.themes, pageStyleHash());
  const keys = keysAt(named, rules, hostname);
  const assignments = await findUsers(sources, slugs, keys, report);
  const defaultTheme = authored.themes.find(({ is_default: isDefault }) => isDefault)?.slug;
  return {
    ...(await decideWho(keys, assignments, rules, defaultTheme, hostname)),
    rules,
    defaultTheme,
    hosts: authored.site.edge,
    ruleAt: authored.locations.ruleAt,
  };
}

/** How many users and groups get a theme, and a few of them. */
export async function whoGets({ authored, sources, slugs, report }: Site, theme: string): Promise<UsersOfTheme> {
  const counts = { user: 0, group: 0 };
  const sample: Wanted[] = [];
  for await (const keys of assignedKeys(sources, slugs, report))
    for (const { kind, key, theme: index } of keys) {
      if (slugs[index] !== theme) continue;
      counts[kind]++;
      if (sample.length < SAMPLES) sample.push({ kind, key });
    }
  const isDefault = authored.themes.some(({ slug, is_default }) => slug === theme && is_default);
  const hostnames = declaredHostnames(authored.site.identity, new Map()).flatMap((declared) =>
    declared.theme === theme ? [declared.name] : [],
  );
  return { counts, sample, hostnames, isDefault };
}
