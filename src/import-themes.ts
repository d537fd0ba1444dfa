import path from 'node:path';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { type ListPage, readPage } from './import/read-list.ts';
import { type Plan, type PlannedTheme, planThemes } from './import/plan-themes.ts';
import { mapConcurrently } from './io/concurrency.ts';
import { Decoders } from './io/decoder/pool.ts';
import { sha256Of } from './io/files.ts';
import { IncrementalCache } from './io/incremental-cache.ts';
import { ImportError } from './io/import/import-error.ts';
import { repairOf } from './io/import/convert.ts';
import { extensionOf, inspect } from './io/import/inspect.ts';
import type { ImportSource } from './io/import/source.ts';
import { ImportStore } from './io/import/store.ts';
import { type FileOutcome, ThemeWriter } from './io/import/write.ts';
import { type Authored, readAuthored } from './pipeline.ts';
import { themeFile } from './scaffold/theme-file.ts';
import type { NewImage } from './scaffold/theme-file.ts';
import type { AnyImageField } from './theme/fields.ts';
import { VALUE_LISTS, type ValueList } from './theme/field-rows.ts';

export interface ImportOptions {
  themesDir: string;
  cwd: string;
  source: ImportSource;
  /** Whether images that are refused are repaired, where that is possible. */
  convert: boolean;
  /** Whether nothing is fetched but the list, and nothing written. */
  dryRun: boolean;
  signal: AbortSignal;
  onProgress: (done: number, all: number) => void;
}

/** An image that could not be taken over. */
export interface RefusedImage {
  slug: string;
  field: AnyImageField;
  url: string;
  /** Where its bytes are, below the root; nothing if there are none. */
  file: string | undefined;
  /** A sentence; or the errors of the checks. */
  problem: string | readonly Diagnostic[];
  /** What `--convert` would do about it. */
  repair: string | undefined;
}

/** An image that was changed so that it is accepted. */
export interface ConvertedImage {
  file: string;
  what: string;
  before: string;
  after: string;
}

export interface ImportResult {
  plan: Plan;
  pages: number;
  /** By file, relative to the themes folder. */
  files: ReadonlyMap<string, FileOutcome>;
  images: { all: number; fetched: number; unchanged: number; retries: number };
  refused: readonly RefusedImage[];
  converted: readonly ConvertedImage[];
  /** Slugs of themes that are here and not in the list any more. */
  gone: readonly string[];
}

/** Images fetched at the same time. */
const CONCURRENCY = 4;
const MAX_PAGES = 1000;

/** Imports the themes of another service: fetches, checks and writes what is new or has changed. */
export async function importThemes(options: ImportOptions): Promise<ImportResult> {
  const { themesDir, cwd, source, dryRun } = options;
  const here = await readAuthored({ themesDir, cwd }, await IncrementalCache.open(), () => undefined);
  const { records, pages } = await readWholeList(source);
  const plan = planThemes(records, knownOf(here, await source.defaultId()));
  const ids = new Set(plan.themes.map(({ id }) => id));
  const known = here.sources.flatMap(({ fields, slug }) =>
    fields.id === undefined || ids.has(fields.id) ? [] : [slug],
  );
  const nothing = { all: countImages(plan), fetched: 0, unchanged: 0, retries: 0 };
  const result = { plan, pages, gone: known, files: new Map(), images: nothing, refused: [], converted: [] };
  if (dryRun) return result;
  const store = await ImportStore.open(path.dirname(path.resolve(cwd, themesDir)));
  const decoders = new Decoders();
  try {
    return { ...result, ...(await importPlanned(plan, here, store, decoders, options)) };
  } finally {
    decoders.close();
  }
}

function knownOf(
  { content, site, sources }: Authored,
  defaultId: number | undefined,
): Parameters<typeof planThemes>[1] {
  const slugs = sources.flatMap(({ fields, slug }) => (fields.id === undefined ? [] : [[fields.id, slug] as const]));
  const lists = Object.keys(VALUE_LISTS) as ValueList[];
  const accepted = Object.fromEntries(lists.map((name) => [name, site[name]])) as Record<ValueList, string[]>;
  return { slugs: new Map(slugs), taken: new Set(content.files.keys()), accepted, defaultId };
}

async function readWholeList(source: ImportSource): Promise<{ records: unknown[]; pages: number }> {
  const records: unknown[] = [];
  const seen = new Set<string>();
  let page: ListPage | undefined;
  let next: string | undefined = source.listUrl;
  while (next !== undefined) {
    if (seen.has(next))
      throw new ImportError('The pages of the list form a cycle: one names an earlier one as the next.');
    if (seen.size === MAX_PAGES) throw new ImportError(`The list has more than ${MAX_PAGES} pages.`);
    seen.add(next);
    page = readPage(await source.list(next));
    if (page === undefined) throw new ImportError('The response is JSON, but no list of themes.');
    for (const record of page.records) records.push(record);
    next = page.next;
  }
  if (page?.count !== undefined && page.count !== records.length)
    throw new ImportError(
      `The pages hold ${records.length} themes, but say that there are ${page.count}. Run the command again.`,
    );
  return { records, pages: seen.size };
}

