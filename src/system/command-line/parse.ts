import { parseArgs } from 'node:util';
import { didYouMean, suggest } from '../../core/diagnostics/suggest.ts';
import { invocation } from './invocation.ts';
import { type Command, UsageError, type ValuesOf } from './command.ts';
import { defaultFolders } from './site-root.ts';

export interface Call {
  flags: ValuesOf<Command['flags']>;
  argument: string;
  /** The second argument, for a command with two. */
  second: string | undefined;
}

export function parseCall(name: string, command: Command, args: readonly string[]): Call {
  const { values, positionals } = parsed(name, command, args);
  checkArgument(name, command.argument, positionals);
  const empty = Object.entries(values).find(([, value]) => value === '');
  if (empty !== undefined) throw new UsageError(`--${empty[0]} is empty.`);
  const flags = { ...defaultsOf(command), ...defaultFolders(command.flags, values), ...values };
  return { flags: flags as Call['flags'], argument: positionals[0] ?? '', second: positionals[1] };
}

function parsed(name: string, { flags, argument }: Command, args: readonly string[]): ReturnType<typeof parseArgs> {
  const options = Object.fromEntries(
    Object.entries(flags).map(([flag, { type, multiple = false }]) => [flag, { type, multiple }]),
  );
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: argument !== undefined });
  } catch (error) {
    throw asUsageError(error as NodeJS.ErrnoException, name, Object.keys(flags));
  }
}

function asUsageError({ code, message }: NodeJS.ErrnoException, name: string, flags: readonly string[]): UsageError {
  const more = `\`${invocation(name, ['--help'])}\` lists the flags.`;
  const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(--?[^' =]+)/.exec(message)?.[1] : undefined;
  if (unknown !== undefined) {
    const close = suggest(unknown.replace(/^-+/, ''), flags);
    return new UsageError(`\`${name}\` has no flag \`${unknown}\`. ${didYouMean(close && `--${close}`) ?? more}`);
  }
  const [sentence = ''] = message.split(/\.\s/);
  return new UsageError(`${sentence.replace(/\.$/, '').replaceAll("'", '`')}.${shellHint(message)} ${more}`);
}

/** Returns a hint for a text about colours: a shell treats `#…` as a comment. */
function shellHint(text: string): string {
  return /colour/i.test(text)
    ? ' A shell treats everything after # as a comment: put the colour in quotes, like "#0b5fff".'
    : '';
}

function checkArgument(name: string, argument: string | undefined, positionals: readonly string[]): void {
  if (argument === undefined) return;
  const words = argument.split(' ');
  const required = words.filter((word) => !word.startsWith('['));
  if (positionals.length >= required.length && positionals.length <= words.length) return;
  const names = argument.replaceAll(/[[\]]/g, '').replace(' ', ', and at most one ');
  throw new UsageError(`\`${name}\` takes one ${names}: \`${invocation(name)} ${argument}\`.${shellHint(argument)}`);
}

function defaultsOf({ flags }: Command): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      flag.type === 'boolean' ? false : flag.multiple ? [] : flag.default,
    ]),
  );
}
