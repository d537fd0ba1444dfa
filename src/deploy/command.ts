import { defineCommand } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';

const DETAILS = `Runs edge/HOST/deploy.sh, which uploads the last build and reads its target and secrets from the environment; its first lines
name them; DEPLOY_SERVER takes several servers. Refuses to replace a newer commit: edge/build.json has the commit of the build,
deployment.json the one that is live. It can be interrupted and repeated at any time. To go back, check out an older commit,
build, and deploy it with --allow-older.

Exit code 1 means that what is live is newer, or that the deployment failed or does not verify.
`;

export const command = defineCommand({
  examples: ['deploy nginx --dry-run', 'deploy nginx'],
  argument: '[HOST]',
  flags: {
    themes: { ...FLAGS.themes, about: 'Folder of the themes, whose commits are compared' },
    out: { ...FLAGS.out, about: 'Public output of the build to deploy' },
    'edge-out': { ...FLAGS['edge-out'], about: 'Private output of that build' },
    'dry-run': { type: 'boolean', about: 'Print what would be uploaded and run, and change nothing' },
    'allow-older': { type: 'boolean', about: 'Deploy although what is live is newer, or of another branch' },
    first: {
      type: 'boolean',
      about: 'Deploy everything, without regard to what is live: nothing is, or that is unknown',
    },
    'forget-previous': {
      type: 'boolean',
      about: 'Delete the copy of the deployment before from the servers',
    },
    drop: {
      type: 'string',
      multiple: true,
      value: 'PATH',
      about: 'Retain this image, such as media/…, no longer; may be repeated',
    },
    strict: { ...FLAGS.strict, about: 'Verify with --strict' },
  },
  details: DETAILS,
  async run(values, host, _, call) {
    const { deploy } = await import('./io/deploy.ts');
    return deploy(host, values, call);
  },
});
