/** A flag, as the command line parses it and `--help` describes it. */
export interface Flag {
  type: 'string' | 'boolean';
  /** The placeholder of its value in `--help`. */
  value?: string;
  default?: string;
  /** Whether the flag may be repeated. */
  multiple?: boolean;
  /** Whether the default is a folder in the root of the site. */
  inSiteRoot?: boolean;
  /** Whether many commands have the flag but few calls need it: help lists it last. */
  isGeneral?: boolean;
  about: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** The values of a command's flags: given, or the default. Only flags that the command lists are readable. */
export type ValuesOf<F extends Flags> = {
  readonly [N in keyof F]: F[N] extends { type: 'boolean' }
    ? boolean
    : F[N] extends { multiple: true }
      ? readonly string[]
      : F[N] extends { default: string }
        ? string
        : string | undefined;
};

/** The values of some flags, for functions that several commands call. */
export type Values<F extends Flags, N extends keyof F> = ValuesOf<Pick<F, N>>;

/** A command, without its summary, which is in the registry. */
export interface Command<F extends Flags = Flags> {
  /** The arguments, at most two, as in the usage line; brackets mark an optional one. */
  argument?: string;
  flags: F;
  /** Two calls for `--help`, without the name of the program. */
  examples: readonly [string, string];
  /** Paragraphs below the flags in `--help`. */
  details?: string;
  /**
   * Runs the command. Imports its code only now, so that `--help` loads none of it.
   * @param call - runs another command
   * @returns the exit code: 0 for success, 1 for errors in the themes or in a deployment
   */
  run(
    flags: ValuesOf<F>,
    argument: string,
    second: string | undefined,
    call: (args: readonly string[]) => Promise<number>,
  ): Promise<number>;
}

/** What the commands of a role are for, as help and docs/cli.md list them. */
export const ROLES = {
  author: 'Write themes',
  publish: 'Publish them',
  operate: 'Operate the site',
} as const;

/** An entry in the list of commands. */
export interface CommandEntry {
  role: keyof typeof ROLES;
  /** A line for `--help`. */
  summary: string;
  /** Loads the command: `--help` loads none, and a call only its own. */
  load: () => Promise<{ command: Command }>;
}

/** Defines a command; infers the types of its values from the flags. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}

/** An invalid command line; ends with exit code 2. */
export class UsageError extends Error {}
