import type { CheckOptions, CheckResult } from './api.ts';
import type { Diagnostics, Location, Report } from './diagnostics/diagnostic.ts';
import { PAGE_STYLE_HASH } from './document/browsable-page.ts';
import { edgeOutput } from './hosts/registry.ts';
import { Cache } from './io/images/cache.ts';
import { type Content, discover, displayPath } from './io/themes/discover.ts';
import { isFolder } from './io/files.ts';
import { idsBefore } from './io/output/previous-ids.ts';
import type { Memory } from './io/images/incremental-cache.ts';
import { probeImages } from './io/images/probe.ts';
import type { PublicationOptions } from './io/output/publish.ts';
import { readRuntime } from './io/runtime.ts';
import { reportUnused } from './io/themes/unused.ts';
import { readAssignments, type ShardOptions } from './io/users/read-assignments.ts';
import type { Users } from './io/users/read-users.ts';
import { edgeRules } from './hosts/contract.ts';
import { keyCount } from './users/mapping.ts';
import { parseYaml } from './source/yaml.ts';
import { type Renamed, renamedThemes } from './theme/renamed.ts';
import { resolveThemes, type Theme } from './theme/resolve.ts';
import { type Site, validateSite } from './theme/site.ts';
import { type ThemeSource, validateTheme } from './theme/validate.ts';

/** Opens the cache; where there are no themes, one that is removed again. */
export async function openCache({ themesDir, cacheDir }: CheckOptions): Promise<Cache> {
  return Cache.open((await isFolder(themesDir)) ? cacheDir : undefined);
}

/** What a check finds, and what it read. */
export async function checkThemes(
  options: CheckOptions,
  cache: Cache,
  memory: Memory,
  report: Report,
): Promise<ReadThemes & { given: Given }> {
  const read = await readThemes(options, cache, memory, report);
  const { content, rules } = read;
  const files = [...content.users.rows, ...content.users.lists.values()];
  const parts = [
    ...files.flatMap(({ file, path }) => [file, memory.stampOf(path)]),
    options.users === undefined ? '' : undefined,
    content.users.yaml?.text ?? '',
    content.site?.text ?? '',
    JSON.stringify([rules, [...content.pictures.keys()]]),
  ];
  const given = await memory.recall('users', parts, report, async (found) => {
    const { users } = await assign(options, read, found);
    users.close();
    return { users: keyCount(users.mapping), countsByTheme: users.countsByTheme };
  });
  return { ...read, given };
}

/** How many keys are given a theme: those that hosts must know, and all of each theme. */
type Given = { users: number } & Pick<Users, 'countsByTheme'>;

export type ReadThemes = Awaited<ReturnType<typeof readThemes>>;

/** The themes with their images, checked without decoding them. */
export async function readThemes(options: CheckOptions, cache: Cache, memory: Memory, report: Report) {
  const authored = await readAuthored(options, memory, report);
  const { content, site, themes } = authored;
  const { images, texts } = await probeImages(themes, content, { limits: site.limits, cache, memory }, report);
  reportUnused(content, themes, images, report);
  return { ...authored, images, texts, rules: edgeRules(site, themes, PAGE_STYLE_HASH) };
}

export type Assignments = Awaited<ReturnType<typeof assign>>;

/** Who gets which theme, and the files by which hosts know it. */
export async function assign(
  options: CheckOptions & Partial<ShardOptions> & Pick<PublicationOptions, 'releases'>,
  read: ReadThemes,
  report: Report,
) {
  const { content, site, locations, themes, rules, renamed } = read;
  const runtime = await readRuntime();
  const users = await readAssignments({ ...options, renamed }, content, site, themes, report);
  try {
    const input = { rules, mapping: users.mapping, runtime, report, releases: options.releases };
    return { users, ...edgeOutput(site.edge, input, users.assigned, locations) };
  } catch (error) {
    users.close();
    throw error;
  }
}

/** What editors wrote of the site and the themes, checked. */
export async function readAuthored(options: CheckOptions, memory: Memory, report: Report): Promise<Authored> {
  const content = await discover(options.themesDir, memory, report);
  const { site, locations } = readSite(content, options.baseUrl, report);
  const sources = await Promise.all(
    content.themes.map(({ slug, file, text }) =>
      memory.recall(`theme ${slug}`, [text, content.site?.text ?? ''], report, async (found) => {
        const document = parseYaml(file, text, found);
        return document === undefined ? undefined : validateTheme(slug, document, site, found);
      }),
    ),
  );
  const valid = sources.filter((source) => source !== undefined);
  const folders = new Set(content.pictures.keys());
  const before = options.outDir === undefined ? new Map<string, number>() : await idsBefore(options.outDir, folders);
  const renamed = renamedThemes(before, valid);
  const themes = resolveThemes(valid, folders, site, report, renamed);
  return { content, site, locations, sources: valid, themes, renamed };
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
  /** The themes that could be read, each as its own file has it. */
  sources: readonly ThemeSource[];
  themes: Theme[];
  /** What some themes were called before. */
  renamed: Renamed;
}

function readSite(
  { themesDir, site, siteMissing }: Content,
  baseUrl: string | undefined,
  report: Report,
): Pick<Authored, 'site' | 'locations'> {
  const document = site && parseYaml(site.file, site.text, report);
  const place = { file: displayPath(`${themesDir}/site.yaml`) };
  return {
    site: validateSite(document, siteMissing ? place : undefined, baseUrl, report),
    locations: {
      edge: document?.valueAt(['edge']) ?? place,
      identity: (rule) => document?.valueAt(['identity', rule]) ?? place,
      ruleAt: (rule) => (document?.data['identity'] === undefined ? undefined : document.valueAt(['identity', rule])),
    },
  };
}

/** What is known once the stages so far have reported. */
export function outcome(
  { content, themes, texts: svgs }: Pick<ReadThemes, 'content' | 'themes' | 'texts'>,
  users: number,
  diagnostics: Diagnostics,
  { strict = false }: Pick<CheckOptions, 'strict'>,
): CheckResult {
  // Without the files of users: their keys are personal data, and a code frame would show them in the log of a build.
  const texts = [content.site, ...content.themes].filter((source) => source !== undefined);
  const { sorted } = diagnostics;
  return {
    diagnostics: sorted,
    ok: !diagnostics.hasErrors && !(strict && sorted.length > 0),
    texts: new Map([...svgs, ...texts.map(({ file, text }) => [file, text] as const)]),
    themes,
    users,
  };
}
