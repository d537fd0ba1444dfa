import path from 'node:path';
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts';
import { count, shownUrl } from '../../../core/diagnostics/quote.ts';
import { edgeRules } from '../../../hosts/contract/contract.ts';
import { comparedPath, oldPathProblem, type Redirect, redirectsText } from '../../../hosts/contract/redirects.ts';
import { readList } from '../../../system/http/read-list.ts';
import { type ImportPlan, type PlannedTheme, planThemes } from '../plan-themes.ts';
import { mapConcurrently } from '../../../system/disk/concurrency.ts';
import type { Decoders } from '../../../system/decoder/pool.ts';
import { acquireDecoders } from '../../../system/decoder/shared.ts';
import { refuseUncommitted } from './uncommitted.ts';
import { UsageError } from '../../../system/command-line/command.ts';
import { type CheckedImages, checkImages, type RefusedImage } from './check-images.ts';
import type { ServiceSource } from './source.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';
import { type FileOutcome, type NewContent, writeFiles } from './write.ts';
import type { LinkedThemes } from '../../../compiler/model.ts';
import { readAllThemes } from '../../../compiler/read-themes.ts';
import { Cache } from '../../../compiler/store/cache.ts';
import { themeFile } from '../../../core/theme/theme-file.ts';
import { REDIRECTS_FILE, THEME_FILE } from '../../../core/theme/themes-folder.ts';
import { VALUE_LISTS, type ValueList } from '../../../core/theme/fields/field-rows.ts';
import type { Site } from '../../../core/theme/site/site.ts';

export interface ImportOptions {
  themesDir: string;
  cwd: string;
  source: ServiceSource;
  onProgress: (text: string) => void;
  /** The command line of this import, to go on from. */
  call: string;
  pageParameter?: string | undefined;
  /** The number of themes at the service. */
  expected?: number | undefined;
}

export interface ImportResult {
  plan: ImportPlan;
  pages: number;
  /** By file, relative to the themes folder. */
  files: ReadonlyMap<string, FileOutcome>;
  images: { all: number; failed: number };
  refused: readonly RefusedImage[];
  /** How many paths of images at the source are redirected, and how many cannot be. */
  redirects: { written: number; refused: number };
  /** Themes that the list no longer contains. */
  missing: readonly { slug: string; id: number }[];
}

const CONCURRENCY = 4;

/** Imports the themes of another service: fetches and checks all of them, then writes new and changed files. */
export async function importThemes(options: ImportOptions): Promise<ImportResult> {
  const { cwd, source, onProgress } = options;
  const themesDir = path.resolve(cwd, options.themesDir);
  const linked = await readAllThemes({ themesDir: options.themesDir, cwd });
  const { site } = linked.settings;
  const hasThemes = linked.sources.length > 0;
  await refuseUncommitted(themesDir, hasThemes); // before the first request
  let pages = 0;
  const { pageParameter, expected } = options;
  const list = await readList(
    source.listUrl,
    async (url, mayBeMissing) => {
      onProgress(`reading page ${++pages} of the list`);
      return source.page(url, mayBeMissing);
    },
    { pageParameter, expected, probes: true },
  );
  if ('problem' in list)
    throw new UsageError(
      list.isUncertain
        ? `${shownUrl(source.listUrl)}: ${list.problem} ${howToGoOn(options)}`
        : `${shownUrl(source.listUrl)} returns no list of themes. ${list.problem}`,
    );
  pages = list.pages;
  const { records } = list;
  if (records.length === 0)
    throw new UsageError('The list is empty. Check the URL, and that the credentials show all themes.');
  const plan = planThemes(records, repositoryState(linked, await source.defaultId(), source.listUrl));
  const [first] = plan.unusable;
  if (plan.themes.length === 0 && first !== undefined)
    throw new UsageError(
      `${shownUrl(source.listUrl)} has ${count(records.length, 'entry', 'entries')}, and none is a theme: ${first.reason} Nothing was written.`,
    );
  const ids = new Set(plan.themes.map(({ id }) => id));
  const missing = linked.sources.flatMap(({ slug, fields: { id } }) =>
    id === undefined || ids.has(id) ? [] : [{ slug, id }],
  );
  writableFolder(themesDir); // fails before images are fetched
  const { decoders, release } = acquireDecoders();
  // On the disk, because all images of a service may not fit into the memory.
  const fetched = await Cache.open(undefined);
  try {
    const { files, ...outcome } = await fetchThemes(plan, site, fetched, decoders, options);
    // Checked again, because someone may edit while images are fetched.
    await refuseUncommitted(themesDir, hasThemes);
    const outcomes = await writeFiles(themesDir, files, (sha256) => fetched.read(sha256, site.limits.picture_bytes));
    return { plan, pages, missing, files: outcomes, ...outcome };
  } finally {
    release();
    await fetched.close();
  }
}

