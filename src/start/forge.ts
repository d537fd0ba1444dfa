/** The forges whose CI runs a workflow file. */
export const FORGES = ['github', 'gitlab', 'forgejo', 'gitea'] as const;
export type Forge = (typeof FORGES)[number];

/** Where a forge looks for the workflow, below the root of the repository. */
export const WORKFLOWS: Readonly<Record<Forge, string>> = {
  github: '.github/workflows/themes.yml',
  gitlab: '.gitlab-ci.yml',
  forgejo: '.forgejo/workflows/themes.yml',
  gitea: '.gitea/workflows/themes.yml',
};

/** The label that the runners of a forge have by default. */
export const RUNNERS: Readonly<Record<Exclude<Forge, 'gitlab'>, string>> = {
  github: 'ubuntu-24.04',
  forgejo: 'docker',
  gitea: 'ubuntu-latest',
};

/** The forge that a host name shows. */
export function forgeOf(host: string): Forge | undefined {
  if (host === 'codeberg.org') return 'forgejo';
  return FORGES.find((forge) => new RegExp(`(?:^|\\.)${forge}\\.`).test(host));
}
