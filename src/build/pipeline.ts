import type { CheckOptions } from './api.ts';
import { catalogue } from '../diagnostics/catalogue.ts';
import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { adviseUnshown } from '../document/logo-advice.ts';
import type { ImageUrls } from '../document/record.ts';
import { reportUnused } from '../image/unused.ts';
import type { AheadOptions } from '../io/images/ahead.ts';
import { IncrementalCache } from '../io/incremental/incremental-cache.ts';
import { edgeOutput } from '../hosts/edge-output.ts';
import { type Content, discover, readText } from '../io/themes/discover.ts';
import { newestLast } from '../io/themes/newest-last.ts';
import { reportStaleSchemas } from '../io/themes/stale-schemas.ts';
import { pageStyleHash, readHostTemplates, readRuntime } from '../io/runtime.ts';
import { type AssignmentOptions, readAssignments, type ShardOptions } from '../io/users/read-assignments.ts';
import type { Users } from '../io/users/read-users.ts';
import { type EdgeRules, edgeRules } from '../hosts/contract.ts';
import { parseRedirects, type LocatedRedirect, withRedirects } from '../hosts/redirects.ts';
import { keyCount } from '../users/mapping.ts';
import { parseYaml, type SourceDocument } from '../source/yaml.ts';
import type { Run } from './resources.ts';
import { VALUE_LISTS, type ValueList } from '../theme/field-rows.ts';
import { checkHostnames } from '../theme/hostnames.ts';
import { resolveThemes, type Theme } from '../theme/resolve.ts';
import { type Site, validateSite } from '../theme/site.ts';
import type { ThemeSource } from '../theme/theme-source.ts';
import { validateTheme } from '../theme/validate.ts';

/** Where the themes are, and what overrides their settings. */
export type ThemesOptions = Pick<CheckOptions, 'themesDir' | 'baseUrl'> & { cwd: string };

/** How many keys are given a theme: those that hosts must know, and all of each theme. */
type UserCounts = { users: number } & Pick<Users, 'countsByTheme'>;

/** Every check that does not need decoding. */
export async function checkThemes(
  options: ThemesOptions & AssignmentOptions,
  { incremental, ...run }: Run,
  decoding?: Decoding,
): Promise<ReadThemes & { given: UserCounts }> {
  const read = await readThemes(options, { incremental, ...run }, decoding);
  const { content, rules } = read;
  const parts = [
    // Not by content: there may be gigabytes of them.
    ...content.users.flatMap(({ file, path }) => [file, incremental.files.identityOf(path)]),
    options.users === undefined ? '' : undefined,
    content.site?.text ?? '',
    JSON.stringify([rules, [...content.files.keys()]]),
  ];
  const given = await incremental.memoize(
    IncrementalCache.local('users'),
    parts,
    run.diagnostics.report,
    async (report) => {
      const { users } = await assign(read, { users: options.users }, report);
      users.close();
      return { users: keyCount(users.mapping), countsByTheme: users.countsByTheme };
    },
  );
  return { ...read, given };
}

/** How images are decoded that are read for the first time. */
type Decoding = Pick<AheadOptions, 'onProgress' | 'stage'>;

export type ReadThemes = Awaited<ReturnType<typeof readThemes>>;

/**
 * The themes with their images, checked without decoding them.
 * @param decoding - without it, no image is decoded
 */
export async function readThemes(options: ThemesOptions, run: Run, decoding?: Decoding) {
  const { cache, incremental, diagnostics } = run;
  const { report } = diagnostics;
  const authored = await readAuthored(options, incremental, report);
  const { content, site, themes } = authored;
  const rules = edgeRules(site, themes, pageStyleHash());
  const redirects = readRedirects(authored, rules, incremental, report);
  // Not with the other stages: `who` and `schema` look into no image.
  const { probeImages } = await import('../io/images/probe.ts');
  const how = { limits: site.limits, cache, incremental };
  const ahead = decoding && (await (await import('../io/images/ahead.ts')).Ahead.of({ ...run, ...how, ...decoding }));
  const images = await probeImages(themes, content, { ...how, ahead }, report);
  reportUnused(content.themes, content, themes, images, report);
  adviseUnshown(themes, report);
  return { ...authored, images, ahead, redirects, rules: withRedirects(rules, redirects) };
}

/** Maximum size of `redirects.csv`: 100,000 lines. */
const MAX_REDIRECTS_BYTES = 16 * 1024 * 1024;

