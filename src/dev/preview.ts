import type { CheckOptions, CheckResult } from '../api.ts';
import { checkThemes, outcome } from '../pipeline.ts';
import { Diagnostics, type Report } from '../diagnostics/diagnostic.ts';
import { publishedMedia } from '../document/media.ts';
import { type SourceImage, imageKey } from '../image/source-image.ts';
import type { Found, Wanted } from '../users/mapping.ts';
import type { Cache } from '../io/images/cache.ts';
import type { Decoders } from '../io/decoder/pool.ts';
import type { LastBuild } from '../io/images/incremental-cache.ts';
import { renderThumbnails } from '../io/images/render.ts';
import { findUsers, sampleOfUsers } from '../io/users/find-users.ts';
import { userSources } from '../io/users/read-assignments.ts';
import type { Theme } from '../theme/resolve.ts';

/** What a build would publish. */
export type Preview = NonNullable<Awaited<ReturnType<typeof preview>>['preview']>;

/**
 * Runs a build up to publishing, for what has changed since the last run. There is no preview if there are errors.
 * @param created - slug of a new theme that is built completely, whatever errors the others have
 */
export async function preview(
  options: CheckOptions,
  cache: Cache,
  decoders: Decoders,
  memory: LastBuild,
  created?: string,
) {
  const diagnostics = new Diagnostics();
  const read = await checkThemes(options, cache, memory, diagnostics.report);
  const found = (): CheckResult => outcome(read, read.given.users, diagnostics, {});
  const { site, content, themes, images, rules, locations, given } = read;
  const nothing = { site, media: undefined, preview: undefined };
  const isGood = !diagnostics.hasErrors;
  const wanted = isGood ? themes : themes.filter((theme) => theme.slug === created && hasImages(theme, images));
  if (!isGood && wanted.length === 0) return { ...nothing, found: found(), rendered: 0 };
  let isRendered = true;
  const report: Report = (code, location, args) => {
    isRendered = false;
    diagnostics.report(code, location, args);
  };
  const how = { limits: site.limits, cache, decoders, memory };
  const { thumbnails, rendered } = await renderThumbnails(wanted, images, how, report, () => undefined);
  if (!isRendered) return { ...nothing, found: found(), rendered };
  const media = publishedMedia(wanted, images, thumbnails, `${site.base_url}/media`);
  if (!isGood) return { ...nothing, media, found: found(), rendered };
  const sources = userSources(options, content, () => undefined);
  const slugs = [...content.pictures.keys()];
  const find = (keys: readonly Wanted[]): Promise<Found[]> => findUsers(sources, slugs, keys, () => undefined);
  const sample = (): Promise<Wanted[]> => sampleOfUsers(sources, slugs, SAMPLES, () => undefined);
  const built = { site, themes, rules, locations, media, slugs, countsByTheme: given.countsByTheme, find, sample };
  return { site, found: found(), rendered, media, preview: built };
}

/** Whether every image that a theme names passed its checks, without decoding it. */
function hasImages({ images: named }: Theme, images: ReadonlyMap<string, SourceImage>): boolean {
  return Object.values(named).every((source) => !('path' in source) || images.has(imageKey(source)));
}

/** Number of keys that are suggested on the page View as. */
const SAMPLES = 100;
