import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { defineCommand, UsageError, type ValuesOf } from '../../system/command-line/command.ts';
import { FLAGS } from '../../system/command-line/flags.ts';
import { shellWord } from '../../system/command-line/invocation.ts';
import { repeatedFlags } from '../../system/command-line/site-root.ts';
import { didYouMean, suggest } from '../../core/diagnostics/suggest.ts';
import { count, quote, visible, visibleLines } from '../../core/diagnostics/quote.ts';
import type { Place } from './io/place.ts';
import type { FileState } from './io/write-new.ts';
import type { ExistingThemes, Repository } from './repository.ts';
import { isPublicUrl, PUBLIC_URL } from '../../core/theme/site/public-url.ts';
import type { ImageSetField } from '../../core/theme/fields/fields.ts';
import type { EdgeHost, Site } from '../../core/theme/site/site.ts';

const flags = {
  name: { type: 'string', value: 'NAME', about: 'Name of the site and of its first theme (My community)' },
  'base-url': { type: 'string', value: 'URL', about: 'Where the service is published' },
  host: { type: 'string', value: 'HOST', multiple: true, about: 'A host to write rewrite rules for; may be repeated' },
  ci: { type: 'string', value: 'HOST', about: 'Workflows for github, gitlab or none (default: by the Git remote)' },
  schemas: { type: 'boolean', about: 'Write the JSON schemas for editors again, and nothing else' },
  themes: { ...FLAGS.themes, about: 'With --schemas: the folder of the themes' },
  cms: { type: 'boolean', about: 'Also write admin/, a page for editing the themes in forms, as pull requests' },
  quiet: { ...FLAGS.quiet, about: 'Print errors only' },
} as const;
type InitFlags = ValuesOf<typeof flags>;
type Answers = Pick<Repository, 'name' | 'baseUrl' | 'hosts' | 'ci'>;

const CI_CHOICES = ['github', 'gitlab', 'none'];
/** The placeholder for the address of a new site. */
const EXAMPLE_URL = 'https://community.example.org';

export const command = defineCommand({
  examples: ["init --name 'Our community'", 'init --schemas'],
  argument: '[DIR]',
  flags,
  details:
    'DIR is the folder to write to, by default this one. Existing files are never changed, except the schemas by --schemas.\n\nRun `themecast init --schemas` after an update, and after changing a list of values in site.yaml: `check` warns when a schema is out of date.',
  async run(values, argument) {
    if (values.schemas)
      return writeSchemas(argument === '' ? values.themes : join(argument, FLAGS.themes.default), values.quiet);
    if (repeatedFlags({ themes: values.themes }).length > 0)
      throw new UsageError('--themes goes with --schemas: `init` writes the folder themes/ in DIR.');
    const { EDGE_HOSTS } = await import('../../core/theme/site/site.ts');
    const { findPlace } = await import('./io/place.ts');
    const { initFiles } = await import('./repository.ts');
    const { ownVersion } = await import('./io/package-files.ts');
    const { readTemplates } = await import('./io/templates.ts');
    const { writeNew } = await import('./io/write-new.ts');
    const place = await findPlace(resolve(argument));
    const answers = answersOf(values, place, EDGE_HOSTS);
    const existing = await existingThemes(place);
    const repository = { ...answers, version: ownVersion(), templates: readTemplates() };
    const cms = values.cms ? await filesOfCms(place, existing) : [];
    const states = await writeNew(place.folder, new Map([...initFiles(repository, existing), ...cms]));
    const hasSiteFlags = [values.name, values['base-url'], ...values.host].some((value) => value !== undefined);
    if (!values.quiet) {
      const lines = [
        ...fileLines(states, place),
        '',
        summary(states),
        ...remarks(states, answers, place, existing, hasSiteFlags),
        '',
        ...nextSteps(place, states, repository.version),
      ];
      process.stdout.write(visibleLines(`${lines.join('\n')}\n`));
    }
    return 0;
  },
});

/** Writes the JSON schemas with which editors complete and check the YAML files. @returns the exit code */
async function writeSchemas(themesDir: string, isQuiet: boolean): Promise<number> {
  const { readValidSite } = await import('../../compiler/read-themes.ts');
  const { editorSchemas } = await import('../../core/theme/json-schema.ts');
  const { writeSchemaFiles } = await import('./io/schemas.ts');
  const linked = await readValidSite(themesDir, 'The schemas contain values of site.yaml: fix it first.');
  if (linked === undefined) return 1;
  const files = await writeSchemaFiles(themesDir, editorSchemas(linked.settings.site));
  const text = files.length === 0 ? '✔ The schemas are up to date\n' : `✔ Written: ${files.join(', ')}\n`;
  if (!isQuiet) process.stdout.write(visibleLines(text));
  return 0;
}

