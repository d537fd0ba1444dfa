import { suggest } from '../diagnostics/suggest.ts';

/** The file that was probably meant, and whether its name differs only in case, or only in how its letters are composed. */
export interface SimilarName {
  suggestion: string | undefined;
  differsBy: 'case' | 'composition' | undefined;
}

/** Looks for the file that a path was probably meant to name. */
export function similarName(missingName: string, names: readonly string[]): SimilarName {
  const composed = twinOf(missingName, names);
  if (composed !== undefined) return { suggestion: composed, differsBy: 'composition' };
  const cased = names.find((name) => name.toLowerCase() === missingName.toLowerCase());
  if (cased !== undefined) return { suggestion: cased, differsBy: 'case' };
  const elsewhere =
    names.find((name) => baseName(name) === baseName(missingName)) ??
    names.find((name) => name.startsWith(`${missingName}.`));
  return { suggestion: elsewhere ?? suggest(missingName, names), differsBy: undefined };
}

/**
 * Returns a file with another name that looks the same: `é` is one character, or `e` and an accent (Unicode Standard Annex #15). Linux
 * distinguishes both, macOS does not.
 */
function twinOf(missingName: string, names: readonly string[]): string | undefined {
  return names.find(
    (candidate) => candidate !== missingName && candidate.normalize('NFC') === missingName.normalize('NFC'),
  );
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
