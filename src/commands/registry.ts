import type { FlagName, FlagValues } from './flags.ts';

/** What a command does with its flags and its argument, if it has one; when it is done, the exit code: 0 fine, 1 findings. */
export type Run = (flags: FlagValues, argument: string) => Promise<number>;

/** One verb of the command line. */
export interface Command {
  summary: string;
  /** The one argument that it takes, as its usage names it; in brackets, it may be left out. */
  argument?: string;
  flags: readonly FlagName[];
  /** Loaded only when it is called: `--help` needs none of it. */
  load: () => Promise<{ run: Run }>;
}

const CHECKING = ['themes', 'users', 'cache', 'no-cache', 'base-url', 'strict', 'quiet', 'format'] as const;

export const commands: Readonly<Record<string, Command>> = {
  build: {
    summary: 'Check the themes and publish all of them, or none',
    flags: ['themes', 'users', 'out', 'edge-out', 'releases', 'allow-shrink', 'previous', ...CHECKING.slice(2)],
    load: () => import('./build.ts'),
  },
  check: {
    summary: 'Check the themes without decoding pictures or publishing anything',
    flags: CHECKING,
    load: () => import('./check.ts'),
  },
  cms: {
    summary: 'Write a page on which editors edit the themes in the browser, as pull requests',
    flags: ['themes', 'admin', 'branch', 'oauth', 'quiet'],
    load: () => import('./cms.ts'),
  },
  dev: {
    summary: 'Show the themes while they are edited, on 127.0.0.1; publishes nothing',
    flags: ['themes', 'cache', 'port', 'open', 'quiet'],
    load: () => import('./dev.ts'),
  },
  serve: {
    summary: 'Serve the last build on 127.0.0.1, answered as the hosts do',
    flags: ['out', 'edge-out', 'port', 'quiet'],
    load: () => import('./serve.ts'),
  },
  verify: {
    summary: 'Compare a live deployment with the last build and with the contract; changes nothing there',
    argument: 'URL',
    flags: ['out', 'edge-out', 'host', 'as', 'wait', 'quiet', 'format'],
    load: () => import('./verify.ts'),
  },
  who: {
    summary: 'Say which theme somebody gets, and why; changes nothing',
    argument: '[USER]',
    flags: ['group', 'theme', 'live', 'themes', 'users', 'edge-out', 'base-url', 'format'],
    load: () => import('./who.ts'),
  },
};
