import { fill } from '../hosts/template.ts';
import { writeYaml } from '../source/write-yaml.ts';
import type { EdgeHost } from '../theme/site.ts';
import { type Forge, RUNNERS, WORKFLOWS } from './forge.ts';
import { githubDeployment, gitlabDeployment } from './deploy-job.ts';
import { PACKAGE_MANAGERS, type PackageManager } from './package-manager.ts';
import { SITE_MODELINE } from '../theme/theme-file.ts';

/** What the files of a repository are made from. */
export interface Repository {
  /** Name of the folder, for `package.json`. */
  folder: string;
  /** Name of the site. */
  name: string;
  baseUrl: string;
  hosts: readonly EdgeHost[];
  ci: Forge | 'none';
  packageManager: PackageManager;
  /** The folder below the root of the Git repository, with `/`; empty for the root. */
  prefix: string;
  /** Exact version of themecast. */
  version: string;
  /** Files that the package brings, by name: see {@link TEMPLATES}. */
  templates: Readonly<Record<Template, string>>;
}

/** Files of `docs/theme-repository/` that are copied as they are, or nearly. */
export const TEMPLATES = [
  'npmrc',
  'gitignore',
  'gitattributes',
  'vscode-settings.json',
  'vscode-extensions.json',
  'README.mustache',
  'themes.yml',
  'review.yml',
  'deploy.yml',
  'gitlab-ci.yml',
  'gitlab-deploy.yml',
] as const;
export type Template = (typeof TEMPLATES)[number];

/** The files that support the themes: what npm, Git, editors and CI need. Names are relative to the folder. */
export function supportFiles({ folder, version, templates, packageManager }: Repository): Map<string, string> {
  return new Map([
    ['package.json', packageJson(folder, version)],
    ['.npmrc', templates.npmrc],
    // themecast does not run under Plug'n'Play, which is the default of Yarn.
    ...(packageManager === 'yarn' ? [['.yarnrc.yml', 'nodeLinker: node-modules\n'] as const] : []),
    ['.gitignore', templates.gitignore],
    ['.gitattributes', templates.gitattributes],
    ['.vscode/settings.json', templates['vscode-settings.json']],
    ['.vscode/extensions.json', templates['vscode-extensions.json']],
    ['README.md', fill(templates['README.mustache'], PACKAGE_MANAGERS[packageManager])],
  ]);
}

/** The workflows that check pull requests and deploy what was merged, by name below the root of the Git repository. */
export function workflows({ ci, prefix, hosts, packageManager, templates }: Repository): Map<string, string> {
  if (ci === 'none') return new Map();
  const below = prefix === '' ? '' : `${prefix}/`;
  const suffix = prefix === '' ? '' : `-${slugged(prefix)}`;
  const { npm, [packageManager]: own } = PACKAGE_MANAGERS;
  const finished = (text: string): string =>
    inFolder(text, below).replaceAll(npm.ci, own.ci).replaceAll(npm.ciExec, own.ciExec);
  if (ci === 'gitlab') {
    const jobs = hosts
      .map((host) => gitlabDeployment(templates['gitlab-deploy.yml'], host))
      .filter((job) => job !== '');
    return new Map([[WORKFLOWS.gitlab, finished([templates['gitlab-ci.yml'], ...jobs].join('\n'))]]);
  }
  const checks = finished(templates['themes.yml']).replace(RUNNERS.github, RUNNERS[ci]);
  const found = new Map([[WORKFLOWS[ci].replace('themes.yml', `themes${suffix}.yml`), checks]]);
  if (ci !== 'github') return found;
  found.set(WORKFLOWS.github.replace('themes', `review${suffix}`), finished(templates['review.yml']));
  for (const host of hosts) {
    const text = githubDeployment(templates['deploy.yml'], host);
    const name = `deploy${hosts.length > 1 ? `-${host}` : ''}${suffix}`;
    if (text !== undefined)
      found.set(WORKFLOWS.github.replace('themes', name), finished(text.replace('group: deploy', `group: ${name}`)));
  }
  return found;
}

/** A workflow for a folder of a repository instead of its root. */
function inFolder(text: string, below: string): string {
  if (below === '') return text;
  const folder = below.slice(0, -1);
  return text
    .replaceAll('/themes/', `/${below}themes/`)
    .replaceAll(/^( *working-directory: )(\w+)$/gm, `$1$2/${folder}`)
    .replaceAll('base/package.json', `base/${below}package.json`)
    .replaceAll(/\.\.\/base\/(node_modules|themes)\b/g, `${'../'.repeat(folder.split('/').length)}../base/${below}$1`)
    .replaceAll(/^(name: (?:Themes|Review|Deploy).*)$/gm, `$1 (${folder})`)
    .replace(
      /^ {4}environment: .*$/m,
      (line) => `${line}\n    defaults:\n      run:\n        working-directory: ${folder}`,
    )
    .replaceAll('cd .', `cd ${folder}`);
}

const slugged = (prefix: string): string => prefix.replaceAll(/[^A-Za-z0-9]+/g, '-');

/** `site.yaml`: where the service is published, and its hosts. */
export function siteFile({ baseUrl, hosts, name }: Repository): string {
  return `${SITE_MODELINE}\n# ${oneLine(name)}. Where the service is published, and the hosts that get rewrite rules; every other setting has a default.\n${writeYaml([['base_url', baseUrl]])}edge: [${hosts.join(', ')}]\n`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

function packageJson(folder: string, version: string): string {
  const manifest = {
    name: npmName(folder),
    private: true,
    scripts: SCRIPTS,
    engines: { node: '>=20.19' },
    devDependencies: { themecast: version },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The scripts of package.json: what is typed most. */
export const SCRIPTS = {
  dev: 'themecast dev',
  check: 'themecast check',
  build: 'themecast build',
  serve: 'themecast serve',
};

/** What `npm init` writes in the place of a script. */
const NO_TEST = 'echo "Error: no test specified" && exit 1';

/** A package.json with {@link SCRIPTS}; nothing if it has scripts of its own. */
export function withScripts(text: string): string | undefined {
  const manifest = parsedObject(text);
  const { scripts = {}, ...rest } = manifest ?? { scripts: 'none' };
  if (typeof scripts !== 'object' || scripts === null) return undefined;
  if (Object.values(scripts).some((script) => script !== NO_TEST)) return undefined;
  const indent = /^[\t ]+/m.exec(text)?.[0] ?? 2;
  return `${JSON.stringify({ ...rest, scripts: { ...scripts, ...SCRIPTS } }, null, indent)}\n`;
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** A name as npm accepts it (https://docs.npmjs.com/cli/configuring-npm/package-json#name). */
function npmName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|-+$/g, '')
    .slice(0, 200);
  return name === '' || name === 'themecast' || name === 'node_modules' ? 'themes' : name;
}
