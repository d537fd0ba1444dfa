import { printable, quote } from '../../core/diagnostics/quote.ts';
import { parseBounded } from '../../core/source/json.ts';

/** Maximum depth of arrays and objects; a list of themes has four levels. */
const MAX_DEPTH = 64;

/** The parsed JSON of a response or a file, or a sentence about why it is invalid. */
export type ParsedJson = { json: unknown } | { problem: string };

/** Parses JSON from outside, in the charset of the response, with limits on depth and number of values. */
export function parseJson(body: Uint8Array, contentType = ''): ParsedJson {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  let text: string;
  try {
    // Also drops a byte order mark.
    text = new TextDecoder(charset, { fatal: true }).decode(body);
  } catch {
    return { problem: `It cannot be decoded as ${quote(charset)}.` };
  }
  try {
    const json = parseBounded(text);
    return isDeep(json) ? { problem: `It has more than ${MAX_DEPTH} levels of arrays and objects.` } : { json };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `It is not valid JSON: ${printable(error.message.replace(/ is not valid JSON$/, ''))}.` };
  }
}

/** Checks the depth level by level, because recursion would overflow the stack on millions of levels. */
function isDeep(json: unknown): boolean {
  let level: unknown[] = [json];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0) return false;
  }
  return true;
}
