import type { CheckResult } from '../build/api.ts';
import { outcome, renderMedia } from '../build/examine.ts';
import { checkThemes, type ThemesOptions } from '../build/pipeline.ts';
import type { Resources } from '../build/resources.ts';
import { catalogue } from '../diagnostics/catalogue.ts';
import { Diagnostics, type Report } from '../diagnostics/diagnostic.ts';
import { NOTHING_MISSING } from '../document/missing.ts';
import type { OutputFile } from '../document/output-file.ts';
import { stateOf } from '../changes/io/read-state.ts';
import { listRecord } from '../document/record.ts';
import { findUsers } from '../users/find-users.ts';
import { type AssignmentOptions, userSources } from '../io/users/read-assignments.ts';
import type { Found, Wanted } from '../users/mapping.ts';
import { previewDrafts, type ShownTheme } from './drafts.ts';

/**
 * Runs a build up to publishing, for what has changed since the last run. There is no preview if there are errors, but every theme as
 * far as it is valid.
 */
export async function preview(options: ThemesOptions & AssignmentOptions, resources: Resources) {
  const diagnostics = new Diagnostics();
  const read = await checkThemes(options, { ...resources, diagnostics });
  const found = (isRendered: boolean): CheckResult => outcome(read, read.given.users, diagnostics, {}, isRendered);
  const { site, content, themes, rules, locations, given } = read;
  const { countsByTheme } = given;
  const slugs = [...content.files.keys()];
  const sources = userSources(options, content, themes, () => undefined);
  const find = (keys: readonly Wanted[]): Promise<Found[]> => findUsers(sources, slugs, keys, () => undefined);
  const state = stateOf(read);
  const common = { state, site, rules, slugs, countsByTheme, locations, find };
  const asDrafts = async (before: number) => {
    const drafts = await previewDrafts(read, resources, diagnostics);
    return { ...common, ...drafts, rendered: before + drafts.rendered, found: found(false), preview: undefined };
  };
  if (diagnostics.hasErrors) return asDrafts(0);
  // Reported again with the drafts.
  let isRendered = true;
  const report: Report = (code, location, args) => {
    if (catalogue[code].severity === 'error') isRendered = false;
    else diagnostics.report(code, location, args);
  };
  const rendering = await renderMedia(themes, read, resources, `${site.base_url}/media`, report);
  const { rendered } = rendering;
  if (!isRendered) return asDrafts(rendered);
  const media = rendering.media();
  const built = { ...common, themes, media };
  const shown = media.themes.map(({ theme, urls }): ShownTheme => {
    const record = listRecord(theme, urls);
    return { slug: theme.slug, record, missing: NOTHING_MISSING, isEarlier: false };
  });
  const files: readonly OutputFile[] = media.files;
  return { ...common, themes: shown, files, rendered, found: found(true), preview: built };
}
