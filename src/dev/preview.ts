import { type CheckOptions, type CheckResult, checkThemes, outcome } from '../build.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { publishedMedia } from '../document/media.ts';
import type { Found, Wanted } from '../mapping/mapping.ts';
import type { Cache } from '../io/cache.ts';
import type { Decoders } from '../io/decoder/pool.ts';
import type { LastBuild } from '../io/memory.ts';
import { renderThumbnails } from '../io/render.ts';
import { findUsers, sampleOfUsers } from '../io/users/find-users.ts';
import { userSources } from '../io/users/read-assignments.ts';

/** What a build would publish, without publishing it. */
export type Preview = NonNullable<Awaited<ReturnType<typeof preview>>['preview']>;

/** Builds as far as publishing, but only what changed since the last time. Without a preview there are errors. */
export async function preview(options: CheckOptions, cache: Cache, decoders: Decoders, memory: LastBuild) {
  const diagnostics = new Diagnostics();
  const read = await checkThemes(options, cache, memory, diagnostics.report);
  const found = (): CheckResult => outcome(read, read.given.users, diagnostics, {});
  const { site } = read;
  if (diagnostics.hasErrors) return { site, found: found(), rendered: 0, preview: undefined };
  const { content, themes, pictures, rules, locations, given } = read;
  const how = { limits: site.limits, cache, decoders, memory };
  const quietly = (): void => undefined;
  const { thumbnails, rendered } = await renderThumbnails(themes, pictures, how, diagnostics.report, quietly);
  if (diagnostics.hasErrors) return { site, found: found(), rendered, preview: undefined };
  const media = publishedMedia(themes, pictures, thumbnails, `${site.base_url}/media`);
  const sources = userSources(options, content, () => undefined);
  const slugs = [...content.pictures.keys()];
  const find = (wanted: readonly Wanted[]): Promise<Found[]> => findUsers(sources, slugs, wanted, () => undefined);
  const sample = (): Promise<Wanted[]> => sampleOfUsers(sources, slugs, SAMPLES, () => undefined);
  const built = { site, themes, rules, locations, media, slugs, countsByTheme: given.countsByTheme, find, sample };
  return { site, found: found(), rendered, preview: built };
}

/** Keys that are suggested to whoever types one. */
const SAMPLES = 100;
