import type { View } from '../../hosts/adapter/template.ts';
import type { EdgeHost } from '../../core/theme/site/site.ts';

/** Variables, secrets and packages of a job that deploys to a host. */
interface Job {
  /** Names of variables; the job is skipped until the first exists. */
  variables: readonly [string, ...string[]];
  secrets: readonly string[];
  /** Constant settings, as YAML. */
  fixed?: readonly string[];
  /** Debian packages. */
  packages: readonly string[];
}

const SSH_JOB: Job = {
  variables: ['DEPLOY_SERVER', 'DEPLOY_PORT', 'DEPLOY_KNOWN_HOSTS'],
  secrets: ['DEPLOY_KEY'],
  packages: ['rsync', 'openssh-client'],
};

/** A store: the remote `store` of rclone. */
const STORE_JOB: Job = {
  variables: [
    'DEPLOY_REMOTE',
    'RCLONE_CONFIG_STORE_PROVIDER',
    'RCLONE_CONFIG_STORE_ENDPOINT',
    'RCLONE_CONFIG_STORE_REGION',
  ],
  secrets: ['RCLONE_CONFIG_STORE_ACCESS_KEY_ID', 'RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY'],
  fixed: ['RCLONE_CONFIG_STORE_TYPE: s3'],
  packages: ['rclone', 'jq'],
};

/** The jobs that `init` writes, by host. */
const JOBS: Readonly<Record<EdgeHost, Job | undefined>> = {
  nginx: SSH_JOB,
  apache: SSH_JOB,
  caddy: SSH_JOB,
  static: STORE_JOB,
  cloudflare: {
    variables: ['CLOUDFLARE_ACCOUNT_ID'],
    secrets: ['CLOUDFLARE_API_TOKEN'],
    packages: ['jq', 'curl'],
  },
  netlify: { variables: ['NETLIFY_SITE_ID'], secrets: ['NETLIFY_AUTH_TOKEN'], packages: ['curl'] },
  vercel: { variables: ['VERCEL_PROJECT_ID', 'VERCEL_ORG_ID'], secrets: ['VERCEL_TOKEN'], packages: ['curl'] },
  cloudfront: {
    ...STORE_JOB,
    variables: ['DISTRIBUTION_ID', 'KVS_ARN', 'AWS_REGION', ...STORE_JOB.variables],
    secrets: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', ...STORE_JOB.secrets],
  },
  fetch: undefined,
};

/** Returns the values for the workflow templates; undefined for a host without job. */
export function deploymentView(host: EdgeHost): (View & { host: EdgeHost }) | undefined {
  const job = JOBS[host];
  if (job === undefined) return undefined;
  const { packages, fixed = [] } = job;
  const isStore = packages.includes('rclone');
  return {
    ...job,
    host,
    switch: job.variables[0],
    packages: packages.join(' '),
    fixed,
    ssh: job === SSH_JOB,
    rclone: isStore,
  };
}
