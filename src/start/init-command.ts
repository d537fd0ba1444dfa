import { join, relative, resolve } from 'node:path';
import { defineCommand, UsageError, type ValuesOf } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { shellWord } from '../command-line/invocation.ts';
import { didYouMean } from '../command-line/parse.ts';
import { count, quote, visible, visibleLines } from '../diagnostics/quote.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { Place } from './io/place.ts';
import type { FileState } from './io/write-new.ts';
import { PACKAGE_MANAGERS } from './package-manager.ts';
import type { ExistingThemes, Repository } from './repository.ts';
import { isPublicUrl, PUBLIC_URL } from '../theme/public-url.ts';
import type { EdgeHost } from '../theme/site.ts';

const flags = {
  name: { type: 'string', value: 'NAME', about: 'Name of the site and of its first theme (My community)' },
  'base-url': { type: 'string', value: 'URL', about: 'Where the service is published' },
  host: { type: 'string', value: 'HOST', multiple: true, about: 'A host to write rewrite rules for; may be repeated' },
  ci: { type: 'string', value: 'HOST', about: 'Workflows for github, gitlab or none (those of the Git remote)' },
  quiet: { ...FLAGS.quiet, about: 'Print errors only' },
} as const;
type Given = ValuesOf<typeof flags>;
type Answers = Pick<Repository, 'name' | 'baseUrl' | 'hosts' | 'ci'>;

const CI_CHOICES = ['github', 'gitlab', 'none'];
/** The address of a site that has none yet. */
const EXAMPLE_URL = 'https://community.example.org';

export const command = defineCommand({
  examples: ["init --name 'Our community'", 'init --ci github'],
  argument: '[DIR]',
  flags,
  details:
    'DIR is the folder to write to, by default this one. Existing files stay as they are. Where there are themes already, what is missing around them is added.',
  async run(given, argument) {
    const { EDGE_HOSTS } = await import('../theme/site.ts');
    const { findPlace } = await import('./io/place.ts');
    const { initFiles } = await import('./repository.ts');
    const { ownVersion } = await import('./io/package-files.ts');
    const { readTemplates } = await import('./io/templates.ts');
    const { writeNew } = await import('./io/write-new.ts');
    const place = await findPlace(resolve(argument));
    const answers = answersOf(given, place, EDGE_HOSTS);
    const existing = await existingThemes(place);
    const repository = {
      ...answers,
      packageManager: place.packageManager,
      version: ownVersion(),
      templates: readTemplates(),
    };
    const states = await writeNew(place.folder, initFiles(repository, existing));
    const isSiteGiven = [given.name, given['base-url'], ...given.host].some((one) => one !== undefined);
    if (!given.quiet) {
      const lines = [
        ...fileLines(states, place),
        '',
        summary(states),
        ...remarks(states, answers, place, existing, isSiteGiven),
        '',
        ...nextSteps(place, states, repository.version),
      ];
      process.stdout.write(visibleLines(`${lines.join('\n')}\n`));
    }
    return 0;
  },
});

/** What the flags give, or else the Git remote. @throws {UsageError} */
function answersOf(
  { name, 'base-url': baseUrl = EXAMPLE_URL, host, ci }: Given,
  place: Place,
  knownHosts: readonly string[],
): Answers {
  if (ci !== undefined) checkChoice('ci', ci, CI_CHOICES);
  for (const one of host) checkChoice('host', one, knownHosts);
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
  const close = didYouMean(suggest(value, choices)) ?? '';
  throw new UsageError(`--${flag}: ${quote(value)} is none of ${choices.join(', ')}.${close}`);
}

async function existingThemes({ folder }: Place): Promise<ExistingThemes> {
  const { readAllThemes } = await import('../compiler/read-themes.ts');
  const themesDir = join(folder, FLAGS.themes.default);
  const { compiled, walk, settings } = await readAllThemes({ themesDir, cwd: process.cwd() });
  const hasThemes = [...compiled.values()].some(({ file }) => file !== undefined);
  // An empty one is what a killed process leaves.
  return { hasSite: (walk.site?.text ?? '') !== '', hasThemes, site: settings.site };
}

type States = ReadonlyMap<string, FileState>;

const LABELS: Readonly<Record<FileState, string>> = { create: 'create', keep: 'keep', yours: 'kept' };

/** Each file with what happens to it; the images of the first theme on one line. */
function fileLines(states: States, place: Place): string[] {
  const rows = [...states].map(([name, state]) => ({ state, name: relative('', join(place.folder, name)) }));
  const isImage = (name: string): boolean => /\.(?:svg|png)$/.test(name);
  const images = rows.filter(({ name, state }) => isImage(name) && state === 'create');
  const [first] = images;
  const others = rows
    .filter((row) => !images.includes(row))
    .map(({ state, name }) => `${LABELS[state].padEnd(8)}${name}${state === 'yours' ? ' (not changed)' : ''}`);
  if (first === undefined) return others;
  return [...others, `create  ${join(first.name, '..')}/*.svg   ${count(images.length, 'placeholder')}`];
}

function summary(states: States): string {
  const number = (wanted: FileState): number => [...states.values()].filter((state) => state === wanted).length;
  return `✔ ${count(number('create'), 'file')} created, ${number('keep')} unchanged, ${number('yours')} kept as they are`;
}

/** What is not as it should be in the end. */
function remarks(
  states: States,
  { baseUrl, ci }: Answers,
  place: Place,
  existing: ExistingThemes,
  isSiteGiven: boolean,
): string[] {
  return [
    ...(existing.hasSite && isSiteGiven
      ? ['! themes/site.yaml is there already: --name, --base-url and --host are for a new one and were not used']
      : []),
    ...(baseUrl === EXAMPLE_URL && states.get('themes/site.yaml') === 'create'
      ? ['! base_url in themes/site.yaml is an example: write the address of your site there']
      : []),
    ...(ci === 'none'
      ? [
          place.isRoot
            ? '! No CI workflow: name a Git host with --ci, or see docs/review.md in the package'
            : '! No CI workflow: this is no root of a repository. docs/review.md in the package has the commands',
        ]
      : []),
  ];
}

/** The commands to type next, each as it must be typed here. */
function nextSteps(place: Place, states: States, version: string): string[] {
  const folder = relative('', place.folder);
  const state = states.get('package.json');
  const { add, exec, install, lockfile } = PACKAGE_MANAGERS[place.packageManager];
  const isOwn = state === 'yours';
  // With a new package.json, it is there by chance, and there is no lockfile yet.
  const isInstalled = place.hasThemecast && state !== 'create';
  return [
    'Next:',
    ...(folder === '' ? [] : [`  cd ${shellWord(folder)}`]),
    ...(place.isInGit ? [] : ['  git init']),
    ...(isInstalled ? [] : [`  ${isOwn ? `${add} themecast@${version}` : install}`]),
    `  ${exec} themecast dev          # the themes in the browser, while you edit them`,
    `  ${exec} themecast new NAME     # another theme, from a logo or a colour`,
    `  ${exec} themecast check        # every problem, with its place`,
    ...(isInstalled ? [] : [`Commit ${lockfile} with the rest: CI installs what it says.`]),
  ];
}