/** Derives the settings of the repository from the flags, or else the Git remote. @throws {UsageError} */
function answersOf(
  { name, 'base-url': baseUrl = EXAMPLE_URL, host, ci }: InitFlags,
  place: Place,
  allHosts: readonly string[],
): Answers {
  if (ci !== undefined) checkChoice('ci', ci, CI_CHOICES);
  for (const name of host) checkChoice('host', name, allHosts);
  const isName = name === undefined || (name.length <= 100 && name.trim() === name && visible(name) === name);
  if (!isName)
    throw new UsageError('--name: A name is one line of at most 100 characters, without spaces at its ends.');
  if (!isPublicUrl(baseUrl)) throw new UsageError(`--base-url: It must be ${PUBLIC_URL}, not ${quote(baseUrl)}.`);
  return {
    name: name ?? 'My community',
    baseUrl,
    hosts: host.length === 0 ? ['nginx'] : (host as readonly EdgeHost[]),
    ci: place.isRoot ? ((ci as Answers['ci'] | undefined) ?? place.ci ?? 'none') : 'none',
  };
}

function checkChoice(flag: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  const close = didYouMean(suggest(value, choices));
  throw new UsageError(
    `--${flag}: ${quote(value)} is none of ${choices.join(', ')}.${close === undefined ? '' : ` ${close}`}`,
  );
}

/** Returns the page of the CMS. @throws {UsageError} */
async function filesOfCms(
  { folder }: Place,
  { site, byUrls }: SiteOfThemes,
): Promise<Map<string, string | Uint8Array>> {
  const { cmsFiles } = await import('./cms.ts');
  const { readCmsScript, readCmsTarget } = await import('./io/cms-site.ts');
  return cmsFiles({ ...(await readCmsTarget(folder)), site, byUrls }, await readCmsScript(folder));
}

/** The existing themes, with what the form of the CMS depends on. */
interface SiteOfThemes extends ExistingThemes {
  site: Site;
  byUrls: readonly ImageSetField[];
}

async function existingThemes({ folder }: Place): Promise<SiteOfThemes> {
  const { readAllThemes } = await import('../../compiler/read-themes.ts');
  const themesDir = join(folder, FLAGS.themes.default);
  const { IMAGE_SET_FIELDS } = await import('../../core/theme/fields/fields.ts');
  const { compiled, walk, settings, themes } = await readAllThemes({ themesDir, cwd: process.cwd() });
  const hasThemes = [...compiled.values()].some(({ file }) => file !== undefined);
  const byUrls = IMAGE_SET_FIELDS.filter((field) => themes.some(({ images }) => 'url' in images[field]));
  // A killed process leaves an empty file.
  return { hasSite: (walk.site?.text ?? '') !== '', hasThemes, site: settings.site, byUrls };
}

type States = ReadonlyMap<string, FileState>;

const LABELS: Readonly<Record<FileState, string>> = { create: 'create', keep: 'keep', yours: 'kept' };

/** Lists each file with its state; the images of the first theme share a line. */
function fileLines(states: States, place: Place): string[] {
  const rows = [...states].map(([name, state]) => ({ state, name: relative('', join(place.folder, name)) }));
  const isImage = (name: string): boolean => /\.(?:svg|png)$/.test(name);
  const images = rows.filter(({ name, state }) => isImage(name) && state === 'create');
  const [first] = images;
  const lines = rows
    .filter((row) => !images.includes(row))
    .map(({ state, name }) => `${LABELS[state].padEnd(8)}${name}${state === 'yours' ? ' (not changed)' : ''}`);
  if (first === undefined) return lines;
  return [...lines, `create  ${join(first.name, '..')}/*.svg   ${count(images.length, 'placeholder')}`];
}

function summary(states: States): string {
  const number = (state: FileState): number => [...states.values()].filter((other) => other === state).length;
  return `✔ ${count(number('create'), 'file')} created, ${number('keep')} unchanged, ${number('yours')} of yours kept`;
}

/** Returns warnings about unused flags and missing settings. */
function remarks(
  states: States,
  { baseUrl, ci }: Answers,
  place: Place,
  existing: ExistingThemes,
  hasSiteFlags: boolean,
): string[] {
  return [
    ...(existing.hasSite && hasSiteFlags
      ? ['! --name, --base-url and --host were not used: themes/site.yaml exists already']
      : []),
    ...(baseUrl === EXAMPLE_URL && states.get('themes/site.yaml') === 'create'
      ? ['! base_url in themes/site.yaml is an example: write the address of your site there']
      : []),
    ...(ci === 'none'
      ? [
          place.isRoot
            ? '! No CI workflow: set a Git host with --ci, or see docs/review.md in the package'
            : '! No CI workflow: this is not the root of a repository. docs/review.md in the package has the commands',
        ]
      : []),
  ];
}

/** Lists the next commands, for this folder. */
function nextSteps(place: Place, states: States, version: string): string[] {
  const folder = relative('', place.folder);
  const manifest = join(place.folder, 'package.json');
  const lacksOwn = states.get('package.json') === 'yours' && !/"themecast":/.test(readFileSync(manifest, 'utf8'));
  const installOwn = `npm install --save-dev --save-exact themecast@${version}`;
  return [
    'Next:',
    ...(folder === '' ? [] : [`  cd ${shellWord(folder)}`]),
    ...(place.isInGit ? [] : ['  git init']),
    `  ${lacksOwn ? installOwn : 'npm install'}`,
    '  npx themecast dev          # shows the themes in the browser while you edit them',
    '  npx themecast new NAME     # adds a theme, from a logo or a colour',
    '  npx themecast check        # lists every problem, with its location',
    'Commit package-lock.json too: CI installs the versions in it.',
  ];
}