/** Returns the two commands that settle whether a list is complete. */
function howToGoOn({ call, expected }: ImportOptions): string {
  const read = `\`${call} --page-parameter page\` reads pages until one adds no theme`;
  if (expected !== undefined) return `${read}; \`--expect\` is the number of themes.`;
  return `${read}. If you know how many themes there are, 12 for example: \`${call} --expect 12\`. Nothing was written.`;
}

function repositoryState(
  { compiled, settings: { site }, sources }: LinkedThemes,
  defaultId: number | undefined,
  imageBase: string,
): Parameters<typeof planThemes>[1] {
  const lists = Object.keys(VALUE_LISTS) as ValueList[];
  const accepted = Object.fromEntries(lists.map((name) => [name, site[name]])) as Record<ValueList, string[]>;
  const slugs = sources.flatMap(({ fields, slug }) => (fields.id === undefined ? [] : [[fields.id, slug] as const]));
  // A folder without theme.yaml is free: a killed import may have left it.
  return {
    slugs: new Map(slugs),
    taken: new Set([...compiled.values()].flatMap(({ slug, file }) => (file === undefined ? [] : [slug]))),
    accepted,
    defaultId,
    imageBase,
  };
}

/** Returns the URLs of the images of a plan, each once. */
const imagesOf = ({ themes }: ImportPlan): string[] => [
  ...new Set(themes.flatMap(({ images }) => [...images.values()])),
];

/** Fetches and checks the new content of all files. @returns the files below the themes folder, and numbers for the report */
async function fetchThemes(
  plan: ImportPlan,
  site: Site,
  fetched: Cache,
  decoders: Decoders,
  { source, onProgress }: ImportOptions,
) {
  const urls = imagesOf(plan);
  let done = 0;
  const results = await mapConcurrently(urls, CONCURRENCY, async (url) => {
    const image = await source.image(url, site.limits.picture_bytes);
    onProgress(`${++done} of ${urls.length} images`);
    return [url, 'bytes' in image ? { sha256: await fetched.add(image.bytes) } : image] as const;
  });
  const { limits } = site;
  const accepted = new Set<string>();
  const checker = { results: new Map(results), limits, fetched, decoders, accepted };
  const files = new Map<string, NewContent>();
  const refused: RefusedImage[] = [];
  const redirects = new Map<string, Redirect>();
  for (const theme of plan.themes) {
    const images = await checkImages(theme, checker);
    refused.push(...images.refused);
    // If themes share an image, its path leads to the first theme.
    for (const redirect of images.redirects) {
      const path = comparedPath(redirect.from);
      if (!redirects.has(path)) redirects.set(path, redirect);
    }
    for (const [name, sha256] of images.files) files.set(`${theme.slug}/${name}`, { sha256 });
    // Written last, so that it never refers to a missing file.
    files.set(`${theme.slug}/${THEME_FILE}`, { text: themeText(theme, images) });
  }
  const rules = edgeRules(site, [], '');
  const possible = [...redirects.values()].filter(({ from }) => oldPathProblem(from, rules) === undefined);
  if (possible.length > 0) files.set(REDIRECTS_FILE, { text: redirectsText(possible) });
  const failed = results.filter(([, image]) => 'problem' in image).length;
  return {
    files,
    refused,
    images: { all: urls.length, failed },
    redirects: { written: possible.length, refused: redirects.size - possible.length },
  };
}

function themeText(
  { id, name, isDefault, settings, asText, palette, refused: refusals }: PlannedTheme,
  { names, refused }: CheckedImages,
): string {
  const absent = new Map(refusals.map(({ field, reason }) => [field, reason]));
  for (const { field, url, problem } of refused) {
    const reason = typeof problem === 'string' ? `not fetched. ${problem}` : `refused (${codesOf(problem)})`;
    absent.set(field, `${reason}: ${shownUrl(url)}`);
  }
  const notes = new Map([...asText].map((field) => [field, 'text at the service']));
  return themeFile({ id, name, isDefault, images: names, settings, notes, palette, absent });
}

const codesOf = (problem: readonly Diagnostic[]): string => problem.map(({ code }) => code).join(', ');
