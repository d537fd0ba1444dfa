import { FLAGS } from '../../lib/system/command-line/flags.js';
import { flagGroups, flagUsage, usageLine } from '../../lib/system/command-line/help.js';
import { ROLES } from '../../lib/system/command-line/command.js';
import { COMMANDS } from '../../lib/commands.js';
import { codeBlock } from './markdown.js';

/** @typedef {Omit<import('../../src/system/command-line/command.ts').Command, 'run'> & import('../../src/system/command-line/command.ts').CommandEntry} Command */
/** @typedef {readonly [name: string, spec: import('../../src/system/command-line/command.ts').Flag]} FlagEntry */

/** @type {Record<string, Command>} */
const commands = Object.fromEntries(
  await Promise.all(
    Object.entries(COMMANDS).map(async ([name, entry]) => [name, { ...entry, ...(await entry.load()).command }]),
  ),
);

/** Lists the commands, one line for each role. */
export function commandList() {
  return Object.entries(ROLES)
    .map(([role, title]) => {
      const links = Object.entries(commands)
        .filter(([, command]) => command.role === role)
        .map(([name]) => `[\`${name}\`](#${name})`);
      return `- **${title}**: ${links.join(', ')}`;
    })
    .join('\n');
}

/** Flags that many commands share. */
export function generalFlags() {
  return flagList(flagGroups(FLAGS).general);
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
    codeBlock(
      'text',
      [
        usageLine(name, argument),
        ...examples.filter((example) => example !== name).map((example) => `themecast ${example}`),
      ].join('\n'),
    ),
    ...(special.length === 0 ? [] : [flagList(special)]),
    ...(general.length === 0 ? [] : [`General: ${general.map(([flag]) => `\`--${flag}\``).join(', ')}.`]),
    ...(details === undefined ? [] : [paragraphs(details)]),
  ].join('\n\n');
}

/** @param {readonly FlagEntry[]} flags */
function flagList(flags) {
  return flags
    .map(([flag, spec]) => {
      const about = spec.default === undefined ? spec.about : `${spec.about} (\`${spec.default}\`)`;
      return `- \`${flagUsage(flag, spec)}\`: ${about}`;
    })
    .join('\n');
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
