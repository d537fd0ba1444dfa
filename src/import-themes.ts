import path from 'node:path';
import type { Conflict } from './import/conflict.ts';
import { shownUrl } from './diagnostics/quote.ts';
import { edgeRules } from './hosts/contract.ts';
import { oldPathProblem } from './hosts/old-path.ts';
import { type Redirect, redirectsText } from './hosts/redirects.ts';
import { readList } from './import/read-list.ts';
import { type Plan, type PlannedTheme, planThemes } from './import/plan-themes.ts';
import { mapConcurrently } from './io/concurrency.ts';
import { Decoders } from './io/decoder/pool.ts';
import { IncrementalCache } from './io/incremental-cache.ts';
import { isFolder } from './io/files.ts';
import { ImportError } from './io/import/import-error.ts';
import { type CheckedImages, checkImages, type ConvertedImage, type RefusedImage } from './io/import/check-images.ts';
import { type Clash, type Existing, examineExisting } from './io/import/existing.ts';
import type { ImportSource } from './io/import/source.ts';
import { IMPORT_FOLDER, ImportStore } from './io/import/store.ts';
import { writableFolder } from './io/output/tracked.ts';
import { type FileOutcome, ThemeWriter, wholeName } from './io/import/write.ts';
import { type Authored, readAuthored } from './pipeline.ts';
import { themeFile } from './scaffold/theme-file.ts';
import { THEME_FILE } from './theme/themes-folder.ts';
import { VALUE_LISTS, type ValueList } from './theme/field-rows.ts';
import type { Site } from './theme/site.ts';
import { REDIRECTS_FILE } from './theme/themes-folder.ts';

export interface ImportOptions {
  themesDir: string;
  cwd: string;
  source: ImportSource;
  /** Whether images that are refused are repaired, where that is possible. */
  convert: boolean;
  /** Whether nothing is fetched but the list, and nothing written. */
  dryRun: boolean;
  onProgress: (done: number, all: number) => void;
}

export interface ImportResult {
  plan: Plan;
  pages: number;
  /** By file, relative to the themes folder. */
  files: ReadonlyMap<string, FileOutcome>;
  images: { all: number; fetched: number; unchanged: number; retries: number };
  refused: readonly RefusedImage[];
  converted: readonly ConvertedImage[];
  /** How many paths of images at the source redirect to the images here, and how many cannot. */
  redirects: { written: number; refused: number };
  /** Themes of earlier imports that are not in the list any more. */
  gone: readonly { slug: string; id: number }[];
  /** Themes that were not imported: one of another origin is in their place. */
  clashes: readonly Clash[];
  /** Whether the list is empty: nothing was written. */
  isEmpty: boolean;
  /** Files `theme.yaml` that were changed here and at the service. */
  conflicts: ReadonlyMap<string, Conflict>;
  /** Whether themes are here, but not the folder in which imports remember what they wrote. */
  isRecordLost: boolean;
}

/** Images fetched at the same time. */
const CONCURRENCY = 4;

/** Imports the themes of another service: fetches, checks and writes what is new or has changed. */
export async function importThemes(options: ImportOptions): Promise<ImportResult> {
  const { themesDir, cwd, source, dryRun } = options;
  const here = await readAuthored({ themesDir, cwd }, await IncrementalCache.open(), () => undefined);
  const list = await readList(source.listUrl, (url) => source.page(url));
  if ('problem' in list) throw new ImportError(`${shownUrl(source.listUrl)} gives no list of themes. ${list.problem}`);
  const { records, pages } = list;
  const defaultId = await source.defaultId();
  const root = path.dirname(path.resolve(cwd, themesDir));
  const hasRecord = await isFolder(path.join(root, IMPORT_FOLDER));
  // A dry run makes no folder.
  const writes = !dryRun && records.length > 0;
  const known = (store: ImportStore | undefined, replaced: readonly string[]) =>
    knownOf(here, { defaultId, imageBase: source.imageBase, store, replaced });
  if (writes) {
    writableFolder(path.resolve(cwd, themesDir)); // before anything is written beside it
    await source.expectImages(imagesOf(planThemes(records, known(undefined, []))));
  }
  const store = !writes && !hasRecord ? undefined : await ImportStore.open(root);
  const isRecordLost = here.sources.length > 0 && store?.isEmpty !== false;
  const all = planThemes(records, known(store, []));
  const existing = await examineExisting(here.sources, all.themes, path.resolve(cwd, themesDir), store);
  const plan = withoutClashes(planThemes(records, known(store, existing.replaced)), existing);
  const result = {
    plan,
    pages,
    gone: goneThemes(here, all, store),
    clashes: existing.clashes,
    isEmpty: records.length === 0,
    files: new Map(),
    images: { all: imagesOf(plan).length, fetched: 0, unchanged: 0, retries: 0 },
    refused: [],
    converted: [],
    redirects: { written: 0, refused: 0 },
    conflicts: new Map(),
    isRecordLost,
  };
  if (!writes || store === undefined) return result;
  const decoders = new Decoders();
  try {
    return { ...result, ...(await importPlanned(plan, { here, existing }, store, decoders, options)) };
  } finally {
    decoders.close();
  }
}

interface KnownBefore {
  defaultId: number | undefined;
  imageBase: string;
  /** What earlier imports have written. */
  store: ImportStore | undefined;
  /** Folders that will be gone. */
  replaced: readonly string[];
}

