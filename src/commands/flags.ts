/** Every flag of every command: the same name means the same everywhere. What only one command makes of it is said there. */
export const FLAGS = {
  themes: { type: 'string', value: 'DIR', default: 'themes', about: 'Folder of the themes' },
  out: { type: 'string', value: 'DIR', default: 'dist', about: 'Public output' },
  'edge-out': { type: 'string', value: 'DIR', default: 'edge', about: 'Private output: rewrite rules and users' },
  cache: { type: 'string', value: 'DIR', default: '.cache', about: 'Folder that keeps thumbnails between runs' },
  'no-cache': { type: 'boolean', about: 'Render everything again and store nothing' },
  releases: { type: 'boolean', about: 'Publish into a folder of its own, made live by one link: DIR/current' },
  'allow-shrink': { type: 'boolean', about: 'Publish even if many themes or users would vanish' },
  'base-url': { type: 'string', value: 'URL', about: 'Overrides base_url of site.yaml and THEMECAST_BASE_URL' },
  users: {
    type: 'string',
    value: 'FILE',
    about: 'Further users: CSV or NDJSON, may be gzip; - reads standard input',
  },
  previous: {
    type: 'string',
    value: 'DIR',
    about: 'Private output of the build that is live, for deltas (--edge-out)',
  },
  strict: { type: 'boolean', about: 'Let warnings fail too' },
  quiet: { type: 'boolean', about: 'Print diagnostics and errors only' },
  verbose: { type: 'boolean', about: 'Print what each host can do, too' },
  format: { type: 'string', value: 'FORMAT', default: 'text', about: 'Diagnostics as text, json or github' },
  port: { type: 'string', value: 'N', default: '8080', about: 'Port on 127.0.0.1; 0 takes any free one' },
  open: { type: 'boolean', about: 'Open the gallery in the browser' },
  admin: {
    type: 'string',
    value: 'DIR',
    default: 'admin',
    about: 'Folder that the page for editing in the browser is written to',
  },
  branch: { type: 'string', value: 'NAME', about: 'Branch that changes are for (the one that is checked out)' },
  oauth: {
    type: 'string',
    value: 'CLIENT',
    about: 'Editors sign in by it: URL of an OAuth client (GitHub), or id (GitLab)',
  },
  host: { type: 'string', value: 'HOST', about: 'Allow what this host declares that it cannot do' },
  as: { type: 'string', multiple: true, value: 'USER', about: 'Ask CONFIG as this user too; may be given repeatedly' },
  header: {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'Ask CONFIG with this header too, its value from the environment; may be given repeatedly',
  },
  cookie: { type: 'string', multiple: true, value: 'NAME=VARIABLE', about: 'The same with a cookie' },
  token: { type: 'string', value: 'VARIABLE', about: 'The same with a bearer token' },
  group: { type: 'string', value: 'GROUP', about: 'A group that the user is in, or that is asked for alone' },
  theme: { type: 'string', value: 'SLUG', about: 'Who gets this theme: how many, and a few of them' },
  live: { type: 'string', value: 'URL', about: 'Ask this deployment too, and compare' },
  wait: { type: 'string', value: 'SECONDS', about: 'Wait until the list of this build is live, at most so long' },
} as const satisfies Record<string, Flag>;

interface Flag {
  type: 'string' | 'boolean';
  value?: string;
  default?: string;
  /** May be given more than once. */
  multiple?: boolean;
  about: string;
}

export type FlagName = keyof typeof FLAGS;

/** The flags of one call: what was given, or the default. */
export type FlagValues = {
  [F in FlagName]: (typeof FLAGS)[F]['type'] extends 'boolean'
    ? boolean
    : (typeof FLAGS)[F] extends { multiple: true }
      ? string[] | undefined
      : string | undefined;
};

/** A call that cannot be understood; ends with exit code 2. */
export class UsageError extends Error {}

/** The number of a port. */
export function portOf(text = ''): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port must be a number from 0 to 65535, not \`${text}\`.`);
  return port;
}
