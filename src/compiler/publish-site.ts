import type { BuildOptions, BuildSuccess, CheckResult } from './api.ts';
import { buildFile } from '../document/build-file.ts';
import { type FileFacts, factsOf, type OutputFile, partsOf } from '../document/output-file.ts';
import { keyCount } from '../users/mapping.ts';
import type { Linked } from './link.ts';
import { LostThumbnail, mediaContent, readThumbnail } from './media-content.ts';
import type { CompiledSite, LinkedHosts, MediaFile } from './model.ts';
import type { LeftOutput } from './output/new-publication.ts';
import type { Publication } from './output/publish.ts';
import { checkShrinkage } from './output/shrinkage.ts';
import { PublicFiles } from './public-files.ts';
import type { Run } from './resources.ts';

/** A site without errors. */
export interface PublishableSite {
  compiled: CompiledSite;
  linked: Linked;
  hosts: LinkedHosts;
}

type Published = Omit<BuildSuccess, keyof CheckResult> & { left: LeftOutput };

/**
 * Publishes a site without errors: writes the difference to what is published.
 * @param last - how the last build left the output, if that is known
 * @returns the figures; or the themes of which a thumbnail is lost, and nothing was published
 */
export async function publishSite(
  publication: Publication,
  { compiled, linked, hosts }: PublishableSite,
  last: LeftOutput | undefined,
  { memory, cache }: Run,
  options: BuildOptions,
): Promise<Published | { lost: ReadonlySet<string> }> {
  const { themesDir, allowShrink = false, signal } = options;
  const { themes, settings } = linked;
  const users = keyCount(linked.users.compiled);
  const hasUsersFile = options.users !== undefined;
  if (!allowShrink) checkShrinkage(await publication.published(), { themes, users, hasUsersFile });
  const output = new PublicFiles(linked, hosts, memory);
  let ofBuild = buildFile({ commit: options.commit, manifest: undefined });
  const contentOf = async (file: FileFacts | OutputFile | MediaFile): Promise<Buffer | Iterable<string>> => {
    if ('slug' in file) return mediaContent(file, themesDir, cache);
    return partsOf('content' in file ? file : await hosts.make(file.path));
  };
  try {
    const { foreign, left } = await publication.publish({
      files: output.files(),
      contentOf,
      manifest: output.manifest?.sha256,
      privateFiles: (manifest) => {
        ofBuild = buildFile({ commit: options.commit, manifest });
        return [...hosts.private, factsOf(ofBuild)];
      },
      privateContentOf: async (path) => partsOf(path === ofBuild.path ? ofBuild : await hosts.make(path)),
      users,
      left: last,
      signal,
    });
    if (cache.hasGrown || memory.isMerged)
      await cache.prune(output.media.flatMap(({ thumbnail }) => thumbnail?.sha256 ?? []));
    const { rendered } = compiled;
    const cached = decodingsIn(compiled) - rendered;
    return { ...output.figures, hosts: settings.site.edge, foreign, left, rendered, cached };
  } catch (error) {
    if (!(error instanceof LostThumbnail)) throw error;
    const lost = output.media.filter(({ thumbnail }) => thumbnail && readThumbnail(thumbnail, cache) === undefined);
    return { lost: new Set(lost.map(({ slug }) => slug)) };
  }
}

/** How many images were decoded for a site, now or earlier: equal ones count once. */
function decodingsIn({ themes }: CompiledSite): number {
  const decodings = new Set<string>();
  for (const { images } of themes.values())
    for (const { sha256, made } of images) for (const { method } of made) decodings.add(`${sha256} ${method}`);
  return decodings.size;
}
