import { newTheme } from '../../core/document/new-theme.ts';
import { fill } from '../../hosts/adapter/template.ts';
import { writeYaml } from '../../core/source/write-yaml.ts';
import type { ValueList } from '../../core/theme/fields/field-rows.ts';
import { editorSchemas } from '../../core/theme/json-schema.ts';
import type { EdgeHost } from '../../core/theme/site/site.ts';
import { slugOf } from '../../core/theme/slug.ts';
import { deploymentView } from './deploy-job.ts';
import { SITE_MODELINE } from '../../core/theme/theme-file.ts';

/** The settings and templates of a new repository. */
export interface Repository {
  /** Name of the site. */
  name: string;
  baseUrl: string;
  hosts: readonly EdgeHost[];
  /** The Git host that runs the workflows. */
  ci: 'github' | 'gitlab' | 'none';
  /** Exact version of themecast. */
  version: string;
  /** Files of the package, by name: see {@link TEMPLATES}. */
  templates: Readonly<Record<Template, string>>;
}

/** Templates, and files of `docs/theme-repository/` that are copied unchanged. */
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

/** The existing themes of a folder. */
export interface ExistingThemes {
  /** With a `site.yaml`, no new one is written. */
  hasSite: boolean;
  /** With a `theme.yaml`, no first theme is written. */
  hasThemes: boolean;
  /** The value lists of site.yaml. */
  site: Readonly<Record<ValueList, readonly string[]>>;
}

/** Returns the files that `init` writes if they are missing, by name. */
export function initFiles(
  repository: Repository,
  { hasSite, hasThemes, site }: ExistingThemes,
): Map<string, string | Uint8Array> {
  const theme = hasSite || hasThemes ? new Map<string, string>() : firstTheme(repository.name);
  const themes = [...theme, ...Object.entries(editorSchemas(site))];
  return new Map<string, string | Uint8Array>([
    ...workflows(repository),
    ...(hasSite ? [] : [['themes/users.csv', 'user,theme\n'] as const]),
    ...themes.map(([file, content]) => [`themes/${file}`, content] as const),
    ...supportFiles(repository),
    // Written last: once it exists, `init` no longer adds a first theme or users.
    ...(hasSite ? [] : [['themes/site.yaml', siteFile(repository)] as const]),
  ]);
}

function firstTheme(name: string): Map<string, string | Uint8Array> {
  const theme = newTheme({ name, id: 1, isDefault: true, parent: undefined, logo: undefined, palette: undefined });
  const slug = slugOf(name) ?? 'default';
  return new Map([...theme.files].map(([file, content]) => [`${slug}/${file}`, content]));
}

/** Returns the files for npm, Git and editors. */
function supportFiles({ version, templates }: Repository): Map<string, string> {
  return new Map([
    ['package.json', packageJson(version)],
    ['.npmrc', templates.npmrc],
    ['.gitignore', templates.gitignore],
    ['.gitattributes', templates.gitattributes],
    ['.vscode/settings.json', templates['vscode-settings.json']],
    ['.vscode/extensions.json', templates['vscode-extensions.json']],
    ['README.md', templates['README.mustache']],
  ]);
}

/** Returns the workflows that check pull requests and deploy the main branch. */
export function workflows({
  ci,
  hosts,
  templates,
}: Pick<Repository, 'ci' | 'hosts' | 'templates'>): Map<string, string> {
  const deployments = hosts.flatMap((host) => deploymentView(host) ?? []);
  if (ci === 'none') return new Map();
  if (ci === 'gitlab') return new Map([['.gitlab-ci.yml', fill(templates['gitlab-ci.yml.mustache'], { deployments })]]);
  return new Map([
    ['.github/workflows/themes.yml', templates['themes.yml.mustache']],
    ['.github/workflows/review.yml', templates['review.yml.mustache']],
    ...deployments.map((deployment): [string, string] => {
      const workflow = `deploy${hosts.length > 1 ? `-${deployment.host}` : ''}`;
      const text = fill(templates['deploy.yml.mustache'], { ...deployment, workflow });
      return [`.github/workflows/${workflow}.yml`, text];
    }),
  ]);
}

/** Returns `site.yaml`, with the address of the service and its hosts. */
function siteFile({ baseUrl, hosts, name }: Repository): string {
  return `${SITE_MODELINE}\n# ${oneLine(name)}. Where the service is published, and the hosts that get rewrite rules; every other setting has a default.\n${writeYaml([['base_url', baseUrl]])}edge: [${hosts.join(', ')}]\n`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

function packageJson(version: string): string {
  const manifest = { private: true, engines: { node: '>=20.19' }, devDependencies: { themecast: version } };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
