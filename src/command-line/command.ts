/** One flag, as the command line reads it and `--help` describes it. */
export interface Flag {
  type: 'string' | 'boolean';
  /** The placeholder of its value in `--help`. */
  value?: string;
  default?: string;
  /** Whether the flag may be repeated. */
  multiple?: boolean;
  /** Whether the default is a folder in the root of the site. */
  inSiteRoot?: boolean;
  /** Whether many commands have the flag, and few calls need it: help lists it last. */
  isGeneral?: boolean;
  about: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** The values of the flags that a command lists: what was given, or the default. A flag that it does not list cannot be read. */
export type ValuesOf<F extends Flags> = {
  readonly [N in keyof F]: F[N] extends { type: 'boolean' }
    ? boolean
    : F[N] extends { multiple: true }
      ? readonly string[]
      : F[N] extends { default: string }
        ? string
        : string | undefined;
};

/** The values of flags from the table of flags, for functions that several commands call. */
export type Values<F extends Flags, N extends keyof F> = ValuesOf<Pick<F, N>>;

/** One verb of the command line: everything about it but its summary, which the registry has. */
export interface Command<F extends Flags = Flags> {
  /** The one argument, or two, as the usage line shows them; in brackets if one is optional. */
  argument?: string;
  flags: F;
  /** Two calls, without the name of the program, as `--help` shows them. */
  examples: readonly [string, string];
  /** Paragraphs below the flags in `--help`. */
  details?: string;
  /**
   * Imports what it needs when it is called: `--help` loads none of it.
   * @param call - calls another command
   * @returns the exit code: 0 for success, 1 for errors in the themes or in a deployment
   */
  run(
    flags: ValuesOf<F>,
    argument: string,
    second: string | undefined,
    call: (args: readonly string[]) => Promise<number>,
  ): Promise<number>;
}

/** A command as the list of commands shows it. */
export interface Listed {
  /** One line for `--help`. */
  summary: string;
  /** Loads the command: `--help` loads none, and a command no other. */
  load: () => Promise<{ command: Command }>;
}

/** Infers the types of the values from the flags. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}

/** An invalid command line; ends with exit code 2. */
export class UsageError extends Error {}
