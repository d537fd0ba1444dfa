#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { visibleLines } from './diagnostics/quote.ts';
import { suggest } from './diagnostics/suggest.ts';
import { FLAGS, type FlagName, type FlagValues, UsageError } from './commands/flags.ts';
import { type Command, commands } from './commands/registry.ts';
import { invocation } from './io/invocation.ts';

/** Exit codes: 0 fine, 1 findings in the content, 2 usage, environment or a bug. */
async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '--version' || name === '-v') return print(`${version()}\n`);
  if (name === 'help' && rest[0] !== undefined) return main([rest[0], '--help']);
  if (name === '--help' || name === '-h' || name === 'help') return print(help());
  if (name === '') throw new UsageError(`Name a command.\n\n${help()}`);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new UsageError(
      `There is no command \`${name}\`.${didYouMean(suggest(name, Object.keys(commands))) ?? ` \`${invocation('--help')}\` lists the commands.`}`,
    );
  if (rest.includes('--help') || rest.includes('-h')) return print(commandHelp(name, command));
  const { given, argument } = parseFlags(name, command, rest);
  const { withFolders } = await import('./commands/site-root.ts');
  const { run } = await command.load();
  return run({ ...defaultsOf(command), ...withFolders(given, command.flags) } as FlagValues, argument);
}

function parseFlags(
  name: string,
  command: Command,
  args: readonly string[],
): { given: Partial<FlagValues>; argument: string } {
  try {
    const options = Object.fromEntries(
      command.flags.map((flag) => [flag, { type: FLAGS[flag].type, multiple: 'multiple' in FLAGS[flag] }]),
    );
    const allowPositionals = command.argument !== undefined;
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals });
    const isOptional = command.argument?.startsWith('[') === true;
    if (allowPositionals && positionals.length !== 1 && !(isOptional && positionals.length === 0))
      throw new UsageError(
        `\`${name}\` takes one ${command.argument?.replace(/^\[|\]$/g, '')}: \`${invocation(name)} ${command.argument}\`.`,
      );
    const empty = Object.entries(values).find(([, value]) => value === '');
    if (empty !== undefined) throw new UsageError(`--${empty[0]} is empty.`);
    return { given: values, argument: positionals[0] ?? '' };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const more = ` \`${invocation(name, ['--help'])}\` lists the flags.`;
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(--?[^' =]+)/.exec(message)?.[1] : undefined;
    if (unknown !== undefined) {
      const close = suggest(unknown.replace(/^-+/, ''), command.flags);
      throw new UsageError(`\`${name}\` has no flag \`${unknown}\`.${didYouMean(close && `--${close}`) ?? more}`);
    }
    const [said = ''] = message.split(/\.\s/);
    throw new UsageError(`${said.replace(/\.$/, '').replaceAll("'", '`')}.${more}`);
  }
}

function defaultsOf({ flags }: Command): Partial<FlagValues> {
  return Object.fromEntries(flags.flatMap((flag) => ('default' in FLAGS[flag] ? [[flag, FLAGS[flag].default]] : [])));
}

function didYouMean(suggestion: string | undefined): string | undefined {
  return suggestion === undefined ? undefined : ` Did you mean \`${suggestion}\`?`;
}

function help(): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}`);
  return `themecast ${version()}: themes in Git, compiled to a static theme service

Usage: themecast <command> [flags]

${rows.join('\n')}

  ${invocation('<command>')} --help lists the flags of a command.
  Exit codes: 0 fine, 1 findings in the themes, 2 usage or environment.
`;
}

function commandHelp(name: string, { summary, argument, flags, about: abouts = {}, more }: Command): string {
  const usageOf = (flag: FlagName): string => {
    const spec = FLAGS[flag];
    return 'value' in spec ? `--${flag} ${spec.value}` : `--${flag}`;
  };
  const width = Math.max(18, ...flags.map((flag) => usageOf(flag).length + 2));
  const rows = flags.map((flag: FlagName) => {
    const { about, ...spec } = FLAGS[flag];
    return `  ${usageOf(flag).padEnd(width)}${abouts[flag] ?? about}${'default' in spec ? ` (${spec.default})` : ''}`;
  });
  return `${summary}.\n\nUsage: themecast ${name}${argument === undefined ? '' : ` ${argument}`} [flags]\n\n${rows.join('\n')}\n${more === undefined ? '' : `\n${more}`}`;
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

// Whoever reads the output may stop before its end, like `head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isUsage = error instanceof UsageError;
  const message = error instanceof Error ? error.message : String(error);
  // It may repeat a name or an answer: whatever that is, it does nothing to a terminal or the log of a runner.
  process.stderr.write(visibleLines(`themecast: ${message}\n`));
  if (!isUsage && process.env['DEBUG'] && error instanceof Error)
    process.stderr.write(visibleLines(`${error.stack}\n`));
  process.exitCode = 2;
}
