import { type CheckOptions, type CheckResult, checkThemes, outcome } from '../build.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { publishedMedia } from '../document/media.ts';
import type { Found, Wanted } from '../mapping/mapping.ts';
import type { Cache } from '../io/cache.ts';
import type { Decoders } from '../io/decoder/pool.ts';
import type { LastBuild } from '../io/memory.ts';
import { renderThumbnails } from '../io/render.ts';
import { findUsers } from '../io/users/find-users.ts';
import { userSources } from '../io/users/read-assignments.ts';

/** What a build would publish, without publishing it. */
export type Preview = NonNullable<Awaited<ReturnType<typeof preview>>['preview']>;

/** Builds as far as publishing, but only what changed since the last time. Without a preview there are errors. */
export async function preview(options: CheckOptions, cache: Cache, decoders: Decoders, memory: LastBuild) {
  const diagnostics = new Diagnostics();
  const read = await checkThemes(options, cache, memory, diagnostics.report);
  const found = (): CheckResult => outcome(read, read.given.users, diagnostics, {});
  if (diagnostics.hasErrors) return { found: found(), rendered: 0, preview: undefined };
  const { content, site, themes, pictures, rules, locations, given } = read;
  const { thumbnails, rendered } = await renderThumbnails(
    themes,
    pictures,
    cache,
    decoders,
    memory,
    diagnostics.report,
    () => undefined,
  );
  if (diagnostics.hasErrors) return { found: found(), rendered, preview: undefined };
  const media = publishedMedia(themes, pictures, thumbnails, site.media_url);
  const sources = userSources(options, content, () => undefined);
  const slugs = [...content.pictures.keys()];
  const find = (wanted: readonly Wanted[]): Promise<Found[]> => findUsers(sources, slugs, wanted, () => undefined);
  return { found: found(), rendered, preview: { site, themes, rules, locations, media, slugs, given, find } };
}
