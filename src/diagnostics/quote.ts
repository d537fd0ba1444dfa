/** Longest piece of foreign text a message repeats, in characters. */
const LONGEST = 80;

// Controls, bidirectional overrides and other invisible characters could rewrite what a terminal or a review page shows.
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udfff]/gu;

/** Text made safe for a terminal: invisible characters are shown as escapes. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A line of a file with every character in its column: tabs become spaces, other invisible characters dots. */
export function masked(line: string): string {
  return line.replaceAll('\t', ' ').replace(INVISIBLE, '·');
}

/** Text from a theme as a message repeats it: {@link visible}, and cut if it is long. */
export function printable(text: string): string {
  return visible(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

/** A field name or value from a theme as a message names it: in backticks, {@link printable}. */
export function quote(value: unknown): string {
  return `\`${printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)))}\``;
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
