import type { CheckResult } from '../api.ts';
import { checkThemes, outcome, renderMedia, type ThemesOptions } from '../pipeline.ts';
import type { Resources } from '../resources.ts';
import { catalogue } from '../diagnostics/catalogue.ts';
import { Diagnostics, type Report } from '../diagnostics/diagnostic.ts';
import { imageKey, type SourceImage } from '../image/source-image.ts';
import { findUsers, sampleOfUsers } from '../users/find-users.ts';
import { type AssignmentOptions, userSources } from '../io/users/read-assignments.ts';
import type { Theme } from '../theme/resolve.ts';
import type { Found, Wanted } from '../users/mapping.ts';

/** What a build would publish. */
export type Preview = NonNullable<Awaited<ReturnType<typeof preview>>['preview']>;

/**
 * Runs a build up to publishing, for what has changed since the last run. There is no preview if there are errors.
 * @param created - slug of a new theme that is built completely, whatever errors the others have
 */
export async function preview(options: ThemesOptions & AssignmentOptions, resources: Resources, created?: string) {
  const diagnostics = new Diagnostics();
  const read = await checkThemes(options, { ...resources, diagnostics });
  const found = (): CheckResult => outcome(read, read.given.users, diagnostics, {});
  const { site, content, themes, images, rules, locations, given } = read;
  const nothing = { site, media: undefined, preview: undefined };
  const isGood = !diagnostics.hasErrors;
  const wanted = isGood ? themes : themes.filter((theme) => theme.slug === created && hasImages(theme, images));
  if (!isGood && wanted.length === 0) return { ...nothing, found: found(), rendered: 0 };
  let isRendered = true;
  const report: Report = (code, location, args) => {
    if (catalogue[code].severity === 'error') isRendered = false;
    diagnostics.report(code, location, args);
  };
  const rendering = await renderMedia(wanted, read, resources, `${site.base_url}/media`, report);
  const { rendered } = rendering;
  if (!isRendered) return { ...nothing, found: found(), rendered };
  const media = rendering.media();
  if (!isGood) return { ...nothing, media, found: found(), rendered };
  const sources = userSources(options, content, () => undefined);
  const slugs = [...content.files.keys()];
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
