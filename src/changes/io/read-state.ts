import path from 'node:path';
import { renderMedia } from '../../build/examine.ts';
import { checkThemes, type ReadThemes, readThemes } from '../../build/pipeline.ts';
import type { Run } from '../../build/resources.ts';
import { type Diagnostic, Diagnostics } from '../../diagnostics/diagnostic.ts';
import { imageKey } from '../../image/source-image.ts';
import { IncrementalCache } from '../../io/incremental/incremental-cache.ts';
import { readRegularFile } from '../../io/disk/files.ts';
import { discover } from '../../io/themes/discover.ts';
import { userSources } from '../../io/users/read-assignments.ts';
import { withoutAccepted } from '../../theme/without-accepted.ts';
import { themesOfKeys } from '../../users/find-users.ts';
import type { ImagePlace, SiteState } from '../site-state.ts';
import type { Base } from './base.ts';

export type Reading = Omit<Run, 'diagnostics'> & { baseUrl: string | undefined };

/** Files are named the same on both sides: relative to the folder around the themes. */
function optionsOf(themesDir: string, { baseUrl }: Reading) {
  return { themesDir, baseUrl, cwd: path.dirname(path.resolve(themesDir)) };
}

/** The state of a base, retained by the id of its tree. */
export async function readBase(base: Base, themesDir: string, reading: Reading): Promise<SiteState> {
  return reading.incremental.memoize(
    IncrementalCache.local('diff'),
    [base.tree, path.basename(path.resolve(themesDir)), reading.baseUrl ?? ''],
    () => undefined,
    async () =>
      (await readState(await base.folder(() => true), { ...reading, incremental: await IncrementalCache.open() }))
        .state,
  );
}

/** Resolves and checks a site with the stages of a build. @returns its state, and what it was read from */
export async function readState(themesDir: string, reading: Reading): Promise<{ state: SiteState; read: ReadThemes }> {
  const diagnostics = new Diagnostics();
  const read = await checkThemes(optionsOf(themesDir, reading), { ...reading, diagnostics });
  const { rows, yaml, lists } = read.content.users;
  const { files } = reading.incremental;
  const userFiles = [...rows, ...lists.values()].map(({ file, path: place }): [string, string] => {
    const found = files.contentOf(place, Number.MAX_SAFE_INTEGER);
    return [file, 'problem' in found ? '' : found.sha256];
  });
  const state = {
    ...stateOf(read),
    userFiles: [...userFiles, ...(yaml === undefined ? [] : [[yaml.file, yaml.text] as [string, string]])],
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
  given,
}: Pick<
  Awaited<ReturnType<typeof checkThemes>>,
  'content' | 'site' | 'sources' | 'themes' | 'images' | 'given'
>): SiteState {
  const countOf = (at: number): Record<'user' | 'group', number> => ({
    user: given.countsByTheme.user[at] ?? 0,
    group: given.countsByTheme.group[at] ?? 0,
  });
  return {
    site,
    themes,
    authored: Object.fromEntries(
      sources.map(({ slug, fields, written }) => [
        slug,
        {
          parent: fields.extends,
          fields: Object.keys(fields),
          colours: fields.palette_preview?.map((colour, at) => written[`palette_preview.${at}`] ?? colour),
        },
      ]),
    ),
    images: Object.fromEntries([...images].map(([key, { sha256, bytes }]) => [key, { sha256, bytes }])),
    counts: Object.fromEntries([...content.files.keys()].map((slug, at) => [slug, countOf(at)])),
    userFiles: [],
    diagnostics: [],
  };
}

const LOGOS = ['logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse'] as const;

/**
 * What decoding shows of the logos of some themes: one that is faint, or an inverse that is the same.
 * @param looks - retains what was decoded, by content
 */
export async function readAdvice(
  read: ReadThemes,
  slugs: ReadonlySet<string>,
  reading: Reading,
  looks: IncrementalCache,
): Promise<readonly Diagnostic[]> {
  const diagnostics = new Diagnostics();
  const themes = read.themes.filter(({ slug }) => slugs.has(slug));
  const shown = new Set(
    themes.flatMap(({ images }) => LOGOS.flatMap((field) => ('path' in images[field] ? imageKey(images[field]) : []))),
  );
  const images = new Map([...read.images].filter(([key]) => shown.has(key)));
  await renderMedia(
    themes,
    { site: read.site, images },
    { ...reading, incremental: looks },
    read.site.media_url,
    diagnostics.report,
  );
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

/** Maximum size of an image, in bytes: the largest that `site.yaml` can allow. */
const MAX_BYTES = 104_857_600;

/** The bytes of an image; nothing for one elsewhere, or one that cannot be read. */
export async function imageBytes(place: ImagePlace | undefined, themesDir: string): Promise<Buffer | undefined> {
  return place === undefined || 'url' in place ? undefined : bytesOf(place.file, themesDir);
}

/** The bytes of a file of the themes; nothing if it cannot be read. */
export async function bytesOf(name: string, themesDir: string): Promise<Buffer | undefined> {
  const bytes = await readRegularFile(path.join(themesDir, name), MAX_BYTES, themesDir);
  return Buffer.isBuffer(bytes) ? bytes : undefined;
}
