/** A colour function of CSS. */
const FUNCTION = /^(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color)\([^()"'\\\n#]*\)$/i;

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
