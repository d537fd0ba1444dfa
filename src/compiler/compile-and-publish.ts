import type { BuildOptions, BuildResult } from './api.ts';
import { Diagnostics } from '../core/diagnostics/diagnostic.ts';
import { compileSite } from './compile/compile.ts';
import { link } from './link/link.ts';
import { linkHosts } from './link/link-hosts.ts';
import { outcome } from './link/outcome.ts';
import type { Publication } from './publish/publication.ts';
import { publishSite } from './publish/publish-site.ts';
import type { Run } from './store/resources.ts';
import type { Sources } from './walk/sources.ts';

type Options = BuildOptions & { cwd: string; sources: Sources };

/** Compiles and links a site, and publishes the difference if there are no errors. @param recompile - themes whose stored result is ignored */
export async function compileAndPublish(
  publication: Publication,
  run: Run,
  options: Options,
  recompile?: ReadonlySet<string>,
): Promise<{ result: BuildResult; hasChanged: boolean }> {
  const { signal, sources } = options;
  const { diagnostics, memory } = run;
  const { report } = diagnostics;
  const onProgress = (done: number, all: number): void => {
    signal?.throwIfAborted();
    options.onProgress?.(done, all);
  };
  sources.readTop();
  options.onStage?.('compile');
  const compiled = await compileSite({ ...options, onProgress, ...(recompile && { recompile }) }, run, report);
  options.onStage?.('link');
  const linked = await link(compiled, options, memory, report);
  const hosts = await linkHosts(linked, memory, report);
  const result = outcome(linked, diagnostics, options);
  if (!result.ok) return { result: { ...result, ok: false }, hasChanged: false };
  options.onStage?.('documents');
  const published = await publishSite(publication, { compiled, linked, hosts }, run, options);
  if ('lost' in published) {
    // Stored thumbnails of some themes have been removed since. Nothing was published.
    await publication.begin();
    const retry = { ...run, diagnostics: new Diagnostics() };
    return compileAndPublish(publication, retry, options, published.lost);
  }
  const { hasChanged, ...figures } = published;
  return { result: { ...result, ok: true, ...figures }, hasChanged };
}
