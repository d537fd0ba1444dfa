/** Words that readers of YAML take for something other than text, YAML 1.1 included. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A text as a value of YAML on one line: in quotes only if it needs them. */
export function asYaml(text: string): string {
  return /^\p{L}[\p{L}\p{N}./_-]*$/u.test(text) && !RESERVED.test(text) ? text : inYamlQuotes(text);
}

/** A text in quotes: in double ones, unless it contains what these give a meaning to. */
function inYamlQuotes(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** Whether a value is written on one line just as it is read, but for quotes around it. */
export function isVerbatim(source: string, value: string): boolean {
  const [mark] = source;
  const isQuoted = (mark === '"' || mark === "'") && source === `${mark}${value}${mark}`;
  return isQuoted || source === value;
}

/** Another value in the quotes of the present one. */
export function requoted(source: string, text: string): string {
  const [mark] = source;
  return (mark === '"' || mark === "'") && !/["'\\]/.test(text) ? `${mark}${text}${mark}` : asYaml(text);
}

/** What to write in place of a value; nothing if there is nothing certain, or the value is not written as it is read. */
export function replacementOf(source: string, value: string, text: string | undefined): string | undefined {
  return text !== undefined && isVerbatim(source, value) ? requoted(source, text) : undefined;
}
