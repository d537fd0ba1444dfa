import { Lexer } from 'yaml';

/** Greatest depth of lists and groups. The deepest setting of site.yaml needs 5. */
export const DEPTH = 8;

/** Depth at which not even the parser is asked: it is slow there, and where exactly 8 are exceeded does not matter any more. */
const HOPELESS_DEPTH = 100;

/** Why a text is not given to the parser, and where. */
export interface Excess {
  code: 'yaml/too-deep' | 'yaml/too-many-values';
  offset: number;
}

/**
 * Looks for what would keep the parser busy. The lexer alone takes 0.15 s at most for 256 KiB; the parser, after it, minutes.
 * @param most - greatest number of parts (keys, values, brackets and other marks; a line `key: value` has three)
 */
export function findExcess(text: string, most: number): Excess | undefined {
  let parts = 0;
  let offset = 0;
  let brackets = 0;
  let marks = 0; // `- - ? -` in one line: each opens a list or group in the one before
  for (const token of new Lexer().lex(text)) {
    const [first = ''] = token;
    if (/[\u0002\u0018\u001f]/.test(first)) continue; // marks of the lexer itself, which are not in the text
    if (first === '[' || first === '{') brackets++;
    if (first === ']' || first === '}') brackets--;
    if (token === '-' || token === '?') marks++;
    if (token.endsWith('\n')) marks = 0;
    if (brackets + marks > HOPELESS_DEPTH) return { code: 'yaml/too-deep', offset };
    if (!/[\s#\ufeff]/.test(first)) parts++;
    if (first === '"') parts += token.split('\\').length - 1; // each escape may be a mistake of its own
    if (parts > most) return { code: 'yaml/too-many-values', offset };
    offset += token.length;
  }
  return undefined;
}
