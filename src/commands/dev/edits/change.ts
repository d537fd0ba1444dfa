import type { Arguments } from '../../../core/diagnostics/catalogue.ts';
import { type Diagnostic, Diagnostics, type Report } from '../../../core/diagnostics/diagnostic.ts';
import { rendererVersions } from '../../../system/decoder/sharp.ts';
import { compileTheme } from '../../../compiler/compile/compile-theme.ts';
import { Decodings } from '../../../compiler/compile/decodings.ts';
import type { FileEdit } from './file-edits.ts';
import { linkThemes } from '../../../compiler/link/link-themes.ts';
import type { CompiledSite, CompiledTheme, LinkedThemes } from '../../../compiler/model.ts';
import type { Resources } from '../../../compiler/store/resources.ts';
import { filesOnDisk, type ThemeFiles } from '../../../compiler/walk/theme-files.ts';
import { sha256Of } from '../../../system/disk/files.ts';
import { parseTheme } from '../../../compiler/store/theme-key.ts';

/** A change to the files of one theme, compiled and linked before it is written. */
export interface ProposedChange {
  compiled: CompiledTheme;
  errors: readonly Diagnostic[];
  missing: ReadonlySet<string>;
  isComplete: boolean;
}

/** Compiles a theme with some edits applied, and links the site with it. @param before - the current diagnostics of the site */
export async function proposeChange(
  site: CompiledSite,
  slug: string,
  edits: readonly FileEdit[],
  before: readonly Diagnostic[],
  { cache, decoders }: Resources,
): Promise<ProposedChange> {
  const { walk, settings, themes } = site;
  const { themesDir, display, slugs } = walk;
  const themeEdits = edits.filter(({ name }) => name.startsWith(`${slug}/`));
  const changed = new Map(themeEdits.map(({ name, after }) => [name.slice(slug.length + 1), after]));
  const files = withFiles(filesOnDisk(themesDir, slug), changed);
  const decodings = new Decodings(cache, await rendererVersions());
  const tools = { themesDir, decoders, decodings, images: true, isOnDisk: false };
  const { compiled: stored } = await compileTheme(files, settings.site, tools);
  const compiled = parseTheme(JSON.stringify(stored), display);
  const proposed: CompiledSite = {
    ...site,
    walk: { ...walk, slugs: [...new Set([...slugs, slug])].toSorted() },
    themes: new Map([...themes, [slug, compiled]]),
  };
  const linkedSite = await linkWith(proposed, compiled);
  const reportedBefore = new Set(before.map(keyOfDiagnostic));
  return {
    compiled,
    errors: linkedSite.errors.filter((error) => !reportedBefore.has(keyOfDiagnostic(error))),
    missing: linkedSite.missing,
    isComplete: linkedSite.linked.themes.some((theme) => theme.slug === slug),
  };
}

/** Links a site, and collects its errors and the missing fields of one theme. */
async function linkWith(
  site: CompiledSite,
  theme: CompiledTheme,
): Promise<{ linked: LinkedThemes; errors: Diagnostic[]; missing: Set<string> }> {
  const diagnostics = new Diagnostics();
  const missing = new Set<string>();
  const report: Report = (code, location, args) => {
    diagnostics.report(code, location, args);
    if (code === 'field/missing' && location.file === theme.file)
      for (const field of (args as Arguments<'field/missing'>).fields) missing.add(field);
  };
  for (const [code, location, args] of theme.diagnostics) report(code, location, args);
  const linked = await linkThemes(site, report, theme.slug);
  return { linked, missing, errors: diagnostics.sorted.filter(({ severity }) => severity === 'error') };
}

function keyOfDiagnostic({ code, message }: Diagnostic): string {
  return `${code} ${message}`;
}

/** Returns the same folder with some files changed; a file without bytes is removed. */
function withFiles(files: ThemeFiles, changed: ReadonlyMap<string, Buffer | undefined>): ThemeFiles {
  const added = [...changed].flatMap(([file, bytes]) =>
    bytes === undefined ? [] : [{ path: file, depth: file.split('/').length, kind: 'file' as const }],
  );
  return {
    ...files,
    entries: [...files.entries.filter(({ path: file }) => !changed.has(file)), ...added].toSorted((a, b) =>
      a.path < b.path ? -1 : 1,
    ),
    read: (file, limit) => {
      const bytes = changed.get(file);
      if (bytes === undefined) return changed.has(file) ? { problem: 'missing' } : files.read(file, limit);
      return bytes.length > limit ? { problem: 'too-large', bytes: bytes.length } : { bytes, sha256: sha256Of(bytes) };
    },
  };
}
