/** Maximum length of authored text in a message, in characters. */
const MAX_LENGTH = 80;

// Controls, bidirectional overrides and other invisible characters could rewrite what a terminal or a review page shows.
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udfff]/gu;

/**
 * `##[command]` and `##vso[command]`, which runners obey anywhere in a line of a log.
 * @see https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 * @see https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands
 */
const LOG_COMMAND = /##(?=\w*\[)/g;

/** Text made safe for a terminal and for the log of a runner: invisible characters, and what makes a command, are shown as escapes. */
export function visible(text: string): string {
  return text
    .replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(LOG_COMMAND, '#\\u0023');
}

/** A line of output made safe: {@link visible}, and without `::` at its start, which runners of GitHub take for a command. */
export function visibleLine(line: string): string {
  return visible(line).replace(/^(\s*):(?=:)/, '$1\\u003a');
}

/** Several lines, each a {@link visibleLine}. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visibleLine).join('\n');
}

/** A line of a file with every character in its column: tabs become spaces, other invisible characters dots. */
export function masked(line: string): string {
  return line.replaceAll('\t', ' ').replace(INVISIBLE, '·').replace(LOG_COMMAND, '#·');
}

/** Text from a theme as a message repeats it: {@link visible}, and cut if it is long. */
export function printable(text: string): string {
  return visible(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
}

/** Maximum length of a URL in a message, in characters. */
const MAX_URL = 300;

/** A URL as messages name it: without user name, query and fragment, which may be secret. */
export function shownUrl(url: string): string {
  const [bare = ''] = url.split(/[?#]/, 1);
  return visible(bare.replace(/^([a-z]+:\/\/)[^/]*@/i, '$1').slice(0, MAX_URL));
}

/** A field name or value from a theme as a message names it: in backticks, {@link printable}; a backtick in it is an escape. */
export function quote(value: unknown): string {
  const text = printable(typeof value === 'string' ? value : jsonText(value));
  return `\`${text.replaceAll('`', String.raw`\u0060`)}\``;
}

/** A value as JSON; of what JSON does not have, such as `undefined`, its name. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** A value as it is to be written in YAML, in double quotes. */
export function inQuotes(value: string): string {
  return printable(/["\\]/.test(value) ? `'${value.replaceAll("'", "''")}'` : `"${value}"`);
}

/** `a, b or c`, each quoted. */
export function quoteList(values: readonly string[], word: 'and' | 'or' = 'or'): string {
  const quoted = values.map(quote);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${word} ${last}`;
}

/** `1 theme`, `2,000 themes`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  // Not `toLocaleString`: measured, its first call takes 0.04 s, and every build counts its themes.
  return `${String(n).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')} ${n === 1 ? noun : plural}`;
}

/** The first of some names: `a, b and 2,000 more`. */
export function firstOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${count(more, 'more', 'more')}` : ''}`;
}
