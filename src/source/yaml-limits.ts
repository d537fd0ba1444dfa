import { Lexer } from 'yaml';

/** Maximum depth of lists and groups. The deepest setting of site.yaml needs 5. */
export const MAX_DEPTH = 8;

/** Depth beyond which the text is not parsed, because the parser is slow there. */
const PARSER_MAX_DEPTH = 100;

/** Why a text is not parsed, and where. */
export interface Excess {
  code: 'yaml/too-deep' | 'yaml/too-many-values';
  offset: number;
}

/**
 * Finds a reason not to parse a text, which could take minutes. The lexer alone takes 0.15 s at most for 256 KiB; the parser, after it, minutes.
 * @param maxParts - maximum number of parts (keys, values, brackets and other marks; a line `key: value` has three)
 */
export function findExcess(text: string, maxParts: number): Excess | undefined {
  let parts = 0;
  let offset = 0;
  let brackets = 0;
  let marks = 0; // `- - ? -` in one line: each opens a list or group in the one before
  for (const token of new Lexer().lex(text)) {
    const [first = ''] = token;
    if (/[\u0002\u0018\u001f]/.test(first)) continue; // marks that the lexer adds; the text has none of them
    if (first === '[' || first === '{') brackets++;
    if (first === ']' || first === '}') brackets--;
    if (token === '-' || token === '?') marks++;
    if (token.endsWith('\n')) marks = 0;
    if (brackets + marks > PARSER_MAX_DEPTH) return { code: 'yaml/too-deep', offset };
    if (!/[\s#\ufeff]/.test(first)) parts++;
    if (first === '"') parts += token.split('\\').length - 1; // each escape may be a mistake
    if (parts > maxParts) return { code: 'yaml/too-many-values', offset };
    offset += token.length;
  }
  return undefined;
}
