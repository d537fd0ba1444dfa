import { soleSuggestion, suggest } from '../diagnostics/suggest.ts';

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
  const elsewhere = known.find((name) => baseName(name) === baseName(wanted));
  return { suggestion: elsewhere ?? suggest(wanted, known), differsBy: undefined };
}

/**
 * The file that a path can only be meant to name: in another letter case or folder, or misspelt and not in use under its own name.
 * @param used - files that other fields name
 */
export function certainName(wanted: string, known: readonly string[], used: ReadonlySet<string>): string | undefined {
  if (twinOf(wanted, known) !== undefined) return undefined;
  for (const isSame of [
    (name: string) => name.toLowerCase() === wanted.toLowerCase(),
    (name: string) => baseName(name) === baseName(wanted),
  ]) {
    const same = known.filter(isSame);
    if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  }
  const meant = soleSuggestion(wanted, known);
  return meant !== undefined && !used.has(meant) ? meant : undefined;
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
