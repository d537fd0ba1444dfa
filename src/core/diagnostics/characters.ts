/** Names of characters that are invisible, or look like others. */
const NAMES: Readonly<Record<string, string>> = {
  '\u0000': 'a NUL byte',
  '\r': 'a carriage return',
  '\u00a0': 'a no-break space',
  '\u00ad': 'a soft hyphen',
  '\u200b': 'a zero-width space',
  '\u200e': 'a left-to-right mark',
  '\u200f': 'a right-to-left mark',
  '\u2028': 'a line separator',
  '\u2029': 'a paragraph separator',
  '\u202f': 'a narrow no-break space',
  '\u2060': 'a word joiner',
  '\u3000': 'a full-width space',
  '\ufeff': 'a byte order mark',
};

/** Describes a character so that its author can find it: `a no-break space (U+00A0)`. */
export function characterName(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const name =
    NAMES[character] ??
    (/[\u202a-\u202e\u2066-\u2069\u061c]/.test(character) ? 'a direction mark' : undefined) ??
    (/[\uff01-\uff5e]/.test(character) ? `a full-width \`${character}\`` : undefined);
  if (name !== undefined) return `${name} (${code})`;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `\`${character}\` (${code})` : `the character ${code}`;
}

/** Spaces other than the ordinary one, which come with pasted text. */
const SPACES = '\u00a0\u2000-\u200a\u202f\u205f\u3000';
/** Punctuation of East Asian keyboards, and dashes and bullets of word processors, with the YAML characters that they look like. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '：': ':',
  '，': ',',
  '、': ',',
  '［': '[',
  '］': ']',
  '｛': '{',
  '｝': '}',
  '＃': '#',
  '＂': '"',
  '－': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '•': '-',
  '・': '-',
};
const LOOK_ALIKE = new RegExp(`[${SPACES}${Object.keys(LOOK_ALIKES).join('')}]`);

/** Finds the first character outside of quotes that looks like a character with a meaning in YAML. */
export function lookAlikeIn(text: string): { at: number; character: string; meant: string } | undefined {
  const blank = (quoted: string): string => ' '.repeat(quoted.length);
  const match = LOOK_ALIKE.exec(text.replaceAll(/"[^"]*"|'[^']*'/g, blank));
  if (match === null) return undefined;
  const [character] = match;
  return { at: match.index, character, meant: LOOK_ALIKES[character] ?? ' ' };
}
