import type { EdgeHost } from '../theme/site.ts';

/** What a job needs to deploy to a host besides the build. */
interface Job {
  /** Names of variables; the job is off until the first exists. */
  variables: readonly [string, ...string[]];
  secrets: readonly string[];
  /** Settings that are the same everywhere. */
  fixed?: Readonly<Record<string, string>>;
  /** Packages of Debian. */
  packages: readonly string[];
}

const SSH: Job = {
  variables: ['DEPLOY_SERVER', 'DEPLOY_PORT', 'DEPLOY_KNOWN_HOSTS'],
  secrets: ['DEPLOY_KEY'],
  packages: ['rsync', 'openssh-client'],
};

/** A store, as the remote `store` of rclone. */
const STORE: Job = {
  variables: [
    'DEPLOY_REMOTE',
    'RCLONE_CONFIG_STORE_PROVIDER',
    'RCLONE_CONFIG_STORE_ENDPOINT',
    'RCLONE_CONFIG_STORE_REGION',
  ],
  secrets: ['RCLONE_CONFIG_STORE_ACCESS_KEY_ID', 'RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY'],
  fixed: { RCLONE_CONFIG_STORE_TYPE: 's3' },
  packages: ['rclone', 'jq'],
};

/** The hosts that `init` writes a job for. */
export const DEPLOY_JOBS: Readonly<Partial<Record<EdgeHost, Job>>> = {
  nginx: SSH,
  apache: SSH,
  caddy: SSH,
  static: STORE,
  cloudflare: {
    variables: ['CLOUDFLARE_ACCOUNT_ID'],
    secrets: ['CLOUDFLARE_API_TOKEN'],
    packages: ['jq', 'curl'],
  },
  netlify: { variables: ['NETLIFY_SITE_ID'], secrets: ['NETLIFY_AUTH_TOKEN'], packages: ['curl'] },
  vercel: { variables: ['VERCEL_PROJECT_ID', 'VERCEL_ORG_ID'], secrets: ['VERCEL_TOKEN'], packages: ['curl'] },
  cloudfront: {
    ...STORE,
    variables: ['DISTRIBUTION_ID', 'KVS_ARN', 'AWS_REGION', ...STORE.variables],
    secrets: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', ...STORE.secrets],
  },
  fastly: {
    ...STORE,
    variables: ['FASTLY_SERVICE_ID', 'STORE_ID', ...STORE.variables],
    secrets: ['FASTLY_API_TOKEN', ...STORE.secrets],
  },
};

/** Where the template deploys: its job is on if this variable exists, and its last step uploads. */
const TEMPLATE = { variable: 'DEPLOY_SERVER', host: 'nginx' };
const UPLOAD = '      # Deploys, and verifies.\n';

/** `deploy.yml` of GitHub for a host. @param template - the one for nginx */
export function githubDeployment(template: string, host: EdgeHost): string | undefined {
  const job = DEPLOY_JOBS[host];
  if (job === undefined) return undefined;
  if (job === SSH) return template.replaceAll(`deploy ${TEMPLATE.host} `, `deploy ${host} `);
  const [head = '', tail = ''] = template.split(UPLOAD);
  const [command = ''] = /npx --no-install themecast deploy .*/.exec(tail) ?? [];
  const env = [
    ...job.variables.map((name) => [name, `\${{ vars.${name} }}`]),
    ...job.secrets.map((name) => [name, `\${{ secrets.${name} }}`]),
    ...Object.entries(job.fixed ?? {}),
  ].map(([name, value]) => `          ${name}: ${value}\n`);
  const identity = /^ {10}THEMECAST_KEY_SECRET:[^]*/m.exec(tail)?.[0] ?? '';
  return [
    head.replace(`vars.${TEMPLATE.variable}`, `vars.${job.variables[0]}`),
    // The other packages are there.
    ...(job.packages.includes('rclone')
      ? ['      - run: sudo apt-get update -qq && sudo apt-get install --yes rclone\n']
      : []),
    UPLOAD,
    `      - run: ${command.replace(`deploy ${TEMPLATE.host} `, `deploy ${host} `)}\n        env:\n`,
    ...env,
    identity,
  ].join('');
}

/** The job of GitLab for a host, whose variables GitLab has in the environment. */
export function gitlabDeployment(template: string, host: EdgeHost): string {
  const job = DEPLOY_JOBS[host];
  if (job === undefined) return '';
  const ssh = / {4}# Variables of the type File.\n.*\n/;
  return template
    .replace(job === SSH ? '' : ssh, '')
    .replace(`$${TEMPLATE.variable}`, `$${job.variables[0]}`)
    .replace(/(?<=--no-install-recommends ).*/, job.packages.join(' '))
    .replaceAll(TEMPLATE.host, host)
    .replace(
      /^ {2}variables:\n/m,
      (line) =>
        line +
        Object.entries(job.fixed ?? {})
          .map(([name, value]) => `    ${name}: ${value}\n`)
          .join(''),
    );
}
