import type { BuildOptions, BuildResult, BuildSuccess } from './api.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { compileSite } from './compile.ts';
import type { Fingerprints } from './fingerprints.ts';
import { type PreviousBuild, rememberOutput } from './previous-build.ts';
import { link } from './link.ts';
import { linkHosts } from './link-hosts.ts';
import { outcome } from './outcome.ts';
import type { Publication } from './output/publish.ts';
import { publishSite } from './publish-site.ts';
import type { Run } from './resources.ts';

type Options = BuildOptions & {
  cwd: string;
  /** Fingerprints of the themes, and a digest of all inputs if their fingerprints are trusted. */
  fingerprints: Fingerprints;
  inputs: string | undefined;
  previous: PreviousBuild | undefined;
};

/** Compiles and links a site, and publishes the difference if there are no errors. @param recompile - themes whose stored result is ignored */
export async function compileAndPublish(
  publication: Publication,
  run: Run,
  options: Options,
  recompile?: ReadonlySet<string>,
): Promise<BuildResult> {
  const { signal, fingerprints, inputs, previous } = options;
  const { diagnostics, memory, cache } = run;
  const { report } = diagnostics;
  const onProgress = (done: number, all: number): void => {
    signal?.throwIfAborted();
    options.onProgress?.(done, all);
  };
  const stage = publication.stage(cache, () => !diagnostics.hasErrors);
  const compiled = await compileSite(
    { ...options, fingerprints, onProgress, stage, ...(recompile && { recompile }) },
    run,
    report,
  );
  const linked = await link(compiled, options, memory, report);
  const hosts = await linkHosts(linked, memory, report);
  const result = outcome(linked, diagnostics, { ...options, isWhole: true });
  if (!result.ok) return { ...result, ok: false };
  const published = await publishSite(publication, { compiled, linked, hosts }, previous, run, options);
  if ('lost' in published) {
    // Stored thumbnails of some themes have been removed since. Nothing was published.
    const retry = { ...run, diagnostics: new Diagnostics() };
    return compileAndPublish(publication, retry, options, published.lost);
  }
  const { left, ...figures } = published;
  const success: BuildSuccess = { ...result, ok: true, ...figures };
  const cached = success.cached + success.rendered;
  rememberOutput(memory, options, { ...left, inputs, result: { ...success, cached, rendered: 0 } });
  return success;
}
