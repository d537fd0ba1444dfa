import { suggest } from '../diagnostics/suggest.ts';

/** The file that was probably meant, and whether its name differs only by case, or only by how its letters are composed. */
export interface SimilarName {
  suggestion: string | undefined;
  differsBy: 'case' | 'composition' | undefined;
}

/** Looks for the file that a path was probably meant to name. */
export function similarName(wanted: string, known: readonly string[]): SimilarName {
  const composed = twinOf(wanted, known);
  if (composed !== undefined) return { suggestion: composed, differsBy: 'composition' };
  const cased = known.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (cased !== undefined) return { suggestion: cased, differsBy: 'case' };
  const elsewhere =
    known.find((name) => baseName(name) === baseName(wanted)) ?? known.find((name) => name.startsWith(`${wanted}.`));
  return { suggestion: elsewhere ?? suggest(wanted, known), differsBy: undefined };
}

/**
 * A file whose name looks the same as another's: `é` is one character, or `e` and an accent (Unicode Standard Annex #15).
 * Linux keeps both, macOS one.
 */
function twinOf(name: string, known: readonly string[]): string | undefined {
  return known.find((other) => other !== name && other.normalize('NFC') === name.normalize('NFC'));
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
