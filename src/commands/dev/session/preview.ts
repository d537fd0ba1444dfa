import { outcome } from '../../../compiler/link/outcome.ts';
import { type CompileOptions, compileSite, type ThemesOptions } from '../../../compiler/compile/compile.ts';
import { type Linked, link } from '../../../compiler/link/link.ts';
import { linkHosts } from '../../../compiler/link/link-hosts.ts';
import type { Resources } from '../../../compiler/store/resources.ts';
import { stateOf } from '../../changes/io/read-state.ts';
import { Diagnostics } from '../../../core/diagnostics/diagnostic.ts';
import { draftRecord, missingOf } from '../../../core/document/draft-record.ts';
import { lookOf, type PublishedTheme } from '../../../core/document/documents.ts';
import { type ImageUrls, listRecord } from '../../../core/document/record.ts';
import { type UsersOptions, userSources } from '../../../compiler/link/read-assignments.ts';
import { draftThemes, emptySource } from '../../../core/theme/draft.ts';
import type { Draft } from '../../../core/theme/resolve.ts';
import { findUsers, usersBySource, usersOfTheme } from '../../../core/users/find-users.ts';
import type { FoundAssignment, SearchedKey } from '../../../core/users/mapping.ts';
import type { PartialTheme } from '../pages/content.ts';

/**
 * Compiles changed themes, and links the site. With errors nothing can be published, but the valid parts of every theme can be shown.
 */
export async function preview(
  options: ThemesOptions & UsersOptions & Pick<CompileOptions, 'since' | 'recompile'>,
  resources: Resources,
) {
  const diagnostics = new Diagnostics();
  const { report } = diagnostics;
  const compiled = await compileSite(options, resources, report);
  const linked = await link(compiled, { users: options.users }, resources.memory, report);
  const { rules, users, walk, settings, themes } = linked;
  await linkHosts(linked, resources.memory, report);
  users.release();
  const { site } = settings;
  const urlsOf = (theme: Pick<Draft, 'images'>): Partial<ImageUrls> => linked.urlsOf(theme, `${site.base_url}/media`);
  const withUrls = linked.publishedAt(`${site.base_url}/media`);
  const complete = withUrls.map(publishedTheme);
  const drafts = draftsOf(linked).map((draft): PartialTheme => {
    const urls = urlsOf(draft);
    const { slug, palette_dark } = draft;
    const isUnread = !linked.sources.some((source) => source.slug === slug);
    return { slug, palette_dark, record: draftRecord(draft, urls), missing: missingOf(draft, urls), isUnread };
  });
  const sources = userSources(options, walk, themes, () => undefined);
  return {
    compiled,
    linked,
    state: stateOf(linked),
    site,
    rules,
    ruleAt: (rule: number) => (settings.hasRules ? settings.rules[rule] : undefined),
    slugs: walk.slugs,
    countsByTheme: users.compiled.countsByTheme,
    usersBySource: () => usersBySource(sources, walk.slugs),
    usersOfTheme: (theme: number, options: { filter: string; max: number }) =>
      usersOfTheme(sources, walk.slugs, theme, options),
    find: (keys: readonly SearchedKey[]): Promise<FoundAssignment[]> =>
      findUsers(sources, walk.slugs, keys, () => undefined),
    themes: [...complete, ...drafts].toSorted((a, b) => (a.record.id || Infinity) - (b.record.id || Infinity)),
    /** The images by their published paths. */
    files: new Map(linked.media().map((file) => [file.path, file])),
    rendered: compiled.rendered,
    checkResult: outcome(linked, diagnostics),
    /** The themes to serve; undefined with errors. */
    published: diagnostics.hasErrors ? undefined : withUrls,
  };
}

function publishedTheme({ theme, urls, bitmapOf }: PublishedTheme): PartialTheme {
  const hasInvalidImage = Object.values(theme.images).length > Object.values(urls).length;
  const draft = { ...theme, source: emptySource(theme.slug, '') };
  return hasInvalidImage
    ? { ...lookOf(draftRecord(draft, urls), theme, bitmapOf), slug: theme.slug, missing: missingOf(draft, urls) }
    : {
        ...lookOf(listRecord(theme, urls), theme, bitmapOf),
        slug: theme.slug,
        missing: new Map(),
      };
}

/** Returns a draft with the valid parts of every incomplete theme. */
function draftsOf({ walk, compiled, settings: { site }, sources, themes }: Linked): Draft[] {
  const complete = new Set(themes.map(({ slug }) => slug));
  const valid = new Map(sources.map((source) => [source.slug, source]));
  const all = walk.slugs.flatMap((slug) => {
    const file = compiled.get(slug)?.file;
    return file === undefined ? [] : [valid.get(slug) ?? emptySource(slug, file)];
  });
  if (all.every(({ slug }) => complete.has(slug))) return [];
  return draftThemes(all, new Set(walk.slugs), site).filter(({ slug }) => !complete.has(slug));
}
