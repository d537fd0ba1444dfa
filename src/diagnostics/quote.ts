/** Longest piece of foreign text a message repeats, in characters. */
const LONGEST = 80;

// Controls, bidirectional overrides and other invisible characters could rewrite what a terminal or a review page shows.
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udfff]/gu;

/** Text from a theme made safe for a terminal: invisible characters are shown as escapes, long text is cut. */
export function printable(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return cut.replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A field name or value from a theme as a message names it: in backticks, {@link printable}. */
export function quote(value: unknown): string {
  return `\`${printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)))}\``;
}

/** `a, b or c`, each quoted. */
export function quoteList(values: readonly string[]): string {
  const quoted = values.map(quote);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

/** `1 theme`, `2 themes`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? noun : plural}`;
}
