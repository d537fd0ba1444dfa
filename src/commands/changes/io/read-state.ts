import path from 'node:path';
import { compileSite } from '../../../compiler/compile/compile.ts';
import { type Linked, link } from '../../../compiler/link/link.ts';
import { refuseUnread } from '../../../compiler/read-themes.ts';
import type { Run } from '../../../compiler/store/resources.ts';
import { Diagnostics } from '../../../core/diagnostics/diagnostic.ts';
import { withoutAccepted } from '../../../core/theme/without-accepted.ts';
import type { SiteState } from '../site-state.ts';

export type Reading = Omit<Run, 'diagnostics'> & { baseUrl: string | undefined };

/**
 * Compiles and links a site as a build does. File names are relative to the parent folder of the themes, so that both sides match.
 * @throws {UsageError} if a file cannot be read
 */
export async function readState(themesDir: string, { baseUrl, ...run }: Reading): Promise<SiteState> {
  const diagnostics = new Diagnostics();
  const { report } = diagnostics;
  const cwd = path.dirname(path.resolve(themesDir));
  const compiled = await compileSite({ themesDir, baseUrl, cwd }, run, report);
  const linked = await link(compiled, {}, run.memory, report);
  refuseUnread(diagnostics);
  return { ...stateOf(linked), diagnostics: withoutAccepted(diagnostics.sorted, linked.sources).remaining };
}

/** Returns the state of a linked site, without diagnostics. */
export function stateOf({ walk, settings: { site }, sources, themes, compiled, users }: Linked): SiteState {
  const authored = sources.map(({ slug, fields, written }) => {
    return [slug, { parent: fields.extends, fields: Object.keys(fields), palettes: written }] as const;
  });
  const { countsByTheme } = users.compiled;
  const counts = walk.slugs.map((slug, at) => {
    return [slug, { user: countsByTheme.user[at] ?? 0, group: countsByTheme.group[at] ?? 0 }] as const;
  });
  const images = [...compiled.values()].flatMap((theme) =>
    theme.images.map(({ path: file, sha256, bytes }) => [`${theme.slug}/${file}`, { sha256, bytes }]),
  );
  return {
    site,
    themes,
    authored: Object.fromEntries(authored),
    images: Object.fromEntries(images),
    counts: Object.fromEntries(counts),
    hasUsers: walk.users.length > 0,
    diagnostics: [],
  };
}