function readRedirects(
  { content, themes }: Authored,
  rules: EdgeRules,
  { files }: IncrementalCache,
  report: Report,
): LocatedRedirect[] {
  if (content.redirects === undefined) return [];
  const text = readText(content.redirects, files, report, MAX_REDIRECTS_BYTES)?.text();
  if (text === undefined) return [];
  const slugs = new Set(content.files.keys());
  return parseRedirects(content.redirects.file, text, { rules, themes, slugs }, report);
}

export type UrlsByTheme = ReadonlyMap<string, ImageUrls>;

/** The warnings about files that are written again are those of the files before. */
function errorsOnly(report: Report): Report {
  return (code, location, args) => {
    if (catalogue[code].severity === 'error') report(code, location, args);
  };
}

export type Assignments = Awaited<ReturnType<typeof assign>>;

/** Who gets which theme, and the files by which hosts know it. */
export async function assign(
  { content, site, locations, themes, rules, redirects }: ReadThemes,
  options: Pick<AssignmentOptions, 'users'> & Partial<ShardOptions>,
  report: Report,
) {
  const runtime = await readRuntime();
  const whereIs = (path: string) =>
    redirects.find(({ from }) => from === path)?.location ?? { file: content.redirects?.file ?? '' };
  const places = { ...locations, redirects: whereIs };
  const users = await readAssignments(options, content, site, themes, report);
  try {
    const templates = await readHostTemplates(site.edge);
    const input = { rules, mapping: users.mapping, runtime, templates, report };
    const write = (given: typeof input) => edgeOutput(site.edge, given, users.assigned, places);
    return {
      users,
      ...(await write(input)),
      /** The files again, with the redirects to images as they are published. */
      redirected: (urls: UrlsByTheme, report: Report) =>
        write({ ...input, rules: withRedirects(rules, redirects, urls), report: errorsOnly(report) }),
    };
  } catch (error) {
    users.close();
    throw error;
  }
}

/** The content of the themes folder, checked field by field. */
export async function readAuthored(
  { themesDir, cwd, baseUrl }: ThemesOptions,
  incremental: IncrementalCache,
  report: Report,
): Promise<Authored> {
  const { files } = incremental;
  const content = await discover(themesDir, cwd, incremental, report);
  const { site, locations, document } = readSite(content, baseUrl, report);
  const choices = Object.keys(VALUE_LISTS).map((name) => site[name as ValueList]);
  await reportStaleSchemas(content, site, incremental, report);
  const valid: ThemeSource[] = [];
  for (const { slug, ...found } of content.themes) {
    const source = readText(found, files, report);
    if (source === undefined) continue;
    const parts = [found.file, source.sha256, choices];
    const theme = await incremental.memoize(`theme ${slug}`, parts, report, (within) => {
      const text = source.text(within);
      const document = text === undefined ? undefined : parseYaml(found.file, text, within);
      return document === undefined ? undefined : validateTheme(slug, document, site, within);
    });
    if (theme !== undefined) valid.push(theme);
  }
  const folders = new Set(content.files.keys());
  const themes = resolveThemes(await newestLast(valid, themesDir), folders, site, report);
  if (document !== undefined) checkHostnames(document, [...folders], report);
  return { content, site, locations, sources: valid, themes };
}

export interface Authored {
  content: Content;
  site: Site;
  /** Where site.yaml names the hosts, and each rule of identity; `ruleAt`: nothing for a rule that is the default. */
  locations: {
    edge: Location;
    identity: (rule: number) => Location;
    ruleAt: (rule: number) => Location | undefined;
  };
  /** The valid theme sources, each as its own file has it. */
  sources: readonly ThemeSource[];
  themes: Theme[];
}

function readSite(
  { display, site, siteMissing }: Content,
  baseUrl: string | undefined,
  report: Report,
): Pick<Authored, 'site' | 'locations'> & { document: SourceDocument | undefined } {
  const document = site && parseYaml(site.file, site.text, report);
  const place = { file: display('site.yaml') };
  return {
    document,
    site: validateSite(document, siteMissing ? place : undefined, baseUrl, report),
    locations: {
      edge: document?.valueAt(['edge']) ?? place,
      identity: (rule) => document?.valueAt(['identity', rule]) ?? place,
      ruleAt: (rule) => (document?.data['identity'] === undefined ? undefined : document.valueAt(['identity', rule])),
    },
  };
}
