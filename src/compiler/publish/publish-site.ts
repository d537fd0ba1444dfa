import type { BuildOptions, BuildSuccess, CheckResult } from '../api.ts';
import { buildFile, MAX_ANCESTORS } from '../../core/document/files/build-file.ts';
import { ancestorsOf } from '../../system/git/git.ts';
import { type FileFacts, factsOf, type OutputFile, partsOf } from '../../core/document/files/output-file.ts';
import { keyCount } from '../../core/users/mapping.ts';
import type { Linked } from '../link/link.ts';
import { LostThumbnail, mediaContent, readThumbnail } from '../store/media-content.ts';
import type { CompiledSite, LinkedHosts, MediaFile } from '../model.ts';
import { decodingKey } from '../compile/decodings.ts';
import type { Publication } from './publication.ts';
import { checkShrinkage } from './shrinkage.ts';
import { PublicFiles } from './public-files.ts';
import type { Run } from '../store/resources.ts';

export interface PublishableSite {
  compiled: CompiledSite;
  linked: Linked;
  hosts: LinkedHosts;
}

type PublishResult = Omit<BuildSuccess, keyof CheckResult> & { hasChanged: boolean };

/**
 * Publishes a site without errors: writes the differences to the published files.
 * @returns the figures; or the themes with a lost thumbnail, if nothing was published
 */
export async function publishSite(
  publication: Publication,
  { compiled, linked, hosts }: PublishableSite,
  { memory, cache }: Run,
  options: BuildOptions,
): Promise<PublishResult | { lost: ReadonlySet<string> }> {
  const { themesDir, allowShrink = false, signal } = options;
  const { themes, settings } = linked;
  const users = keyCount(linked.users.compiled);
  const hasUsersFile = options.users !== undefined;
  if (!allowShrink) checkShrinkage(await publication.published(), { themes, users, hasUsersFile });
  const output = new PublicFiles(linked, hosts, memory);
  const { commit } = options;
  const ancestors = commit === undefined ? undefined : await ancestorsOf(themesDir, commit, MAX_ANCESTORS);
  let buildRecord = buildFile({ commit, manifest: undefined });
  const contentOf = async (file: FileFacts | OutputFile | MediaFile): Promise<Buffer | Iterable<string>> => {
    if ('slug' in file) return mediaContent(file, themesDir, cache);
    return partsOf('content' in file ? file : await hosts.make(file.path));
  };
  try {
    const { foreign, hasChanged } = await publication.publish({
      files: output.files(),
      contentOf,
      privateFiles: (manifest) => {
        buildRecord = buildFile({ commit, manifest, ancestors });
        return [...hosts.private, factsOf(buildRecord)];
      },
      privateContentOf: async (path) => partsOf(path === buildRecord.path ? buildRecord : await hosts.make(path)),
      users,
      signal,
      onMove: () => options.onStage?.('publish'),
    });
    const { rendered, keys } = compiled;
    const decodings = decodingsIn(compiled);
    const thumbnails = output.media.flatMap(({ thumbnail }) => thumbnail?.sha256 ?? []);
    if (cache.hasGrown)
      await cache.prune({ objects: thumbnails, results: [...keys, ...[...decodings].map(decodingKey)] });
    const cached = decodings.size - rendered;
    return { ...output.figures, hosts: settings.site.edge, foreign, hasChanged, rendered, cached };
  } catch (error) {
    if (!(error instanceof LostThumbnail)) throw error;
    const lost = output.media.filter(({ thumbnail }) => thumbnail && readThumbnail(thumbnail, cache) === undefined);
    return { lost: new Set(lost.map(({ slug }) => slug)) };
  }
}

/** Returns the different images that were decoded for a site, in this run or an earlier one, each with its method. */
function decodingsIn({ themes }: CompiledSite): ReadonlySet<string> {
  const results = new Set<string>();
  for (const { images } of themes.values())
    for (const { sha256, decodings } of images) for (const { method } of decodings) results.add(`${sha256} ${method}`);
  return results;
}
