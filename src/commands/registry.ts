import type { FlagName, FlagValues } from './flags.ts';

/** What a command does with its flags and its argument, if it has one; when it is done, the exit code: 0 fine, 1 findings. */
export type Run = (flags: FlagValues, argument: string) => Promise<number>;

/** One verb of the command line. */
export interface Command {
  summary: string;
  /** The one argument that it takes, as its usage names it; in brackets, it may be left out. */
  argument?: string;
  flags: readonly FlagName[];
  /** What a flag means for this command, where the general description does not fit. */
  about?: Readonly<Partial<Record<FlagName, string>>>;
  /** What its `--help` says below the flags. */
  more?: string;
  /** Loaded only when it is called: `--help` needs none of it. */
  load: () => Promise<{ run: Run }>;
}

const CHECKING = ['themes', 'users', 'cache', 'no-cache', 'base-url', 'strict', 'quiet', 'format'] as const;

const VERIFY_SENDS = `What is sent: GET, HEAD and OPTIONS, without a body; redirects are not followed. POST and PUT, with an empty body, only to
LIST and CONFIG, and only where each is proved to be of this build: where its JSON, its browsable page and its OPTIONS are
byte for byte those of dist/. Only if the list is that of this build, CONFIG is asked as one user or group of each theme, and
with tokens and headers made from the secrets of identity that are in the environment; what is handed over by --header,
--cookie and --token is sent only then, to CONFIG alone, and never printed.

--strict fails on what is tolerated too, such as users that could not be asked as; not on what the host declares that it
cannot do.
`;

export const commands: Readonly<Record<string, Command>> = {
  build: {
    summary: 'Check the themes and publish all of them, or none',
    flags: [
      'themes',
      'users',
      'out',
      'edge-out',
      'releases',
      'allow-shrink',
      'previous',
      ...CHECKING.slice(2),
      'verbose',
    ],
    load: () => import('./build.ts'),
  },
  check: {
    summary: 'Check the themes without decoding pictures or publishing anything',
    flags: CHECKING,
    about: {
      cache: 'Folder that keeps what is known of images between runs',
      'no-cache': 'Read every image again and store nothing',
    },
    load: () => import('./check.ts'),
  },
  cms: {
    summary: 'Write a page on which editors edit the themes in the browser, as pull requests',
    flags: ['themes', 'admin', 'branch', 'oauth', 'quiet'],
    about: { quiet: 'Print errors only' },
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
    about: {
      out: 'Public output of the build that is served',
      'edge-out': 'Private output of that build',
      quiet: 'Print errors only',
    },
    load: () => import('./serve.ts'),
  },
  verify: {
    summary: 'Compare a live deployment with the last build and with the contract; changes nothing there',
    argument: 'URL',
    flags: ['out', 'edge-out', 'host', 'as', 'group', 'header', 'cookie', 'token', 'wait', 'strict', 'quiet', 'format'],
    about: {
      out: 'Public output of the build that is compared',
      'edge-out': 'Private output of that build',
      quiet: 'Print failed checks only',
      format: 'Results as text or json',
    },
    more: VERIFY_SENDS,
    load: () => import('./verify.ts'),
  },
  who: {
    summary: 'Say which theme somebody gets, and why; changes nothing',
    argument: '[USER]',
    flags: ['group', 'theme', 'live', 'themes', 'users', 'edge-out', 'base-url', 'format'],
    about: {
      'edge-out': 'Private output of the build, whose files are named',
      format: 'Answer as text or json',
    },
    load: () => import('./who.ts'),
  },
};
