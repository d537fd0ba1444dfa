import { FLAGS } from '../../lib/system/command-line/flags.js';
import { flagGroups, flagUsage, usageLine } from '../../lib/system/command-line/help.js';
import { ROLES } from '../../lib/system/command-line/command.js';
import { COMMANDS } from '../../lib/commands.js';
import { codeBlock, table } from './markdown.js';

/** @typedef {Omit<import('../../src/system/command-line/command.ts').Command, 'run'> & import('../../src/system/command-line/command.ts').CommandEntry} Command */
/** @typedef {readonly [name: string, spec: import('../../src/system/command-line/command.ts').Flag]} FlagEntry */

/** @type {Record<string, Command>} */
const commands = Object.fromEntries(
  await Promise.all(
    Object.entries(COMMANDS).map(async ([name, entry]) => [name, { ...entry, ...(await entry.load()).command }]),
  ),
);

/** Lists the commands by role, one line each. */
export function commandTable() {
  const rows = Object.entries(commands).map(([name, { role, argument, summary }]) => [
    ROLES[role],
    `[\`themecast ${name}${argument === undefined ? '' : ` ${argument}`}\`](#${name})`,
    `${summary}.`,
  ]);
  return table(['to', 'command', 'what it does'], rows);
}

/** Flags that many commands share. */
export function generalFlags() {
  return flagTable(flagGroups(FLAGS).general);
}

/** Lists the commands with their own flags. */
export function commandSections() {
  return Object.entries(commands)
    .map(([name, command]) => section(name, command))
    .join('\n\n');
}

/**
 * @param {string} name
 * @param {Command} command
 */
function section(name, { summary, argument, flags, examples, details }) {
  const { special, general } = flagGroups(flags);
  return [
    `## ${name}`,
    `${summary}.`,
    codeBlock('text', [usageLine(name, argument), ...examples.map((example) => `themecast ${example}`)].join('\n')),
    ...(special.length === 0 ? [] : [flagTable(special)]),
    ...(general.length === 0 ? [] : [`General: ${general.map(([flag]) => `\`--${flag}\``).join(', ')}.`]),
    ...(details === undefined ? [] : [paragraphs(details)]),
  ].join('\n\n');
}

/** @param {readonly FlagEntry[]} flags */
function flagTable(flags) {
  return table(
    ['flag', 'meaning'],
    flags.map(([flag, spec]) => [
      `\`${flagUsage(flag, spec)}\``,
      spec.default === undefined ? spec.about : `${spec.about} (\`${spec.default}\`)`,
    ]),
  );
}

/** Joins the lines of each paragraph in a text of `--help`. @param {string} text */
function paragraphs(text) {
  return text
    .trim()
    .split('\n\n')
    .map((paragraph) =>
      paragraph.replaceAll('\n', ' ').replace(/(`[^`]*`)|(--[a-z-]+)/g, (_, code, flag) => code ?? `\`${flag}\``),
    )
    .join('\n\n');
}
