import { quote } from './quote.ts';

/** Edits between two words; swapped neighbours count as one (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1] ?? [];
      const change = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/** The candidate that was probably meant, if one is close: letter case is free, a third of the letters may differ. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 100) return undefined;
  const wanted = word.trim().toLowerCase();
  const scored = candidates
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3)))
    .toSorted((a, b) => a.edits - b.edits);
  return scored[0]?.candidate;
}

/** `Did you mean …?`, or nothing. */
export function didYouMean(suggestion: string | undefined): string | undefined {
  return suggestion === undefined ? undefined : `Did you mean ${quote(suggestion)}?`;
}
