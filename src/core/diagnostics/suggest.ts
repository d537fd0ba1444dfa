import { quote } from './quote.ts';

/** A number of edits greater than any two words need. */
const FAR = 0xff_ff;

/**
 * Returns the number of edits between two words; swapped neighbours are one edit (optimal string alignment). Computes only the cells that
 * `most` edits can reach.
 * @returns {@link FAR} or another number greater than `most`, if it takes more edits
 */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return FAR;
  let before: number[] = [];
  let above: number[] = [];
  let row: number[] = [];
  for (let column = 0; column <= b.length; column++) above.push(column);
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    let fewest = from === 1 ? i : FAR;
    row[from - 1] = fewest;
    for (let j = from; j <= to; j++) {
      const change = (above[j - 1] ?? FAR) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min((above[j] ?? FAR) + 1, (row[j - 1] ?? FAR) + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? FAR) + 1);
      }
      row[j] = least;
      fewest = Math.min(fewest, least);
    }
    if (fewest > most) return FAR;
    if (to < b.length) row[to + 1] = FAR;
    [before, above, row] = [above, row, before];
  }
  return above[b.length] ?? FAR;
}

/** Checks whether two names have the same words in any order: `inverse_logo` and `logo_inverse`. */
function sameWords(a: string, b: string): boolean {
  const wordsOf = (name: string): string =>
    name
      .split(/[\s_-]+/)
      .toSorted()
      .join(' ');
  return a.length === b.length && wordsOf(a) === wordsOf(b);
}

/** Returns the candidate that was probably meant, if it is close: order and case of words do not matter, and a third of the letters may differ. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 100) return undefined;
  const normalized = word.trim().toLowerCase();
  const reordered = candidates.find((candidate) => sameWords(normalized, candidate.toLowerCase()));
  if (reordered !== undefined) return reordered;
  let closest: string | undefined;
  let edits = FAR;
  for (const candidate of candidates) {
    const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
    // The first of equally close candidates wins.
    const most = Math.min(allowed, edits - 1);
    const distanceTo = distance(normalized, candidate.toLowerCase(), most);
    if (distanceTo > most) continue;
    closest = candidate;
    edits = distanceTo;
  }
  return closest;
}

/** Words that people write instead of words of the format. */
const SYNONYMS: Readonly<Record<string, string>> = {
  color: 'palette',
  colors: 'palette',
  colour: 'palette',
  colours: 'palette',
  title: 'name',
  icon: 'favicon',
  url: 'base_url',
  middle: 'center',
  start: 'left',
  end: 'right',
};

/**
 * Returns the candidate that a word probably meant which is close to none: a synonym, or the only candidate with all its words or only its
 * words, such as `default_group_banner` for `banner_group`.
 */
export function suggestByWords(word: string, candidates: readonly string[]): string | undefined {
  const wordsOf = (name: string): string[] =>
    name
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
      .toLowerCase()
      .split(/[\s_-]+/)
      .map((part) => SYNONYMS[part] ?? part);
  const written = wordsOf(word);
  const exact = candidates.find((candidate) => candidate === written.join('_'));
  const matching = candidates.filter((candidate) => {
    const words = wordsOf(candidate);
    const shared = words.filter((part) => written.includes(part)).length;
    return shared > 0 && (shared === words.length || shared === new Set(written).size);
  });
  return exact ?? (matching.length === 1 ? matching[0] : undefined);
}

/** Returns `Did you mean …?` for a suggestion. */
export function didYouMean(suggestion: string | undefined): string | undefined {
  return suggestion === undefined ? undefined : `Did you mean ${quote(suggestion)}?`;
}
