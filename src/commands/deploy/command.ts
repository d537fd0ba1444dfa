import { defineCommand, type ValuesOf } from '../../system/command-line/command.ts';
import { FLAGS } from '../../system/command-line/flags.ts';

const DETAILS = `docs/going-live.md lists the environment variables for targets and secrets. Refuses to replace a newer commit. It can be
interrupted and repeated at any time. To go back, check out an older commit, build, and deploy it with --allow-older.

Exit code 1 means that the live commit is newer, or that the deployment failed or does not verify.
`;

const flags = {
  themes: { ...FLAGS.themes, about: 'Folder of the themes, in the repository with the commits' },
  out: { ...FLAGS.out, about: 'Public output of the build to deploy' },
  'edge-out': { ...FLAGS['edge-out'], about: 'Private output of that build' },
  'dry-run': { type: 'boolean', about: 'Print the changes and the commands, but change nothing' },
  'allow-older': { type: 'boolean', about: 'Deploy although the live commit is newer, or of another branch' },
  first: {
    type: 'boolean',
    about: 'First deployment, or live state unknown: upload everything',
  },
  'forget-previous': {
    type: 'boolean',
    about: 'Delete the copy of the previous deployment from the servers',
  },
  strict: { ...FLAGS.strict, about: 'Verify with --strict' },
  tolerate: { type: 'string', multiple: true, value: 'ID', about: 'Verify with --tolerate; may be repeated' },
  'every-request': {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'Send this header with every request to base_url, its value from the environment; may be repeated',
  },
} as const;

export type DeployFlags = ValuesOf<typeof flags>;

export const command = defineCommand({
  examples: ['deploy nginx --dry-run', 'deploy nginx'],
  argument: '[HOST]',
  flags,
  details: DETAILS,
  async run(values, host, _, call) {
    const { deploy } = await import('./io/deploy.ts');
    return deploy(host, values, call);
  },
});