function knownOf(
  { content, site, sources }: Authored,
  { defaultId, imageBase, store, replaced }: KnownBefore,
): Parameters<typeof planThemes>[1] {
  const withId = new Set(sources.flatMap(({ fields, slug }) => (fields.id === undefined ? [] : [slug])));
  // A theme.yaml that is deleted or broken has no id.
  const earlier = [...(store?.slugs ?? [])].filter(([, slug]) => content.files.has(slug) && !withId.has(slug));
  const here = sources.flatMap(({ fields, slug }) =>
    fields.id === undefined || replaced.includes(slug) ? [] : [[fields.id, slug] as const],
  );
  const slugs = [...earlier, ...here];
  // What a killed import has begun is its own again: `theme.yaml` comes last.
  const complete = new Set(content.themes.map(({ slug }) => slug));
  const isBegun = (slug: string, files: readonly string[]): boolean =>
    !complete.has(slug) && files.every((file) => store?.knowsFile(wholeName(`${slug}/${file}`)) === true);
  const taken = [...content.files].flatMap(([slug, files]) =>
    replaced.includes(slug) || isBegun(slug, files) ? [] : [slug],
  );
  const lists = Object.keys(VALUE_LISTS) as ValueList[];
  const accepted = Object.fromEntries(lists.map((name) => [name, site[name]])) as Record<ValueList, string[]>;
  return { slugs: new Map(slugs), taken: new Set(taken), accepted, defaultId, imageBase };
}

/** A theme is not written over one of another origin; two defaults are for people to sort out. */
function withoutClashes(plan: Plan, { clashes }: Existing): Plan {
  const ids = new Set(clashes.flatMap(({ id, isSameId }) => (isSameId ? [id] : [])));
  return { ...plan, themes: plan.themes.filter(({ id }) => !ids.has(id)) };
}

function goneThemes({ sources }: Authored, { themes }: Plan, store: ImportStore | undefined): ImportResult['gone'] {
  const ids = new Set(themes.map(({ id }) => id));
  return sources.flatMap(({ slug, fields: { id } }) =>
    id !== undefined && !ids.has(id) && store?.knowsFile(`${slug}/${THEME_FILE}`) === true ? [{ slug, id }] : [],
  );
}

/** The URLs of the images of a plan, each once. */
const imagesOf = ({ themes }: Plan): string[] => [...new Set(themes.flatMap(({ images }) => [...images.values()]))];

type Done = Pick<ImportResult, 'files' | 'images' | 'refused' | 'converted' | 'redirects' | 'conflicts'>;

async function importPlanned(
  plan: Plan,
  { here, existing }: { here: Authored; existing: Existing },
  store: ImportStore,
  decoders: Decoders,
  options: ImportOptions,
): Promise<Done> {
  const { source, onProgress, themesDir, cwd } = options;
  const urls = imagesOf(plan);
  let done = 0;
  let unchanged = 0;
  const fetched = await mapConcurrently(urls, CONCURRENCY, async (url) => {
    const got = await source.image(url, store, here.site.limits.picture_bytes);
    if ('sha256' in got && got.isUnchanged) unchanged++;
    onProgress(++done, urls.length);
    return [url, got] as const;
  });
  const { limits } = here.site;
  const checker = {
    fetched: new Map(fetched),
    limits,
    store,
    decoders,
    converts: options.convert,
    accepted: new Set<string>(),
  };
  await store.begin();
  const writer = new ThemeWriter(path.resolve(cwd, themesDir), store);
  for (const slug of existing.replaced) await writer.removeTheme(slug);
  const refused: RefusedImage[] = [];
  const converted: ConvertedImage[] = [];
  const moved = new Map<string, Redirect>();
  for (const theme of plan.themes) {
    const checked = await checkImages(theme, checker);
    refused.push(...checked.refused);
    converted.push(...checked.converted);
    // Of themes that share an image, the first one has it.
    for (const redirect of checked.moved) if (!moved.has(redirect.from)) moved.set(redirect.from, redirect);
    await writer.writeTheme(theme, themeFilesOf(theme, checked));
  }
  const redirects = await writeRedirects([...moved.values()], writer, here.site);
  await store.finish();
  const failed = fetched.filter(([, got]) => 'problem' in got).length;
  return {
    files: writer.outcomes,
    conflicts: writer.conflicts,
    images: { all: urls.length, fetched: urls.length - unchanged - failed, unchanged, retries: source.retries },
    refused,
    converted,
    redirects,
  };
}

/** Writes the redirects that every host can have. */
async function writeRedirects(
  moved: readonly Redirect[],
  writer: ThemeWriter,
  site: Site,
): Promise<ImportResult['redirects']> {
  const rules = edgeRules(site, [], '');
  const possible = moved.filter(({ from }) => oldPathProblem(from, rules) === undefined);
  if (possible.length > 0) await writer.writeFile(REDIRECTS_FILE, redirectsText(possible));
  return { written: possible.length, refused: moved.length - possible.length };
}

function themeFilesOf(
  { id, name, isDefault, settings, palette, refused: refusals }: PlannedTheme,
  { files, named, refused }: CheckedImages,
): Map<string, string | Buffer> {
  const absent = new Map(refusals.map(({ field, reason }) => [field, reason]));
  for (const { field, file, problem } of refused) {
    const reason = typeof problem === 'string' ? problem : problem.map(({ code }) => code).join(', ');
    absent.set(field, file === undefined ? `not fetched. ${reason}` : `refused (${reason}): ${file}`);
  }
  const images = new Map([...named].map(([field, value]) => [field, { value }]));
  const colours = palette?.map((colour) => ({ colour }));
  const text = themeFile({ id, name, isDefault, images, settings, palette: colours, absent });
  return new Map<string, string | Buffer>([...files, ['theme.yaml', text]]);
}
