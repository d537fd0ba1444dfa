import path from 'node:path';
import { compileSite } from '../../compiler/compile.ts';
import { type Linked, link } from '../../compiler/link.ts';
import { refuseUnread } from '../../compiler/read-themes.ts';
import type { Run } from '../../compiler/resources.ts';
import { walkThemes } from '../../compiler/walk.ts';
import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { readBytes, sha256Of } from '../../disk/files.ts';
import { userSources } from '../../compiler/read-assignments.ts';
import { withoutAccepted } from '../../theme/without-accepted.ts';
import { assignedKeys } from '../../users/find-users.ts';
import type { SiteState } from '../site-state.ts';
import type { Base } from './base.ts';

export type Reading = Omit<Run, 'diagnostics'> & { baseUrl: string | undefined };

/** The state of a base, retained by what Git has of it. Only what differs from the themes here is compiled. */
export async function readBase(base: Base, themesDir: string, reading: Reading): Promise<SiteState> {
  const { memory } = reading;
  const inputs = [base.tree, path.basename(path.resolve(themesDir)), reading.baseUrl ?? ''];
  const known = memory.recall('base', inputs) as SiteState | undefined;
  if (known !== undefined) return known;
  const state = await readState(await base.folder(() => true), reading, false);
  // The next time, Git LFS may have fetched the images.
  if (state.diagnostics.every(({ code }) => code !== 'image/lfs-pointer')) memory.remember('base', inputs, state);
  return state;
}

/**
 * Compiles and links a site as a build does. Files are named the same on both sides: relative to the folder around the themes.
 * @param stores - whether what is compiled is that of the themes here
 * @throws {UsageError} if a file cannot be read
 */
export async function readState(themesDir: string, { baseUrl, ...run }: Reading, stores = true): Promise<SiteState> {
  const diagnostics = new Diagnostics();
  const { report } = diagnostics;
  const cwd = path.dirname(path.resolve(themesDir));
  const compiled = await compileSite({ themesDir, baseUrl, cwd, stores }, run, report);
  const linked = await link(compiled, {}, run.memory, report);
  linked.users.close();
  refuseUnread(diagnostics);
  const userFiles = linked.walk.users.map(({ file, path: place }) => {
    const found = readBytes(place, Number.MAX_SAFE_INTEGER);
    if ('problem' in found && found.problem === 'unreadable') throw found.error;
    return [file, 'problem' in found ? '' : sha256Of(found.bytes)] as const;
  });
  return { ...stateOf(linked), userFiles, diagnostics: withoutAccepted(diagnostics.sorted, linked.sources).remaining };
}

/** The state of a linked site, without the contents of its users files and its diagnostics. */
export function stateOf({ walk, settings: { site }, sources, themes, compiled, users }: Linked): SiteState {
  const authored = sources.map(({ slug, fields, writtenPalette }) => {
    return [slug, { parent: fields.extends, fields: Object.keys(fields), colours: writtenPalette }] as const;
  });
  const { countsByTheme: counts } = users.compiled;
  const given = walk.slugs.map((slug, at) => [slug, { user: counts.user[at] ?? 0, group: counts.group[at] ?? 0 }]);
  const images = [...compiled.values()].flatMap((theme) =>
    theme.images.map(({ path: file, sha256, bytes }) => [`${theme.slug}/${file}`, { sha256, bytes }]),
  );
  return {
    site,
    themes,
    authored: Object.fromEntries(authored),
    images: Object.fromEntries(images),
    counts: Object.fromEntries(given),
    userFiles: [],
    diagnostics: [],
  };
}

/** The theme of every user and group in the files of a site, by kind and key: never stored, never printed. */
export async function readKeys(themesDir: string, { themes }: Pick<SiteState, 'themes'>): Promise<Map<string, string>> {
  const diagnostics = new Diagnostics();
  const { report } = diagnostics;
  const walk = await walkThemes(themesDir, path.dirname(path.resolve(themesDir)), report);
  const themeByKey = new Map<string, string>();
  for await (const keys of assignedKeys(userSources({}, walk, themes, report), walk.slugs, report))
    for (const { kind, key, theme } of keys) {
      const name = `${kind} ${key}`;
      // Of one that is listed twice, the first.
      if (!themeByKey.has(name)) themeByKey.set(name, walk.slugs[theme] ?? '');
    }
  refuseUnread(diagnostics);
  return themeByKey;
}
