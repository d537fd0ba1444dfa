import { inYamlQuotes } from './requote.ts';

/** A colour function of CSS. */
const FUNCTION = /^(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color)\([^()"'\\\n#]*\)$/i;

/** Text in curly quotes that was meant to be in straight ones, unless it contains more quotes. */
export function curlyFix(source: string, meant: string): string | undefined {
  const isWhole = /^[“”„‟‘’‚«»][^“”„‟‘’‚«»\n]*[“”„‟‘’‚«»]$/u.test(source) && !/["'\\]/.test(meant);
  return isWhole ? `"${meant}"` : undefined;
}

/** A colour function that YAML has cut at its commas. */
export function functionFix(source: string): string | undefined {
  return FUNCTION.test(source) ? `"${source}"` : undefined;
}

/** How much of a text around a colour is looked at. */
const AROUND = 500;

/** A hex colour in a `[…]` list; not if a comma is missing before or after it. */
export function colourFix(text: string, at: number, colour: string): string | undefined {
  const end = at + colour.length;
  const before = text.slice(Math.max(0, at - AROUND), at).replaceAll(/[ \t]#(?![0-9a-f]{3,8}\b).*$/gim, '');
  const isSeparate = /[[,]\s*$/.test(before) && /^\s*[\],]/.test(text.slice(end, end + AROUND));
  return isSeparate ? `"${colour}"` : undefined;
}

/**
 * The rest of a line as one value; not if a comment follows it, or the line looks like two fields (`name: logo: a.svg`).
 */
export function colonFix(value: string): string | undefined {
  return /\s#|^[a-z][a-z_]*:|^["'[{]/.test(value) ? undefined : inYamlQuotes(value);
}

/**
 * The rest of a line as one value, if it starts with a character that means nothing else; not in a list, whose entries are colours or
 * words, nor before a comment.
 */
export function startFix(text: string, start: number, value: string): string | undefined {
  const isField = /^[ \t]*[\w-]+:[ \t]+$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
  return isField && /^[@%`]/.test(value) && !/\s#|["\],}]/.test(value) ? inYamlQuotes(value) : undefined;
}

/** `-teal` and `logo:a.svg` with the missing space. */
export function spaceFix(source: string): string | undefined {
  if (/^-[^\s-]/.test(source)) return `- ${source.slice(1)}`;
  const [, field, value] = /^([a-z_]+):([^\s:/][^\s]*)$/.exec(source) ?? [];
  return field === undefined ? undefined : `${field}: ${value}`;
}
