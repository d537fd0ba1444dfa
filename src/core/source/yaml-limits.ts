import { Lexer } from 'yaml';

/** Maximum depth of lists and groups; the deepest setting of site.yaml needs 5. */
export const MAX_DEPTH = 8;

/** Maximum depth of brackets and marks that the parser gets: it is slow on deeper texts. */
const PARSER_MAX_DEPTH = 100;

/** The reason why a text is not parsed, with its offset. */
export interface Excess {
  code: 'yaml/too-deep' | 'yaml/too-many-values';
  offset: number;
}

/**
 * Finds a reason not to parse a text: the lexer takes 0.15 s at most for 256 KiB, but the parser could take minutes.
 * @param maxParts - maximum number of parts (keys, values, brackets and other marks; a line `key: value` has three)
 */
export function findExcess(text: string, maxParts: number): Excess | undefined {
  let parts = 0;
  let offset = 0;
  let brackets = 0;
  let marks = 0; // `- - ? -` in one line: each mark opens a list or group inside the previous
  for (const token of new Lexer().lex(text)) {
    const [first = ''] = token;
    if (/[\u0002\u0018\u001f]/.test(first)) continue; // marks that only the lexer adds
    if (first === '[' || first === '{') brackets++;
    if (first === ']' || first === '}') brackets--;
    if (token === '-' || token === '?') marks++;
    if (token.endsWith('\n')) marks = 0;
    if (brackets + marks > PARSER_MAX_DEPTH) return { code: 'yaml/too-deep', offset };
    if (!/[\s#\ufeff]/.test(first)) parts++;
    if (first === '"') parts += token.split('\\').length - 1; // each escape may be an error
    if (parts > maxParts) return { code: 'yaml/too-many-values', offset };
    offset += token.length;
  }
  return undefined;
}
