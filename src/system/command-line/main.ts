import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { type CommandEntry, UsageError } from './command.ts';
import { parseCall } from './parse.ts';
import { visibleLines } from '../../core/diagnostics/quote.ts';
import { didYouMean, suggest } from '../../core/diagnostics/suggest.ts';
import { invocation } from './invocation.ts';
import { refusePlugAndPlay } from './plug-and-play.ts';

type Commands = Readonly<Record<string, CommandEntry>>;

/**
 * Runs the command line.
 * @returns the exit code: 0 success, 1 errors in the themes or in a deployment, 2 usage, environment or a bug
 */
export async function main(commands: Commands, args: readonly string[]): Promise<number> {
  try {
    return await call(commands, args);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const message = error instanceof Error ? error.message : String(error);
    // The message may repeat a name or a response, which must not control a terminal or the log of a runner.
    process.stderr.write(visibleLines(`themecast: ${message}\n`));
    if (!isUsage && process.env['DEBUG'] && error instanceof Error)
      // With the causes of the error.
      process.stderr.write(visibleLines(`${inspect(error)}\n`));
    return 2;
  }
}

async function allHelp(commands: Commands): Promise<string> {
  const { help } = await import('./help.ts');
  return help(version(), commands);
}

async function call(commands: Commands, args: readonly string[]): Promise<number> {
  const [name = '', ...callArgs] = args;
  if (name === '--version' || name === '-v') return print(`${version()}\n`);
  if (name === 'help' && callArgs[0] !== undefined) return call(commands, [callArgs[0], '--help']);
  if (name === '--help' || name === '-h' || name === 'help') return print(await allHelp(commands));
  if (name === '') throw new UsageError(`Name a command.\n\n${await allHelp(commands)}`);
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined)
    throw new UsageError(
      `There is no command \`${name}\`. ${didYouMean(suggest(name, Object.keys(commands))) ?? `\`${invocation('--help')}\` lists the commands.`}`,
    );
  const { command } = await entry.load();
  if (callArgs.includes('--help') || callArgs.includes('-h'))
    return print((await import('./help.ts')).commandHelp(name, entry.summary, command));
  refusePlugAndPlay();
  const { flags, argument, second } = parseCall(name, command, callArgs);
  return command.run(flags, argument, second, (nextArgs) => call(commands, nextArgs));
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
