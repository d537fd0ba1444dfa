import { fill } from '../hosts/template.ts';
import { writeYaml } from '../source/write-yaml.ts';
import type { EdgeHost } from '../theme/site.ts';
import { deploymentView } from './deploy-job.ts';
import { PACKAGE_MANAGERS, type PackageManager } from './package-manager.ts';
import { SITE_MODELINE } from '../theme/theme-file.ts';

/** What the files of a repository are made from. */
export interface Repository {
  /** Name of the site. */
  name: string;
  baseUrl: string;
  hosts: readonly EdgeHost[];
  /** The Git host that runs the workflows. */
  ci: 'github' | 'gitlab' | 'none';
  packageManager: PackageManager;
  /** Exact version of themecast. */
  version: string;
  /** Files that the package brings, by name: see {@link TEMPLATES}. */
  templates: Readonly<Record<Template, string>>;
}

/** Files of `docs/theme-repository/` that are copied as they are, and templates. */
export const TEMPLATES = [
  'npmrc',
  'gitignore',
  'gitattributes',
  'vscode-settings.json',
  'vscode-extensions.json',
  'README.mustache',
  'themes.yml.mustache',
  'review.yml.mustache',
  'deploy.yml.mustache',
  'gitlab-ci.yml.mustache',
] as const;
export type Template = (typeof TEMPLATES)[number];

/** The files that support the themes: what npm, Git, editors and CI need. Names are relative to the folder. */
export function supportFiles({ version, templates, packageManager }: Repository): Map<string, string> {
  return new Map([
    ['package.json', packageJson(version)],
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

/** The workflows that check pull requests and deploy what was merged. */
export function workflows({
  ci,
  hosts,
  packageManager,
  templates,
}: Pick<Repository, 'ci' | 'hosts' | 'packageManager' | 'templates'>): Map<string, string> {
  const { ci: install, ciExec: exec } = PACKAGE_MANAGERS[packageManager];
  const view = { ci: install, exec };
  const deployments = hosts.flatMap((host) => deploymentView(host) ?? []);
  if (ci === 'none') return new Map();
  if (ci === 'gitlab')
    return new Map([['.gitlab-ci.yml', fill(templates['gitlab-ci.yml.mustache'], { ...view, deployments })]]);
  return new Map([
    ['.github/workflows/themes.yml', fill(templates['themes.yml.mustache'], view)],
    ['.github/workflows/review.yml', fill(templates['review.yml.mustache'], view)],
    ...deployments.map((deployment): [string, string] => {
      const workflow = `deploy${hosts.length > 1 ? `-${deployment.host}` : ''}`;
      const text = fill(templates['deploy.yml.mustache'], { ...view, ...deployment, workflow });
      return [`.github/workflows/${workflow}.yml`, text];
    }),
  ]);
}

/** `site.yaml`: where the service is published, and its hosts. */
export function siteFile({ baseUrl, hosts, name }: Repository): string {
  return `${SITE_MODELINE}\n# ${oneLine(name)}. Where the service is published, and the hosts that get rewrite rules; every other setting has a default.\n${writeYaml([['base_url', baseUrl]])}edge: [${hosts.join(', ')}]\n`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

function packageJson(version: string): string {
  const manifest = { private: true, engines: { node: '>=20.19' }, devDependencies: { themecast: version } };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
