import { type Flags, UsageError, type Values } from './command.ts';

/** The common flags: a name means the same in every command, which may describe it in its own words. */
export const FLAGS = {
  themes: {
    isGeneral: true,
    type: 'string',
    value: 'DIR',
    default: 'themes',
    inSiteRoot: true,
    about: 'Folder of the themes',
  },
  out: { isGeneral: true, type: 'string', value: 'DIR', default: 'dist', inSiteRoot: true, about: 'Public output' },
  'edge-out': {
    isGeneral: true,
    type: 'string',
    value: 'DIR',
    default: 'edge',
    inSiteRoot: true,
    about: 'Private output: rewrite rules and users',
  },
  cache: {
    isGeneral: true,
    type: 'string',
    value: 'DIR',
    about: 'Cache folder; a CI keeps it between runs (in the home folder)',
  },
  'no-cache': { isGeneral: true, type: 'boolean', about: 'Render everything again and store nothing' },
  'base-url': {
    isGeneral: true,
    type: 'string',
    value: 'URL',
    about: 'Overrides base_url of site.yaml and THEMECAST_BASE_URL',
  },
  users: { type: 'string', value: 'FILE', about: 'More users: CSV; - reads standard input' },
  strict: { type: 'boolean', about: 'Treat warnings as errors' },
  verbose: { isGeneral: true, type: 'boolean', about: 'Print every diagnostic in full, however many there are' },
  quiet: { isGeneral: true, type: 'boolean', about: 'Print diagnostics and errors only' },
  format: {
    isGeneral: true,
    type: 'string',
    value: 'FORMAT',
    default: 'text',
    about: 'Diagnostics as text, json, github or gitlab',
  },
  port: { type: 'string', value: 'N', default: '8080', about: 'Port on 127.0.0.1; 0 for any free port' },
  group: { type: 'string', value: 'GROUP', about: 'A group of the user, or a group on its own' },
} as const satisfies Flags;

/** The values of common flags. */
export type FlagValues<N extends keyof typeof FLAGS> = Values<typeof FLAGS, N>;

export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port must be a number from 0 to 65535, not \`${text}\`.`);
  return port;
}

/** Parses the value of `--rate`, in requests per second. */
export function rateOf(text: string): number {
  const rate = /^\d{1,4}(?:\.\d)?$/.test(text) ? Number(text) : 0;
  if (rate <= 0 || rate > 1000) throw new UsageError(`--rate must be a number from 1 to 1000, not \`${text}\`.`);
  return rate;
}

/** Maximum number of shards, to catch typing errors. */
const MAX_SHARDS = 10_000;

/** The part of the themes for one of several machines; `index` is from 1. */
export interface Shard {
  index: number;
  total: number;
}

/** Parses the value of `--shard`: `I/N` with I from 1 to N. */
export function shardOf(text: string): Shard {
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), total: Number(total) };
  if (shard.index >= 1 && shard.index <= shard.total && shard.total <= MAX_SHARDS) return shard;
  throw new UsageError(
    `--shard must be I/N with I from 1 to N (at most ${MAX_SHARDS}), such as 3/8 or "$CI_NODE_INDEX/$CI_NODE_TOTAL", not \`${text}\`.`,
  );
}