const countImages = ({ themes }: Plan): number => new Set(themes.flatMap(({ images }) => [...images.values()])).size;

type Done = Pick<ImportResult, 'files' | 'images' | 'refused' | 'converted'>;

async function importPlanned(
  plan: Plan,
  here: Authored,
  store: ImportStore,
  decoders: Decoders,
  options: ImportOptions,
): Promise<Done> {
  const { source, onProgress, themesDir, cwd } = options;
  const urls = [...new Set(plan.themes.flatMap(({ images }) => [...images.values()]))];
  let done = 0;
  let unchanged = 0;
  const fetched = await mapConcurrently(urls, CONCURRENCY, async (url) => {
    const got = await source.image(url, store, here.site.limits.picture_bytes);
    if ('bytes' in got && got.isUnchanged) unchanged++;
    onProgress(++done, urls.length);
    return [url, got] as const;
  });
  const images = new Map(fetched);
  await store.begin();
  const writer = new ThemeWriter(path.resolve(cwd, themesDir), store);
  const refused: RefusedImage[] = [];
  const converted: ConvertedImage[] = [];
  for (const theme of plan.themes) {
    const checked = await checkImages(theme, images, here, store, decoders, options.convert);
    refused.push(...checked.refused);
    converted.push(...checked.converted);
    await writer.writeTheme(theme.slug, themeFilesOf(theme, checked));
  }
  await store.finish();
  const failed = fetched.filter(([, got]) => 'problem' in got).length;
  return {
    files: writer.outcomes,
    images: { all: urls.length, fetched: urls.length - unchanged - failed, unchanged, retries: source.retries },
    refused,
    converted,
  };
}

/** The accepted images of a theme by field, each with its file. */
interface CheckedImages {
  files: Map<string, Buffer>;
  named: Map<AnyImageField, NewImage>;
  absent: Map<string, string>;
  refused: RefusedImage[];
  converted: ConvertedImage[];
}

async function checkImages(
  { slug, images, refused: refusals }: PlannedTheme,
  fetched: ReadonlyMap<string, Awaited<ReturnType<ImportSource['image']>>>,
  { site }: Authored,
  store: ImportStore,
  decoders: Decoders,
  converts: boolean,
): Promise<CheckedImages> {
  const checked: CheckedImages = {
    files: new Map(),
    named: new Map(),
    absent: new Map(refusals.map(({ field, reason }) => [field, reason])),
    refused: [],
    converted: [],
  };
  const byContent = new Map<string, string>();
  for (const [field, url] of images) {
    const got = fetched.get(url);
    const refuse = (problem: RefusedImage['problem'], file?: string, repair?: string): void => {
      checked.refused.push({ slug, field, url, file, problem, repair });
      const reason = typeof problem === 'string' ? problem : problem.map(({ code }) => code).join(', ');
      checked.absent.set(field, file === undefined ? `not fetched. ${reason}` : `refused (${reason}): ${file}`);
    };
    if (got === undefined || 'problem' in got) {
      refuse(got?.problem ?? 'It was not fetched.');
      continue;
    }
    let { bytes } = got;
    const nameOf = (content: Buffer): string => `${baseName(field)}.${extensionOf(content)}`;
    const found = await inspect(bytes, `themes/${slug}/${nameOf(bytes)}`, field, site.limits, decoders);
    if ('refused' in found) {
      const codes = found.refused.map(({ code }) => code);
      const repair = repairOf(codes, bytes, site.limits, decoders);
      const repaired = converts ? await repair?.make(bytes) : undefined;
      const isRepaired =
        repaired !== undefined && 'format' in (await inspect(repaired, nameOf(repaired), field, site.limits, decoders));
      if (!isRepaired || repair === undefined) {
        const file = await store.quarantine(slug, nameOf(bytes), bytes);
        refuse(found.refused, file, converts ? undefined : repair?.what);
        continue;
      }
      const hashes = { before: sha256Of(bytes), after: sha256Of(repaired) };
      checked.converted.push({ file: `${slug}/${nameOf(repaired)}`, what: repair.what, ...hashes });
      bytes = repaired;
    }
    const sha256 = sha256Of(bytes);
    // Fields with the same image share its file.
    const name = byContent.get(sha256) ?? nameOf(bytes);
    byContent.set(sha256, name);
    checked.files.set(name, bytes);
    checked.named.set(field, { value: name });
  }
  return checked;
}

/** `group-banner` for `default_group_banner`. */
function baseName(field: AnyImageField): string {
  return field.replace(/^default_/, '').replaceAll('_', '-');
}

function themeFilesOf(
  { id, name, isDefault, settings, palette }: PlannedTheme,
  { files, named, absent }: CheckedImages,
): Map<string, string | Buffer> {
  const colours = palette?.map((colour) => ({ colour }));
  const text = themeFile({ id, name, isDefault, images: named, settings, palette: colours, absent });
  return new Map<string, string | Buffer>([...files, ['theme.yaml', text]]);
}
