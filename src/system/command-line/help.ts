import { invocation } from './invocation.ts';
import { type Command, type CommandEntry, type Flag, type Flags, ROLES } from './command.ts';

/** Returns the text of `themecast --help`. */
export function help(version: string, commands: Readonly<Record<string, CommandEntry>>): string {
  const rows = Object.entries(ROLES).map(([role, title]) => {
    const own = Object.entries(commands).filter(([, entry]) => entry.role === role);
    return `${title}:\n${own.map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}\n`).join('')}`;
  });
  return `themecast ${version}: themes in Git, compiled to a static theme service

Usage: themecast <command> [flags]

${rows.join('\n')}
  ${invocation('<command>')} --help lists the flags of a command.
  Exit codes: 0 success, 1 errors in the themes or in a deployment, 2 usage or environment.
`;
}

/** Returns the text of `themecast <command> --help`. */
export function commandHelp(name: string, summary: string, { argument, flags, examples, details }: Command): string {
  const { special, general } = flagGroups(flags);
  const width = Math.max(18, ...[...special, ...general].map(([flag, spec]) => flagUsage(flag, spec).length + 2));
  const rows = (group: readonly FlagEntry[]): string => group.map((entry) => flagRow(entry, width)).join('');
  const paragraphs = details?.trim().split(/\n{2,}/) ?? [];
  const below = paragraphs.map((paragraph) => `\n${wrapped(paragraph, MAX_WIDTH).join('\n')}\n`);
  const calls = examples.map((example) => `  themecast ${example}\n`);
  const parts = [
    ...(special.length === 0 ? [] : [rows(special)]),
    ...(general.length === 0 ? [] : [`General flags:\n${rows(general)}`]),
    `Examples:\n${calls.join('')}`,
  ];
  return `${summary}.\n\nUsage: ${usageLine(name, argument)}\n${below.join('')}\n${parts.join('\n')}`;
}

type FlagEntry = readonly [name: string, spec: Flag];

/** Divides the flags of a command into special and general flags. */
export function flagGroups(flags: Flags): { special: FlagEntry[]; general: FlagEntry[] } {
  const entries = Object.entries(flags);
  const isGeneral = ([, spec]: FlagEntry): boolean => spec.isGeneral === true;
  return { special: entries.filter((entry) => !isGeneral(entry)), general: entries.filter(isGeneral) };
}

function flagRow([name, spec]: FlagEntry, width: number): string {
  const about = wrapped(`${spec.about}${defaultText(spec)}`, MAX_WIDTH - width - 2);
  return `  ${flagUsage(name, spec).padEnd(width)}${about.join(`\n${' '.repeat(width + 2)}`)}\n`;
}

/** Maximum width of a line of help, in columns. */
const MAX_WIDTH = 100;

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && line.length <= width) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}

export function usageLine(name: string, argument: string | undefined): string {
  return `themecast ${name}${argument === undefined ? '' : ` ${argument}`} [flags]`;
}

/** Returns the usage of a flag: its name, with a placeholder for its value. */
export function flagUsage(name: string, { value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function defaultText(flag: Flag): string {
  return flag.default === undefined ? '' : ` (${flag.default})`;
}
