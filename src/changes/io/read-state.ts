import path from 'node:path';
import { renderMedia } from '../../build/examine.ts';
import { checkThemes, type ReadThemes, readThemes } from '../../build/pipeline.ts';
import type { Run } from '../../build/resources.ts';
import { type Diagnostic, Diagnostics } from '../../diagnostics/diagnostic.ts';
import { imageKey } from '../../image/source-image.ts';
import { IncrementalCache } from '../../io/incremental/incremental-cache.ts';
import { discover } from '../../io/themes/discover.ts';
import { userSources } from '../../io/users/read-assignments.ts';
import { withoutAccepted } from '../../theme/without-accepted.ts';
import { themesOfKeys } from '../../users/find-users.ts';
import type { ImagePlace, SiteState } from '../site-state.ts';
import { type Base, bytesOf } from './base.ts';

export type Reading = Omit<Run, 'diagnostics'> & { baseUrl: string | undefined };

/** Files are named the same on both sides: relative to the folder around the themes. */
function optionsOf(themesDir: string, { baseUrl }: Reading) {
  return { themesDir, baseUrl, cwd: path.dirname(path.resolve(themesDir)) };
}

/** The state of a base, retained by what Git has of it. */
export async function readBase(base: Base, themesDir: string, reading: Reading): Promise<SiteState> {
  const files = base.files.size === 0 ? undefined : [...base.files];
  const parts = [files, path.basename(path.resolve(themesDir)), reading.baseUrl ?? ''];
  const local = IncrementalCache.local('diff');
  return reading.incremental.memoize(
    local,
    parts,
    () => undefined,
    async () => {
      const { state } = await readState(await base.folder(() => true), await withoutCache(reading));
      return state;
    },
  );
}

/** For files that are not those of the checkout. */
export async function withoutCache(reading: Reading): Promise<Reading> {
  return { ...reading, incremental: await IncrementalCache.open() };
}

/** Resolves and checks a site with the stages of a build. @returns its state, and what it was read from */
export async function readState(themesDir: string, reading: Reading): Promise<{ state: SiteState; read: ReadThemes }> {
  const diagnostics = new Diagnostics();
  const read = await checkThemes(optionsOf(themesDir, reading), { ...reading, diagnostics });
  const { rows, yaml, lists } = read.content.users;
  const userFiles = [...rows, ...lists.values()].map(({ file, path: place }) => {
    const found = reading.incremental.files.contentOf(place, Number.MAX_SAFE_INTEGER);
    return [file, 'problem' in found ? '' : found.sha256] as const;
  });
  const state = {
    ...stateOf(read),
    userFiles: yaml === undefined ? userFiles : [...userFiles, [yaml.file, yaml.text] as const],
    diagnostics: withoutAccepted(diagnostics.sorted, read.sources).remaining,
  };
  return { state, read };
}

/** Reads a folder that has some themes of a site. */
export function readPart(themesDir: string, reading: Reading): Promise<ReadThemes> {
  return readThemes(optionsOf(themesDir, reading), { ...reading, diagnostics: new Diagnostics() });
}

/** The state of a site that has been read, without the contents of its users files and its diagnostics. */
export function stateOf({
  content,
  site,
  sources,
  themes,
  images,
  given: { countsByTheme: counts },
}: Pick<
  Awaited<ReturnType<typeof checkThemes>>,
  'content' | 'site' | 'sources' | 'themes' | 'images' | 'given'
>): SiteState {
  const authored = sources.map(({ slug, fields, written }) => {
    const colours = fields.palette_preview?.map((colour, at) => written[`palette_preview.${at}`] ?? colour);
    return [slug, { parent: fields.extends, fields: Object.keys(fields), colours }];
  });
  const given = [...content.files.keys()].map((slug, at) => [
    slug,
    { user: counts.user[at] ?? 0, group: counts.group[at] ?? 0 },
  ]);
  return {
    site,
    themes,
    authored: Object.fromEntries(authored),
    images: Object.fromEntries([...images].map(([key, { sha256, bytes }]) => [key, { sha256, bytes }])),
    counts: Object.fromEntries(given),
    userFiles: [],
    diagnostics: [],
  };
}

const LOGOS = ['logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse'] as const;

/** What decoding shows of the logos of some themes: one that is faint, or an inverse that is the same. */
export async function readAdvice(
  read: ReadThemes,
  slugs: ReadonlySet<string>,
  reading: Reading,
): Promise<readonly Diagnostic[]> {
  const diagnostics = new Diagnostics();
  const themes = read.themes.filter(({ slug }) => slugs.has(slug));
  const shown = new Set(
    themes.flatMap(({ images }) => LOGOS.flatMap((field) => ('path' in images[field] ? imageKey(images[field]) : []))),
  );
  const images = new Map([...read.images].filter(([key]) => shown.has(key)));
  await renderMedia(themes, { site: read.site, images }, reading, read.site.media_url, diagnostics.report);
  return withoutAccepted(diagnostics.sorted, read.sources).remaining;
}

/** The theme of every user and group in the files of a site, by kind and key: never stored, never printed. */
export async function readKeys(
  themesDir: string,
  { themes }: Pick<SiteState, 'themes'>,
  reading: Reading,
): Promise<Map<string, string>> {
  const { report } = new Diagnostics();
  const { cwd } = optionsOf(themesDir, reading);
  const content = await discover(themesDir, cwd, reading.incremental.files, report);
  return themesOfKeys(userSources({}, content, themes, report), [...content.files.keys()], report);
}

/** The bytes of an image; nothing for one elsewhere, or one that cannot be read. */
export async function imageBytes(place: ImagePlace | undefined, themesDir: string): Promise<Buffer | undefined> {
  return place === undefined || 'url' in place ? undefined : bytesOf(place.file, themesDir);
}
