/** Escapes text for a regular expression of PCRE, PCRE2 or RE2, so that it matches itself. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** A regular expression for one of several. */
export function anyOf(patterns: readonly string[]): string {
  return patterns.length === 1 ? patterns.join() : `(?:${patterns.join('|')})`;
}
